import { standingDraws, type GrantBalance, type PreviousDraw } from '../../domain/credit.ts';
import { conflict } from '../../domain/errors.ts';
import type { LineDraw } from '../../domain/line-item.ts';
import { lineKey } from '../../domain/series.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';

type CustomerKey = { environment_id: number; customer_id: string };
type LineName = Pick<LineDraw, 'charge_id' | 'series' | 'full_period_start'>;
type InvoiceKey = { environment_id: number; invoice_id: string; now: string };

/** SQL: units written off the grant `g` as expired. */
export const WRITTEN_OFF = `(
    select coalesce(-sum(l.amount), 0) from credit_ledger l
    where l.environment_id = g.environment_id and l.grant_id = g.id and l.type = 'expired')`;

/**
 * Grants that can cover usage from `from` to `to` (billing.md 4): made before `to`, not expired at `from`, not void, and either with credit
 * left or among `grant_ids`. Credit written off as expired counts as left, because usage before the expiry may be billed late or again. Set
 * `lock` before drawing; drafts read without a lock and show credit provisionally.
 */
export async function usableGrants(
  db: Db,
  key: CustomerKey,
  options: { from: string; to: string; grant_ids: readonly string[]; lock: boolean },
): Promise<GrantBalance[]> {
  const { rows } = await db.query<GrantBalance>(
    `select g.id, trim_scale(g.remaining + ${WRITTEN_OFF})::text as remaining, g.expires_at, g.rollover, g.created_at
     from credit_grants g
     where g.environment_id = $1 and g.customer_id = $2 and g.voided_at is null
       and g.created_at < $4 and (g.expires_at is null or g.expires_at > $3)
       and (g.remaining + ${WRITTEN_OFF} > 0 or g.id = any($5))
     order by g.id ${options.lock ? 'for no key update' : ''}`,
    [key.environment_id, key.customer_id, options.from, options.to, options.grant_ids],
  );
  return rows;
}

/** The credit that stands on the given lines, in the order of drawing, by `lineKey`. */
export async function drawsOfLines(
  db: Db,
  environment_id: number,
  line_item_ids: readonly string[],
): Promise<Map<string, PreviousDraw[]>> {
  const { rows } = await db.query<PreviousDraw & LineName>(
    `select l.charge_id, l.series, l.full_period_start, d.amount::text as amount,
       jsonb_build_object('id', g.id, 'expires_at', instant_text(g.expires_at), 'rollover', g.rollover,
         'created_at', instant_text(g.created_at)) as grant
     from credit_draws d
     join line_items l on l.environment_id = d.environment_id and l.id = d.line_item_id
     join credit_grants g on g.environment_id = d.environment_id and g.id = d.grant_id
     where d.environment_id = $1 and d.line_item_id = any($2)
     order by d.id`,
    [environment_id, line_item_ids],
  );
  const entries = new Map<string, PreviousDraw[]>();
  for (const { grant, amount, ...name } of rows) {
    const line = lineKey(name);
    entries.set(line, [...(entries.get(line) ?? []), { grant, amount }]);
  }
  return new Map([...entries].map(([line, drawn]) => [line, standingDraws(drawn)]));
}

/** Stores the credit that each line of an issued invoice has from each grant; signed. */
export async function writeDraws(db: Db, key: InvoiceKey, credit: readonly LineDraw[]): Promise<void> {
  if (credit.length === 0) return;
  const { rowCount } = await db.query(
    `insert into credit_draws (environment_id, line_item_id, grant_id, amount)
     select $1, line_item_id, grant_id, amount from (${LINE_DRAWS}) as draw`,
    [key.environment_id, key.invoice_id, JSON.stringify(credit)],
  );
  assertWritten('shares of credit', key, { asked: credit.length, written: rowCount! });
}

/**
 * Draws credit for the lines of an invoice; ledger and balance in one statement. A check constraint refuses a balance below zero. Reverses
 * as much expired credit as the draw needs; on a voided grant reverses the whole draw. The caller holds the customer's lock.
 */
