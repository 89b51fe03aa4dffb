import type { AuditEntry } from '../../api/objects.ts';
import {
  ActorName,
  CustomerName,
  CustomerNameById,
  DiscountName,
  DocumentNumber,
  GrantName,
  PlanName,
  SubscriptionName,
} from '../../components/name.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Cut, words } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { monthInWords } from '../month-end/month.ts';

/** Pages of objects, where there is one. */
const PAGES: Readonly<Record<string, string>> = {
  customer: '/customers/',
  pricing_plan: '/plans/',
  plan_migration: '/plan-migrations/',
  subscription: '/subscriptions/',
  invoice: '/invoices/',
  credit_note: '/credit-notes/',
  webhook_endpoint: '/settings/webhooks/',
  email: '/emails/',
  month: '/month-end?month=',
  // Their ids are those of customers.
  usage: '/customers/',
  test_clock: '/customers/',
};

/** Objects without a page of their own that have a name. */
const NAMED = ['credit_grant', 'discount', 'api_key', 'user'];

type Named = Pick<AuditEntry, 'object_type' | 'object_id' | 'customer_id'>;

/** The name of an object of any kind, as a link if it has a page; the id, if it has no name or is gone. */
export function ObjectLink({ object, is_gone }: { object: Named; is_gone: boolean }) {
  const { object_type, object_id, customer_id } = object;
  const page = PAGES[object_type];
  if (is_gone && object_type === 'customer' && customer_id !== null) return <Cut text={customer_id} />;
  if (is_gone || (page === undefined && !NAMED.includes(object_type)))
    return <ShortId id={object_id} what="the object’s id" />;
  const name = (
    <span class="cut">
      <ObjectName object={object} />
    </span>
  );
  return page === undefined ? name : <Link to={page + encodeURIComponent(object_id)}>{name}</Link>;
}

function ObjectName({ object: { object_type, object_id, customer_id } }: { object: Named }) {
  if (PAGES[object_type] === PAGES['customer'])
    return customer_id === null ? <CustomerNameById id={object_id} /> : <CustomerName id={customer_id} />;
  if (object_type === 'credit_grant') return <GrantName id={object_id} />;
  if (object_type === 'discount') return <DiscountName id={object_id} />;
  if (object_type === 'api_key' || object_type === 'user') return <ActorName id={object_id} />;
  if (object_type === 'subscription') return <SubscriptionName id={object_id} />;
  if (object_type === 'pricing_plan') return <PlanName id={object_id} />;
  if (object_type === 'month') return <>{monthInWords(object_id)}</>;
  const is_document = object_type === 'invoice' || object_type === 'credit_note';
  return is_document ? <DocumentNumber id={object_id} /> : <>{words(object_type)}</>;
}
