import type { GrantBalance, PreviousDraw } from '../../domain/credit.ts';
import { conflict } from '../../domain/errors.ts';
import { lineKey } from '../../domain/series.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';

type CustomerKey = { environment_id: number; customer_id: string };
type InvoiceKey = { environment_id: number; invoice_id: string; now: string };

/** SQL: units written off the grant `g` as expired. */
export const WRITTEN_OFF = `(
    select coalesce(-sum(l.amount), 0) from credit_ledger l
    where l.environment_id = g.environment_id and l.grant_id = g.id and l.type = 'expired')`;

/** A customer, and the time of the usage that its grants may cover. */
export type GrantQuestion = { customer_id: string; from: string; to: string };

/**
 * Grants that can cover usage from `from` to `to` (billing.md 4): made before `to`, not expired at `from`, not void, and either with credit
 * left or among `grant_ids`. Credit written off as expired counts as left, because usage before the expiry may be billed late or again. Drafts
 * show credit provisionally; what draws it holds the customer's lock.
 */
export async function usableGrants(
  db: Db,
  environment_id: number,
  { asked, grant_ids }: { asked: readonly GrantQuestion[]; grant_ids: readonly string[] },
): Promise<(GrantBalance & { customer_id: string })[]> {
  const { rows } = await db.query<GrantBalance & { customer_id: string }>(
    `select g.customer_id, g.id, trim_scale(g.remaining + ${WRITTEN_OFF})::text as remaining, g.expires_at, g.rollover,
       g.created_at
     from jsonb_to_recordset($2) as asked(customer_id text, "from" timestamptz, "to" timestamptz)
     join credit_grants g on g.environment_id = $1 and g.customer_id = asked.customer_id and g.voided_at is null
       and g.created_at < asked."to" and (g.expires_at is null or g.expires_at > asked."from")
     where g.remaining + ${WRITTEN_OFF} > 0 or g.id = any($3)
     order by g.id`,
    [environment_id, JSON.stringify(asked), grant_ids],
  );
  return rows;
}

/** Credit from a grant that stands on a line. */
type LineCredit = PreviousDraw & { subscription_id: string; line_key: string };

/** The credit of lines, draws and returns of each in the order of writing; `line_key` is their lineKey. */
export async function drawsOfLines(
  db: Db,
  environment_id: number,
  line_item_ids: readonly string[],
): Promise<LineCredit[]> {
  if (line_item_ids.length === 0) return [];
  type Row = PreviousDraw & { subscription_id: string } & Parameters<typeof lineKey>[0];
  const { rows } = await db.query<Row>(
    `select l.subscription_id, l.charge_id, l.series, l.full_period_start, d.amount::text as amount,
       jsonb_build_object('id', g.id, 'expires_at', instant_text(g.expires_at), 'rollover', g.rollover,
         'created_at', instant_text(g.created_at)) as grant
     from credit_draws d
     join line_items l on l.environment_id = d.environment_id and l.id = d.line_item_id
     join credit_grants g on g.environment_id = d.environment_id and g.id = d.grant_id
     where d.environment_id = $1 and d.line_item_id = any($2)
     order by d.id`,
    [environment_id, line_item_ids],
  );
  return rows.map(({ subscription_id, grant, amount, ...line }) => ({
    ...{ subscription_id, grant, amount },
    line_key: lineKey(line),
  }));
}

/**
 * Credit that moves for a line of an invoice: `drawn` leaves its grant, `returned` goes back to it, and `held` is the share that the line has
 * from the grant, signed.
 */
export type CreditMove = {
  kind: 'drawn' | 'returned' | 'held';
  grant_id: string;
  amount: string;
  invoice_id: string;
  line_item_id: string;
  at: string;
};

/**
 * Moves credit in one statement: ledger, balances and shares, each in the order of the moves, by which a later line returns what was drawn
 * last. Returns come before draws. A check constraint refuses a balance below zero.
 * A draw reverses as much expired credit as it needs; on a voided grant it reverses the whole draw, and a return is voided at once (billing.md
 * 4). The caller holds the customers' locks. Throws unless every move has its line, so that the transaction rolls back: a misspelled JSON
 * member becomes null in Postgres, and its move would be lost without an error.
 */
export async function moveCredit(
  db: Db,
  environment_id: number,
  moves: readonly CreditMove[],
): Promise<void> {
  if (moves.length === 0) return;
  const { rows } = await db.query<{ written: number }>(
    `with move as materialized (
       select m.* from jsonb_to_recordset($2) as m(place integer, kind text, grant_id text, amount numeric,
         invoice_id text, line_item_id text, at timestamptz)
       join line_items l on l.environment_id = $1 and l.id = m.line_item_id and l.invoice_id = m.invoice_id
     ), total as (
       select grant_id, max(at) as at, coalesce(sum(amount) filter (where kind = 'returned'), 0) as returned,
         coalesce(sum(amount) filter (where kind = 'drawn'), 0) as drawn
       from move where kind <> 'held' group by grant_id
     ), changed as materialized (
       select g.id, t.at, t.returned, t.drawn, g.voided_at is not null as is_voided,
         case when g.voided_at is null
           then greatest(least(t.drawn - t.returned - g.remaining, ${WRITTEN_OFF}), 0) else t.drawn end as reversed
       from total t join credit_grants g on g.environment_id = $1 and g.id = t.grant_id
     ), ledger as (
       insert into credit_ledger (environment_id, grant_id, type, amount, invoice_id, line_item_id, created_at)
       select $1, grant_id, type, amount, invoice_id, line_item_id, at from (
         select 1 as step, place, grant_id, kind as type, amount, invoice_id, line_item_id, at
         from move where kind = 'returned'
         union all
         select 2, 0, id, 'voided', -returned, null, null, at from changed where is_voided and returned > 0
         union all
         select 3, 0, id, case when is_voided then 'voided' else 'expired' end, reversed, null, null, at
         from changed where reversed > 0
         union all
         select 4, place, grant_id, kind, -amount, invoice_id, line_item_id, at from move where kind = 'drawn') as entry
       order by step, place, grant_id
     ), share as (
       insert into credit_draws (environment_id, line_item_id, grant_id, amount)
       select $1, line_item_id, grant_id, amount from move where kind = 'held' order by place
     ), balance as (
       update credit_grants g set remaining = g.remaining + changed.returned + changed.reversed - changed.drawn
       from changed where g.environment_id = $1 and g.id = changed.id and not changed.is_voided
     )
     select count(*)::integer as written from move`,
    [environment_id, JSON.stringify(moves.map((move, place) => ({ place, ...move })))],
  );
  const { written } = rows[0]!;
  if (written !== moves.length)
    throw new Error(`${written} of ${moves.length} movements of credit have a line item of their invoice`);
}

