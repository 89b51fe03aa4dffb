import { CustomerName, DocumentNumber, PlanName, SubscriptionName } from '../../components/name.tsx';
import { Cut } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

type LinkProps = { id: string };

type CustomerLinkProps = LinkProps & {
  /** The name, where the response has it: it is not asked for then. Null: it has none. */
  name?: string | null | undefined;
};

/** A link to a customer, by its external id, with its name. */
export function CustomerLink({ id, name }: CustomerLinkProps) {
  return (
    <Link to={`/customers/${encodeURIComponent(id)}`}>
      {name === undefined ? <CustomerName id={id} /> : (name ?? id)}
    </Link>
  );
}

/** A link to a customer for a column: too long a name ends in an ellipsis. */
export function CutCustomerLink({ id, name }: CustomerLinkProps) {
  return (
    <Cut text={name ?? id}>
      <CustomerLink id={id} name={name} />
    </Cut>
  );
}

/** A link to a plan with its name. */
export function PlanLink({ id }: LinkProps) {
  return (
    <Link to={`/plans/${id}`}>
      <PlanName id={id} />
    </Link>
  );
}

/** A link to a subscription with the names of its customer and of its plan. */
export function SubscriptionLink({ id }: LinkProps) {
  return (
    <Link to={`/subscriptions/${id}`}>
      <span class="cut">
        <SubscriptionName id={id} />
      </span>
    </Link>
  );
}

/** A link to an invoice with its number; `part` is the id of a line item of it. */
export function InvoiceLink({ id, part = null }: LinkProps & { part?: string | null }) {
  return (
    <Link to={`/invoices/${id}${part === null ? '' : `#${part}`}`}>
      <DocumentNumber id={id} />
    </Link>
  );
}

/** A link to a credit note with its number. */
export function CreditNoteLink({ id }: LinkProps) {
  return (
    <Link to={`/credit-notes/${id}`}>
      <DocumentNumber id={id} />
    </Link>
  );
}
