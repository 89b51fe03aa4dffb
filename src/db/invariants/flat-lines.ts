import { decimal, sum, ZERO, type Decimal } from '../../domain/money/decimal.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import { worthUpTo, type Stretch } from '../../domain/lines/stretches.ts';
import type { QuantityChange } from '../../domain/subscription/quantity.ts';
import type { Pricing } from '../../domain/pricing/definitions.ts';
import { AUTOMATICALLY_CREDITED } from '../invoicing/amount-due.ts';
import type { Db } from '../connection/pool.ts';
import { quantitiesOf } from '../subscriptions/quantities.ts';
import { percentsOf } from './discounts.ts';
import { IS_CREDITABLE } from './fees.ts';
import { faultIn, type UnitFault } from './invariant.ts';
import { unitParameters, unitsOf, type Unit } from './unit.ts';

/** A line of a flat amount in arrears. */
type FlatLine = {
  unit: Unit;
  id: string;
  charge_id: string;
  amount: string;
  percents: string[];
  /** Less the automatic credit notes. */
  net: string;
  /** A note could take more off it. */
  is_creditable: boolean;
  currency: string;
  event_name: string;
  pricing: Pricing;
  quantities: QuantityChange[];
  stretches: Stretch[] | null;
  /** The part that the line names. */
  period_start: string;
  period_end: string;
  /** The end of the part as it is now; null where an end has left it out. */
  ends_at: string | null;
  /** The subscription ends there. */
  cancel_at: string | null;
  /** The boundaries around the part; null where an end has left it out. */
  interval_start: string | null;
  interval_end: string | null;
  full_period_start: string;
};

/**
 * Lines of flat amounts in arrears that are not their price, and charges of which more is billed than the time up to an
 * end in a billed period.
 */
export async function wrongFlatLines(db: Db, units: readonly Unit[], limit: number): Promise<UnitFault[]> {
  const { rows } = await db.query<FlatLine>(FLAT_LINES, unitParameters(units));
  const faults = [
    ...rows.flatMap((line) => faultsOf(line.unit, `line item ${line.id}`, () => flatFault(line))),
    ...[...groupedBy(rows, ({ unit, charge_id }) => `${unit.id} ${charge_id}`).values()].flatMap((lines) =>
      faultsOf(lines[0]!.unit, `charge ${lines[0]!.charge_id} of ${lines[0]!.unit.id}`, () =>
        creditFault(lines),
      ),
    ),
  ];
  return faults.slice(0, limit);
}

function faultsOf(unit: Unit, row: string, look: () => string | null): UnitFault[] {
  const what = faultIn(look);
  return what === null ? [] : [{ unit, row, what }];
}

function flatFault(line: FlatLine): string | null {
  const { period_end, ends_at, cancel_at, amount } = line;
  // The rows of what was left out are gone, and with them the interval.
  if (ends_at === null) return null;
  const is_cut = ends_at === cancel_at && ends_at < period_end;
  // The end has dropped later quantities.
  if (is_cut && line.stretches !== null) return null;
  const expected = worthOfLine(line, is_cut ? period_end : ends_at).toFixed();
  return decimal(expected).eq(amount) ? null : `has the amount ${amount}, but its price is ${expected}`;
}

function creditFault(lines: readonly FlatLine[]): string | null {
  if (lines.every(({ ends_at, period_end }) => ends_at !== null && period_end <= ends_at)) return null;
  const net = sum(lines.map((line) => decimal(line.net)));
  const worth = sum(lines.map((line) => (line.ends_at === null ? ZERO : worthOfLine(line, line.ends_at))));
  const is_creditable = lines.some((line) => line.is_creditable);
  const is_wrong = net.lt(worth) || (is_creditable && net.gt(worth));
  return is_wrong ? `bills ${net.toFixed()}, but the time up to the end is worth ${worth.toFixed()}` : null;
}

/**
 * Price of the period up to an instant, less the price up to the start of the line; by exact time, each rounded
 * (billing.md 1).
 */
function worthOfLine(line: FlatLine, end: string): Decimal {
  const { full_period_start, interval_start, interval_end, quantities, percents, currency } = line;
  const bounds = { interval_start: interval_start!, interval_end: interval_end! };
  const upTo = (period_end: string) => {
    const period = { kind: 'billing', period_start: full_period_start, period_end, ...bounds } as const;
    return worthUpTo({ charge: line, quantities }, period, { period_end, percents, currency });
  };
  return upTo(end).minus(upTo(line.period_start));
}

const FLAT_LINES = `
  with ${unitsOf('full_period')}
  select jsonb_build_object('environment_id', unit.environment_id, 'id', unit.id) as unit, l.id, l.charge_id,
    l.amount::text as amount, ${percentsOf('l')} as percents,
    (l.amount - ${AUTOMATICALLY_CREDITED})::text as net, ${IS_CREDITABLE} as is_creditable,
    i.currency, h.event_name, h.pricing, ${quantitiesOf('h.event_name')} as quantities, l.stretches, l.period_start,
    l.period_end, p.period_end as ends_at, s.cancel_at, p.interval_start,
    p.interval_end, l.full_period_start
  from unit
  join subscriptions s on s.environment_id = unit.environment_id and s.id = unit.subscription_id
  join line_items l on l.environment_id = unit.environment_id and l.subscription_id = unit.subscription_id
    and l.full_period_start = unit.full_period_start and l.type = 'flat'
  join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
  join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
    and h.pricing ->> 'billed' is distinct from 'in_advance'
  left join periods p on p.environment_id = l.environment_id and p.subscription_id = l.subscription_id
    and p.period_start = l.period_start and p.kind = 'billing'
  order by l.id`;