/**
 * SQL: what each grant has given to a charge and period, that is, the sum of its draws on lines that are not void, never below zero
 * (billing.md 4). `before` includes the lines of invoice $2, `after` excludes them. In line order.
 */
const GIVEN = `
  select own.grant_id, own.line_item_id, own.position,
    greatest(coalesce(rest.amount, 0) + own.amount, 0) as before, greatest(coalesce(rest.amount, 0), 0) as after
  from (
    select d.grant_id, l.id as line_item_id, l.subscription_id, l.charge_id, l.series, l.full_period_start, l.position,
      sum(d.amount) as amount
    from line_items l
    join credit_draws d on d.environment_id = l.environment_id and d.line_item_id = l.id
    where l.environment_id = $1 and l.invoice_id = $2
    group by d.grant_id, l.environment_id, l.id
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
export async function undoDraws(db: Db, { environment_id, invoice_id, now }: InvoiceKey): Promise<void> {
  type Change = Pick<CreditMove, 'grant_id' | 'line_item_id' | 'amount'> & {
    is_drawn: boolean;
    is_covered: boolean;
  };
  const { rows } = await db.query<Change>(
    `select x.grant_id, x.line_item_id, trim_scale(abs(x.after - x.before))::text as amount,
       x.after > x.before as is_drawn,
       sum(x.after - x.before) over (partition by x.grant_id) <= ${AVAILABLE} as is_covered
     from (${GIVEN}) as x
     join credit_grants g on g.environment_id = $1 and g.id = x.grant_id
     where x.after <> x.before
     order by x.position, x.grant_id`,
    [environment_id, invoice_id],
  );
  const used = rows.find(({ is_covered }) => !is_covered);
  if (used !== undefined) {
    const message = `invoice ${invoice_id} returned credit to grant ${used.grant_id}, and other invoices have used that credit since`;
    throw conflict(null, 'invalid_state', message);
  }
  const moves = rows.map(({ grant_id, line_item_id, amount, is_drawn }): CreditMove => ({
    ...{ kind: is_drawn ? 'drawn' : 'returned', grant_id, amount, invoice_id, line_item_id, at: now },
  }));
  await moveCredit(db, environment_id, moves);
}

/**
 * SQL: a grant past its expiry, by the instant `now`, with credit left, while every period that it covers is issued. `issued` are invoices that
 * count as issued.
 */
function toWriteOff(now: string, issued: string): string {
  return `g.remaining > 0 and g.voided_at is null and g.expires_at <= ${now}
  and not exists (
    select from subscriptions s
    join periods p on p.environment_id = s.environment_id and p.subscription_id = s.id and p.kind = 'billing'
      and p.period_start < g.expires_at and p.period_end > g.created_at
    where s.environment_id = g.environment_id and s.customer_id = g.customer_id
      and (p.closed_at is null or exists (
        select from invoices i where i.environment_id = s.environment_id and i.subscription_id = s.id
          and i.period_start = p.period_start and i.status = 'draft' and i.id <> all (${issued}))))`;
}

/** A customer, and its now. */
type CustomerAt = { customer_id: string; now: string };

/**
 * Writes off expired grants that no open period or draft can use any more. Bookkeeping only: the expiry limits the time of the usage, not
 * of the draw, so a grant keeps its credit while a period that it covers is a draft. `issuing` are drafts that this transaction issues.
 */
export async function expireGrants(
  db: Db,
  environment_id: number,
  { customers, issuing }: { customers: readonly CustomerAt[]; issuing: readonly string[] },
): Promise<void> {
  await db.query(
    `with lost as (
       select g.id, g.remaining, asked.now
       from jsonb_to_recordset($2) as asked(customer_id text, now timestamptz)
       join credit_grants g on g.environment_id = $1 and g.customer_id = asked.customer_id
       where ${toWriteOff('asked.now', '$3')}
       order by g.id for no key update of g
     ), ledger as (
       insert into credit_ledger (environment_id, grant_id, type, amount, created_at)
       select $1, id, 'expired', -remaining, now from lost
     )
     update credit_grants g set remaining = 0, expiry_told_at = coalesce(g.expiry_told_at, g.expires_at)
     from lost where g.environment_id = $1 and g.id = lost.id`,
    [environment_id, JSON.stringify(customers), issuing],
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
     where ${toWriteOff(CUSTOMER_NOW, "'{}'")} and not exists (
       select from set_aside s where s.environment_id = c.environment_id and s.job = 'expired_credit'
         and s.customer_id = c.id
         and s.tried_at > now() - $2 * interval '1 millisecond')
     limit $1`,
    [limit, rest_ms],
  );
  return rows;
}
