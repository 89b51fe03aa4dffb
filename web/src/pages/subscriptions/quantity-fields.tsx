import type { Charge, Plan } from '../../api/objects.ts';
import { Field, type Values } from '../../components/form.tsx';

const PREFIX = 'quantities.';

/** A fee that is for one of a quantity of the subscription, such as a seat. */
type QuantityFee = Extract<Charge, { pricing_model: 'flat' }>;

/** The fees of a plan that are for one of a quantity, which their event names name. */
export function quantityFeesOf(plan: Pick<Plan, 'charges'> | null): QuantityFee[] {
  return (plan?.charges ?? []).flatMap((charge) =>
    charge.pricing_model === 'flat' && charge.quantity !== null ? [charge] : [],
  );
}

/** The words for a quantity: the name of its fee, else that of its event. */
export function quantityInWords(plan: Pick<Plan, 'charges'> | null, event_name: string): string {
  const fee = quantityFeesOf(plan).find((charge) => charge.event_name === event_name);
  return fee?.name ?? event_name;
}

type FieldsProps = {
  plan: Pick<Plan, 'charges'> | null;
  /** The quantities to begin with, by name; one of each, if left out. */
  now?: Readonly<Record<string, string>>;
  hint: string;
};

/** A field for each quantity of a plan. */
export function QuantityFields({ plan, now = {}, hint }: FieldsProps) {
  return (
    <>
      {quantityFeesOf(plan).map(({ id, name, event_name }) => (
        <Field
          key={id}
          name={`${PREFIX}${event_name}`}
          label={`Quantity of ${name ?? event_name}`}
          hint={hint}
          keyboard="decimal"
          initial={now[event_name] ?? '1'}
        />
      ))}
    </>
  );
}

/** The quantities of a form, by name, without empty ones; and its other values. */
export function quantitiesIn(values: Values): { quantities: Record<string, string>; others: Values } {
  const entries = Object.entries(values);
  const typed = entries.flatMap(([name, value]) =>
    name.startsWith(PREFIX) && value.trim() !== '' ? [[name.slice(PREFIX.length), value.trim()]] : [],
  );
  return {
    quantities: Object.fromEntries(typed),
    others: Object.fromEntries(entries.filter(([name]) => !name.startsWith(PREFIX))),
  };
}

/** The quantities that differ from those of now, by name. */
export function differing(
  quantities: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(quantities).filter(([name, value]) => value !== now[name]));
}
