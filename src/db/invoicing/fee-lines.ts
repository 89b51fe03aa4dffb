import type { FeeLine, HomeState } from '../../domain/fee.ts';
import type { Db } from '../connection/pool.ts';
import { AUTOMATICALLY_CREDITED } from './amount-due.ts';

/** A full period of a subscription by its start; the lines of `invoice_id` are left out. */
export type AskedFees = { subscription_id: string; full_period_start: string; invoice_id: string | null };

/** The lines of fees in advance of a full period, and the states of the invoices that may bill them. */
export type FoundFees = Omit<AskedFees, 'invoice_id'> & {
  lines: FeeLine[];
  home: HomeState;
  opening: HomeState;
};

const STATE = `case when count(*) = 0 then 'none' when bool_or(i.status = 'draft') then 'draft'
    when bool_or(i.status <> 'void') then 'issued' else 'void' end`;

/** Reads the fees in advance of full periods, in the order that was asked. */
export async function readFees(
  db: Db,
  environment_id: number,
  asked: readonly AskedFees[],
): Promise<FoundFees[]> {
  if (asked.length === 0) return [];
  const { rows } = await db.query<FoundFees>(
    `select a.subscription_id, a.full_period_start, (
       select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'charge_id', l.charge_id, 'plan_id', h.plan_id,
         'full_period_start', instant_text(l.full_period_start), 'period_end', instant_text(l.period_end),
         'amount', (l.amount - ${AUTOMATICALLY_CREDITED})::text, 'is_on_draft', i.status = 'draft')
         order by l.id), '[]')
       from line_items l
       join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
       join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
         and h.pricing ->> 'billed' = 'in_advance'
       where l.environment_id = $1 and l.subscription_id = a.subscription_id and l.type = 'flat'
         and l.full_period_start = a.full_period_start and i.id is distinct from a.invoice_id) as lines, (
       select ${STATE} from invoices i
       where i.environment_id = $1 and i.subscription_id = a.subscription_id and i.kind = 'period'
         and i.period_end = a.full_period_start) as home, (
       select ${STATE} from invoices i
       where i.environment_id = $1 and i.subscription_id = a.subscription_id and i.kind = 'opening'
         and i.period_start = a.full_period_start) as opening
     from jsonb_to_recordset($2) as a(subscription_id text, full_period_start timestamptz, invoice_id text)`,
    [environment_id, JSON.stringify(asked)],
  );
  return rows;
}

/** The starts of the full periods whose fees in advance invoices bill, in order. */
export async function feePeriodsOn(
  db: Db,
  environment_id: number,
  invoice_ids: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ full_period_start: string }>(
    `select distinct l.full_period_start
     from line_items l
     join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
       and h.pricing ->> 'billed' = 'in_advance'
     where l.environment_id = $1 and l.invoice_id = any($2) and l.type = 'flat'
     order by l.full_period_start`,
    [environment_id, invoice_ids],
  );
  return rows.map(({ full_period_start }) => full_period_start);
}