export async function drawFromGrants(db: Db, key: InvoiceKey, draws: readonly LineDraw[]): Promise<void> {
  if (draws.length === 0) return;
  const { rows } = await db.query<Written>(
    `with draw as (${LINE_DRAWS}), changed as (
       select g.id, total.amount as drawn, case when g.voided_at is null then 'expired' else 'voided' end as taken_out,
         case when g.voided_at is null then greatest(least(total.amount - g.remaining, ${WRITTEN_OFF}), 0)
           else total.amount end as reversed
       from (select grant_id, sum(amount) as amount from draw group by grant_id) as total
       join credit_grants g on g.environment_id = $1 and g.id = total.grant_id
     ), ledger as (
       insert into credit_ledger (environment_id, grant_id, type, amount, invoice_id, line_item_id, created_at)
       select $1, id, taken_out, reversed, null, null, $4::timestamptz from changed where reversed > 0
       union all
       select $1, grant_id, 'drawn', -amount, $2, line_item_id, $4 from draw returning type
     ), balance as (
       update credit_grants g set remaining = g.remaining + changed.reversed - changed.drawn
       from changed where g.environment_id = $1 and g.id = changed.id
     )
     select count(*)::integer as written from ledger where type = 'drawn'`,
    [key.environment_id, key.invoice_id, JSON.stringify(draws), key.now],
  );
  assertWritten('draws', key, { asked: draws.length, ...rows[0]! });
}

/** Returns credit to its grants; credit returned to a voided grant is voided at once (billing.md 4). */
export async function returnToGrants(db: Db, key: InvoiceKey, returns: readonly LineDraw[]): Promise<void> {
  if (returns.length === 0) return;
  const { rows } = await db.query<Written>(
    `with draw as (${LINE_DRAWS}), changed as (
       select g.id, total.amount, g.voided_at is not null as is_voided
       from (select grant_id, sum(amount) as amount from draw group by grant_id) as total
       join credit_grants g on g.environment_id = $1 and g.id = total.grant_id
     ), ledger as (
       insert into credit_ledger (environment_id, grant_id, type, amount, invoice_id, line_item_id, created_at)
       select $1, grant_id, 'returned', amount, $2, line_item_id, $4::timestamptz from draw
       union all
       select $1, id, 'voided', -amount, null, null, $4 from changed where is_voided returning type
     ), balance as (
       update credit_grants g set remaining = g.remaining + changed.amount
       from changed where g.environment_id = $1 and g.id = changed.id and not changed.is_voided
     )
     select count(*)::integer as written from ledger where type = 'returned'`,
    [key.environment_id, key.invoice_id, JSON.stringify(returns), key.now],
  );
  assertWritten('returns', key, { asked: returns.length, ...rows[0]! });
}

type Written = { written: number };

/**
 * Throws unless every row was written, so that the transaction rolls back. A misspelled JSON member becomes null in Postgres: its draw
 * would find no line and be lost without an error.
 */
function assertWritten(what: string, { invoice_id }: InvoiceKey, count: Written & { asked: number }): void {
  if (count.written === count.asked) return;
  throw new Error(`${count.written} of ${count.asked} ${what} of invoice ${invoice_id} have a line item`);
}

/** SQL: the draws $3, joined to the lines of invoice $2. */
const LINE_DRAWS = `
       select d.grant_id, d.amount, l.id as line_item_id
       from jsonb_to_recordset($3) as d(grant_id text, charge_id text, series jsonb, full_period_start timestamptz,
         amount numeric)
       join line_items l on l.environment_id = $1 and l.invoice_id = $2 and l.charge_id = d.charge_id
         and l.series = d.series and l.full_period_start = d.full_period_start`;

/**
 * SQL: what each grant has given to a charge and period, that is, the sum of its draws on lines that are not void, never below zero
 * (billing.md 4). `before` includes the lines of invoice $2, `after` excludes them. In line order.
 */
const GIVEN = `
  select own.grant_id, own.charge_id, own.series, own.full_period_start, own.position,
    greatest(coalesce(rest.amount, 0) + own.amount, 0) as before, greatest(coalesce(rest.amount, 0), 0) as after
  from (
    select d.grant_id, l.subscription_id, l.charge_id, l.series, l.full_period_start, min(l.position) as position,
      sum(d.amount) as amount
    from line_items l
    join credit_draws d on d.environment_id = l.environment_id and d.line_item_id = l.id
    where l.environment_id = $1 and l.invoice_id = $2
    group by d.grant_id, l.subscription_id, l.charge_id, l.series, l.full_period_start
  ) as own
  left join lateral (
    select sum(d.amount) as amount
    from line_items l
    join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void' and i.id <> $2
    join credit_draws d on d.environment_id = l.environment_id and d.line_item_id = l.id and d.grant_id = own.grant_id
    where l.environment_id = $1 and l.subscription_id = own.subscription_id and l.charge_id = own.charge_id
      and l.series = own.series and l.full_period_start = own.full_period_start
  ) as rest on true`;

