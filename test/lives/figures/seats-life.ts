import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { refusalsOfQuantities, setQuantities } from '../model/quantity-requests.ts';
import type { Invoice, Settle } from '../model/world.ts';
import { lifeOn, usd } from './model-life.ts';

export function seat(flat_amount: string, billed: 'in_advance' | 'in_arrears' = 'in_advance'): Pricing {
  return { pricing_model: 'flat', flat_amount, billed };
}
export const ARREARS = seat('8', 'in_arrears');
export const ADVANCE = seat('8');

type Terms = { settle?: Settle; bill?: 'with_next' | 'now' };

/** A life from the first of April with a number of seats. */
export function seatsOn(pricing: Pricing | readonly Pricing[], seats = '10') {
  const life = lifeOn(pricing, { start: at('04-01'), seats });
  const { world, subscription } = life;
  const set = (date: string, seat: string, { settle = 'balance', bill = 'with_next' }: Terms = {}) => {
    const request = { quantities: { seat }, at: at(date), settle, bill };
    const refusals = refusalsOfQuantities(world, subscription, request);
    if (refusals.length === 0) setQuantities(world, subscription, request);
    return refusals;
  };
  const numbered = (number: number): Invoice[] =>
    world.invoices.filter(({ period }) => period.kind === 'opening' && period.number === number);
  return { ...life, set, numbered };
}

/** The amounts of the lines of an invoice. */
export function amounts(invoice: Invoice | undefined): string[] | undefined {
  return invoice?.lines.map(({ amount }) => usd(amount));
}

/** Days, quantity and amount of each stretch of the lines, and what was billed before. */
export function stretches({ lines }: Invoice): string[] {
  return lines.map(({ stretches: all, billed_before }) => {
    const each = all!.map(
      ({ start, quantity, amount }) => `${quantity} from ${start.slice(5, 10)}: ${usd(amount)}`,
    );
    return `${each.join(', ')}; before ${usd(billed_before!)}`;
  });
}
