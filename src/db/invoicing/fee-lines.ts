import type { FeeLine, HomeState } from '../../domain/invoice/fee.ts';
import type { ArrearsLine } from '../../domain/invoice/flat-arrears.ts';
import type { Db } from '../connection/pool.ts';
import { AUTOMATICALLY_CREDITED } from './amount-due.ts';

/** A full period of a subscription by its start; the lines of `invoice_id` are left out. */
export type AskedFees = { subscription_id: string; full_period_start: string; invoice_id: string | null };

/** The lines of flat amounts of a full period, and the states of the invoices that may bill its fees in advance. */
export type FoundFees = Omit<AskedFees, 'invoice_id'> & {
  lines: FeeLine[];
  arrears: ArrearsLine[];
  home: HomeState;
  opening: HomeState;
};

const STATE = `case when count(*) = 0 then 'none' when bool_or(i.status = 'draft') then 'draft'
    when bool_or(i.status <> 'void') then 'issued' else 'void' end`;

/** Reads the fees in advance of full periods, in the order that was asked. */
export async function readFees(
  db: Db,
  environment_id: number,
  keys: readonly AskedFees[],
): Promise<FoundFees[]> {
  if (keys.length === 0) return [];
  type Line = ArrearsLine & { is_in_advance: boolean };
  const { rows } = await db.query<Omit<FoundFees, 'lines' | 'arrears'> & { lines: Line[] }>(
    `select a.subscription_id, a.full_period_start, (
       select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'charge_id', l.charge_id, 'plan_id', h.plan_id,
         'full_period_start', instant_text(l.full_period_start), 'period_start', instant_text(l.period_start),
         'period_end', instant_text(l.period_end), 'amount', (l.amount - credited.amount)::text,
         'credited', credited.amount::text, 'amount_before', l.amount_before::text,
         'is_on_draft', i.status = 'draft', 'is_in_advance', coalesce(h.pricing ->> 'billed' = 'in_advance', false))
         order by l.id), '[]')
       from line_items l
       join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
       join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
       cross join lateral (select ${AUTOMATICALLY_CREDITED} as amount) as credited
       where l.environment_id = $1 and l.subscription_id = a.subscription_id and l.type = 'flat'
         and l.full_period_start = a.full_period_start and i.id is distinct from a.invoice_id) as lines, (
       select ${STATE} from invoices i
       where i.environment_id = $1 and i.subscription_id = a.subscription_id and i.kind = 'period'
         and i.period_end = a.full_period_start) as home, (
       select ${STATE} from invoices i
       where i.environment_id = $1 and i.subscription_id = a.subscription_id and i.kind = 'opening'
         and i.period_start = a.full_period_start) as opening
     from jsonb_to_recordset($2) as a(subscription_id text, full_period_start timestamptz, invoice_id text)`,
    [environment_id, JSON.stringify(keys)],
  );
  return rows.map(({ lines, ...fees }) => ({
    ...fees,
    lines: lines.filter(({ is_in_advance }) => is_in_advance),
    arrears: lines.filter(({ is_in_advance }) => !is_in_advance),
  }));
}

/** The starts of the full periods whose flat amounts invoices bill, in order. */
export async function flatPeriodsOn(
  db: Db,
  environment_id: number,
  invoice_ids: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ full_period_start: string }>(
    `select distinct full_period_start from line_items
     where environment_id = $1 and invoice_id = any($2) and type = 'flat' order by full_period_start`,
    [environment_id, invoice_ids],
  );
  return rows.map(({ full_period_start }) => full_period_start);
}

/**
 * The starts of the full periods of which invoices of a subscription that are not void bill flat amounts or a minimum
 * beyond an instant, in order.
 */
export async function flatPeriodsBeyond(
  db: Db,
  environment_id: number,
  { subscription_id, end }: { subscription_id: string; end: string },
): Promise<string[]> {
  const { rows } = await db.query<{ full_period_start: string }>(
    `select distinct l.full_period_start from line_items l
     join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
     where l.environment_id = $1 and l.subscription_id = $2 and l.period_end > $3 and l.type in ('flat', 'minimum')
     order by l.full_period_start`,
    [environment_id, subscription_id, end],
  );
  return rows.map((row) => row.full_period_start);
}
