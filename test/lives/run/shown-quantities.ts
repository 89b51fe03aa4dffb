import { rational } from '../../support/oracles/price-oracle.ts';
import type { Json } from '../../support/servers/api.ts';
import { namesAt, quantityAt } from '../model/quantities.ts';
import { comingOf } from '../model/quantity-requests.ts';
import { decimalText } from '../model/usage.ts';
import type { Invoice, Line, Subscription, World } from '../model/world.ts';

/** Quantities, and what lines and openings say of them, as the API shows them, or should. */

type Fields = Record<string, unknown>;

const textOf = (quantity: string): string => decimalText(rational(quantity));

/** The quantities of now, of the names of the plan, and those to come. */
export function expectedQuantities(world: World, subscription: Subscription): Fields {
  const names = namesAt(subscription, world.now);
  const quantities = names.map((name) => [name, textOf(quantityAt(subscription, name, world.now))]);
  const coming = comingOf(world, subscription);
  const instants = [...new Set(coming.map(({ at }) => at!))];
  const pending = instants.map((at) => ({
    at,
    quantities: sorted(
      coming.filter((step) => step.at === at).map(({ name, quantity }) => [name, textOf(quantity)]),
    ),
  }));
  return { quantities: sorted(quantities), pending_quantities: pending };
}

function sorted(entries: readonly unknown[][]): Fields {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (`${a}` < `${b}` ? -1 : 1)));
}

export function observedQuantities({ quantities = {}, pending_quantities = [] }: Json): Fields {
  return {
    quantities: sorted(Object.entries(quantities)),
    pending_quantities: pending_quantities.map(({ at, quantities: of_at }: Json) => ({
      at,
      quantities: sorted(Object.entries(of_at)),
    })),
  };
}

/** The number of an opening; of an invoice of another kind none. */
export function expectedNumber({ period }: Invoice): Fields {
  const number = period.kind === 'opening' ? period.number : null;
  return { is_opening: number !== null, opening_number: number };
}

export function openingNumber({ kind, opening_number }: Json): Fields {
  return { is_opening: kind === 'opening', opening_number };
}

/** The stretches of a line as text, and what was billed before. */
export function expectedStretches(
  { stretches, billed_before }: Line,
  money: (amount: bigint) => string,
): Fields {
  const texts = stretches?.map(({ start, end, quantity, amount }) =>
    stretchText({ period_start: start, period_end: end, quantity: textOf(quantity), amount: money(amount) }),
  );
  return { stretches: texts ?? null, billed_before: billed_before === null ? null : money(billed_before) };
}

export function observedStretches({ stretches, billed_before }: Json): Fields {
  return { stretches: stretches?.map(stretchText) ?? null, billed_before: billed_before ?? null };
}

function stretchText({ period_start, period_end, quantity, amount }: Json): string {
  return `${amount} for ${quantity} from ${period_start} to ${period_end}`;
}
