import { useName, type KnownName } from '../api/use-names.ts';
import { shortened } from './short-id.tsx';

type NameProps = { id: string };

/** The name of a customer, by its external id, which shows where it has none. */
export function CustomerName({ id }: NameProps) {
  return <Named id={id} name={useName('customers', id)} otherwise={id} />;
}

/** The name of a plan with its version. */
export function PlanName({ id }: NameProps) {
  return <Named id={id} name={useName('ids', id)} otherwise={shortened(id)} />;
}

/** The names of the customer and of the plan of a subscription. */
export function SubscriptionName({ id }: NameProps) {
  return <Named id={id} name={useName('ids', id)} otherwise="subscription" />;
}

/** A grant by its note or its units, with the name of its customer. */
export function GrantName({ id }: NameProps) {
  return <Named id={id} name={useName('ids', id)} otherwise="credit grant" />;
}

/** The name of a customer by our `cus_` id. */
export function CustomerNameById({ id }: NameProps) {
  return <Named id={id} name={useName('ids', id)} otherwise={shortened(id)} />;
}

/** The number of an invoice or a credit note; a draft has none. */
export function DocumentNumber({ id }: NameProps) {
  const number = useName('ids', id);
  return <Named id={id} name={number} otherwise={number === undefined ? shortened(id) : 'no number'} />;
}

/** The name of a discount. */
export function DiscountName({ id }: NameProps) {
  return <Named id={id} name={useName('ids', id)} otherwise={shortened(id)} />;
}

/** The name of a key or of a person who did something. */
export function ActorName({ id }: NameProps) {
  return <Named id={id} name={useName('ids', id)} otherwise={shortened(id)} />;
}

/** A name, with the whole of it and the id as the tooltip. */
function Named({ id, name, otherwise }: NameProps & { name: KnownName; otherwise: string }) {
  return <span title={typeof name === 'string' ? `${name} (${id})` : id}>{name ?? otherwise}</span>;
}
