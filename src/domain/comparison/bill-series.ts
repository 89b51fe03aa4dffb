import { type Decimal, ZERO, canonical, decimal, max, min, sum } from '../money/decimal.ts';
import { impossible } from '../money/errors.ts';
import { groupedBy } from '../money/grouped.ts';
import { itemAmount } from '../lines/invoice-item.ts';
import { type ComposedLine, quantityOfLines } from '../lines/line-item.ts';
import { conditionsOf, selectionOf, type Charge } from '../pricing/charge.ts';
import { percentsOf } from '../pricing/discount.ts';
import { creditableUnits, price } from '../pricing/pricing.ts';
import { type RatedCharge, ratedCharge, seriesKey, seriesOf, type Series } from '../pricing/series.ts';

/** A line of a bill, as far as bills are compared; of any invoice, issued or not. */
export type BilledLine = Series &
  Pick<
    ComposedLine,
    | 'type'
    | 'charge_id'
    | 'invoice_item'
    | 'description'
    | 'quantity'
    | 'credits_applied'
    | 'amount'
    | 'discounts'
  >;

/** A line, and what it is priced by: its charge, or the price of its item. */
type PricedLine = { line: BilledLine; charge: RatedCharge | null };

/**
 * The part of a bill that one series has (contract.md 4): its own lines, and those of late usage.
 */
export type SeriesOfBill = {
  own: OwnPart | null;
  late: Decimal;
  /** The lines, of which at least one exists. */
  lines: readonly PricedLine[];
};

/**
 * The lines that are not late; `credit` in creditable units. Prices are those of the bill, for a whole period and with
 * the percents of its line.
 */
export type OwnPart = {
  quantity: string;
  credit: string;
  amount: Decimal;
  /** Whether its lines are period lines, which have no price. */
  is_of_period: boolean;
  priceOf: (quantity: string, credit: string) => Decimal;
};

const WHOLE = { numerator: '1', denominator: '1' };

/** The series of a bill by a text that is equal for a series on any bill, in the order of their first lines. */
export function seriesOfBill(
  lines: readonly BilledLine[],
  { charges, currency }: { charges: ReadonlyMap<string, Charge>; currency: string },
): Map<string, SeriesOfBill> {
  const priced = lines.map((line): PricedLine => ({ line, charge: chargeOf(line, charges) }));
  return new Map(
    [...groupedBy(priced, keyOf)].map(([key, of_series]) => [key, partsOf(of_series, currency)]),
  );
}

function chargeOf(line: BilledLine, charges: ReadonlyMap<string, Charge>): RatedCharge | null {
  if (line.charge_id === null) return null;
  const charge = charges.get(line.charge_id);
  if (charge === undefined) throw impossible(`The charge ${line.charge_id} of a line was not read.`);
  return ratedCharge(charge, seriesOf(line));
}

/**
 * A series is all for one event name, aggregation, filters, price and group, whatever the plan. A place in a list of
 * prices says nothing of another list: what the price is for does.
 */
function keyOf({ line, charge }: PricedLine): string {
  if (charge === null) return `without charge ${keyWithoutCharge(line)}`;
  const { price: list_price, series } = charge;
  const match = list_price && { match: list_price.match && conditionsOf(list_price.match) };
  return JSON.stringify([
    line.type === 'flat' ? 'fee' : 'usage',
    selectionOf(charge),
    match,
    seriesKey({ ...series, price_index: null }),
  ]);
}

/** An item by its id, a discount of an amount by its own, or the minimum. */
function keyWithoutCharge({ invoice_item, discounts }: BilledLine): string {
  return invoice_item?.id ?? discounts[0]?.discount_id ?? 'minimum';
}

function partsOf(lines: readonly PricedLine[], currency: string): SeriesOfBill {
  const isLate = ({ line }: PricedLine) => line.type === 'late_usage';
  const own = lines.filter((line) => !isLate(line));
  return { lines, late: amountOf(lines.filter(isLate)), own: own.length === 0 ? null : ownOf(own, currency) };
}

function ownOf(own: readonly PricedLine[], currency: string): OwnPart {
  // A fee may have two lines, of the period that comes and of the one that ends: it is one price all the same.
  const prices = [...groupedBy(own, ({ line, charge }) => charge?.id ?? keyWithoutCharge(line)).values()];
  return {
    quantity: quantityOfLines(own.map(({ line }) => line)),
    credit: canonical(sum(own.map(({ line }) => decimal(line.credits_applied)))),
    amount: amountOf(own),
    is_of_period: own.some(({ line }) => line.type === 'discount' || line.type === 'minimum'),
    priceOf: (quantity, credit) =>
      sum(prices.map(([first]) => priceOf(first!, { quantity, credit, currency }))),
  };
}

type Asked = { quantity: string; credit: string; currency: string };

/**
 * The price of a quantity for a whole period. Of a cut period a part may have less than nothing, and more credit than
 * its units could take alone: no whole period has, so that the rest counts as its being cut.
 */
function priceOf({ line, charge }: PricedLine, { quantity, credit, currency }: Asked): Decimal {
  if (charge === null)
    return decimal(itemAmount(quantity, line.invoice_item?.unit_amount ?? line.amount, currency));
  const { pricing } = charge;
  const whole = canonical(max(ZERO, decimal(quantity)));
  const covered = max(ZERO, min(decimal(credit), decimal(creditableUnits(pricing, whole))));
  const percents = percentsOf(line.discounts);
  const usage = { quantity: whole, credit: canonical(covered), fraction: WHOLE, percents };
  return decimal(price(pricing, usage, currency).amount);
}

function amountOf(lines: readonly PricedLine[]): Decimal {
  return sum(lines.map(({ line }) => decimal(line.amount)));
}
