import type { AuditEntry } from '../../api/objects.ts';
import {
  CustomerName,
  CustomerNameById,
  DiscountName,
  DocumentNumber,
  PlanName,
  SubscriptionName,
} from '../../components/name.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { words } from '../../components/values.tsx';
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
  month: '/month-end?month=',
};

type Named = Pick<AuditEntry, 'object_type' | 'object_id' | 'customer_id'>;

/** A link to an object of any kind with its name; the id alone, if it has no page or is gone. A discount has a name. */
export function ObjectLink({ object, is_gone }: { object: Named; is_gone: boolean }) {
  const page = PAGES[object.object_type];
  if (object.object_type === 'discount')
    return (
      <span class="cut">
        <DiscountName id={object.object_id} />
      </span>
    );
  if (page === undefined || is_gone) return <ShortId id={object.object_id} what="the object’s id" />;
  return (
    <Link to={page + encodeURIComponent(object.object_id)}>
      <span class="cut">
        <ObjectName object={object} />
      </span>
    </Link>
  );
}

function ObjectName({ object: { object_type, object_id, customer_id } }: { object: Named }) {
  if (object_type === 'customer')
    return customer_id === null ? <CustomerNameById id={object_id} /> : <CustomerName id={customer_id} />;
  if (object_type === 'subscription') return <SubscriptionName id={object_id} />;
  if (object_type === 'pricing_plan') return <PlanName id={object_id} />;
  if (object_type === 'month') return <>{monthInWords(object_id)}</>;
  const is_document = object_type === 'invoice' || object_type === 'credit_note';
  return is_document ? <DocumentNumber id={object_id} /> : <>{words(object_type)}</>;
}