/** SQL: credit of the grant `g` that may be drawn again. For a voided grant: its amount less what lines that are not void hold. */
const AVAILABLE = `
  case when g.voided_at is null then g.remaining + ${WRITTEN_OFF} else g.amount - (
    select coalesce(sum(greatest(held.amount, 0)), 0) from (
      select sum(d.amount) as amount
      from credit_draws d
      join line_items l on l.environment_id = d.environment_id and l.id = d.line_item_id
      join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id
        and (i.status <> 'void' or i.id = $2)
      where d.environment_id = g.environment_id and d.grant_id = g.id
      group by l.subscription_id, l.charge_id, l.series, l.full_period_start) as held) end`;

/**
 * Reverses the effect of a void invoice on the grants: what each grant has given to a charge and period becomes the sum of the other lines.
 * Throws conflict `invalid_state` if a grant would have given more than it has, because other invoices have used the credit that this
 * invoice returned.
 */
export async function undoDraws(db: Db, key: InvoiceKey): Promise<void> {
  const { rows } = await db.query<LineDraw & { is_drawn: boolean; is_covered: boolean }>(
    `select x.grant_id, x.charge_id, x.series, x.full_period_start, trim_scale(abs(x.after - x.before))::text as amount,
       x.after > x.before as is_drawn,
       sum(x.after - x.before) over (partition by x.grant_id) <= ${AVAILABLE} as is_covered
     from (${GIVEN}) as x
     join credit_grants g on g.environment_id = $1 and g.id = x.grant_id
     where x.after <> x.before
     order by x.position, x.grant_id`,
    [key.environment_id, key.invoice_id],
  );
  const used = rows.find(({ is_covered }) => !is_covered);
  if (used !== undefined) {
    const message = `invoice ${key.invoice_id} returned credit to grant ${used.grant_id}, and other invoices have used that credit since`;
    throw conflict(null, 'invalid_state', message);
  }
  await returnToGrants(
    db,
    key,
    rows.filter(({ is_drawn }) => !is_drawn),
  );
  await drawFromGrants(
    db,
    key,
    rows.filter(({ is_drawn }) => is_drawn),
  );
}

/** SQL: a grant past its expiry $3 with credit left, while every period that it covers is issued. */
const TO_WRITE_OFF = `g.remaining > 0 and g.voided_at is null and g.expires_at <= $3
  and not exists (
    select from subscriptions s
    join periods p on p.environment_id = s.environment_id and p.subscription_id = s.id and p.kind = 'billing'
      and p.period_start < g.expires_at and p.period_end > g.created_at
    where s.environment_id = g.environment_id and s.customer_id = g.customer_id
      and (p.closed_at is null or exists (
        select from invoices i where i.environment_id = s.environment_id and i.subscription_id = s.id
          and i.period_start = p.period_start and i.status = 'draft')))`;

/**
 * Writes off expired grants that no open period or draft can use any more. Bookkeeping only: the expiry limits the time of the usage, not
 * of the draw, so a grant keeps its credit while a period that it covers is a draft.
 */
export async function expireGrants(db: Db, key: CustomerKey, now: string): Promise<void> {
  await db.query(
    `with lost as (
       select g.id, g.remaining from credit_grants g
       where g.environment_id = $1 and g.customer_id = $2 and ${TO_WRITE_OFF}
       order by g.id for no key update
     ), ledger as (
       insert into credit_ledger (environment_id, grant_id, type, amount, created_at)
       select $1, id, 'expired', -remaining, $3 from lost
     )
     update credit_grants g set remaining = 0 from lost where g.environment_id = $1 and g.id = lost.id`,
    [key.environment_id, key.customer_id, now],
  );
}

/**
 * Customers of all environments with a grant to write off, and each customer's now; for the reconciler. Leaves out customers that failed
 * within `rest_ms`, so that failing customers do not fill the limit.
 */
export async function customersWithExpiredGrants(
  db: Db,
  { limit, rest_ms }: { limit: number; rest_ms: number },
): Promise<(CustomerKey & { now: string })[]> {
  const { rows } = await db.query<CustomerKey & { now: string }>(
    `select distinct c.environment_id, c.id as customer_id, ${CUSTOMER_NOW} as now
     from credit_grants g join customers c on c.environment_id = g.environment_id and c.id = g.customer_id
     where ${TO_WRITE_OFF.replaceAll('$3', CUSTOMER_NOW)} and not exists (
       select from set_aside s where s.environment_id = c.environment_id and s.job = 'expired_credit'
         and s.customer_id = c.id
         and s.tried_at > now() - $2 * interval '1 millisecond')
     limit $1`,
    [limit, rest_ms],
  );
  return rows;
}
