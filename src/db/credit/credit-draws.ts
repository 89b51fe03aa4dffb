import type { GrantBalance, PreviousDraw } from '../../domain/credit/credit.ts';
import { conflict } from '../../domain/money/errors.ts';
import { lineKey } from '../../domain/pricing/series.ts';
import type { Db } from '../connection/pool.ts';

type InvoiceKey = { environment_id: number; invoice_id: string; now: string };

/** SQL: units written off the grant `g` as expired. */
export const WRITTEN_OFF = `(
    select coalesce(-sum(l.amount), 0) from credit_ledger l
    where l.environment_id = g.environment_id and l.grant_id = g.id and l.type = 'expired')`;

/** SQL: the instant when the grant `g` has expired for all usage; null while that is not known. */
export const ENDS_AT = '(case when g.carry_over_max is null then g.expires_at else g.carry_over_until end)';

/** SQL: what a grant covers, and its place in the order of drawing. */
const TERMS = [
  'id',
  'expires_at',
  'rollover',
  'created_at',
  'event_names',
  'subscription_id',
  'carry_over_until',
];

/**
 * SQL: units of the grant `g` on lines of the full period after its own, of invoices `i` that count, never below zero
 * for each charge and period.
 */
const carriedOn = (invoices: string) => `(
    select coalesce(sum(greatest(x.amount, 0)), 0) from (
      select sum(d.amount) as amount
      from credit_draws d
      join line_items l on l.environment_id = d.environment_id and l.id = d.line_item_id
        and l.full_period_start >= g.expires_at
      join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and ${invoices}
      where d.environment_id = g.environment_id and d.grant_id = g.id
      group by l.charge_id, l.series, l.full_period_start) as x)`;

/** SQL: units of the grant `g` that cover the full period after its own. */
export const CARRIED = carriedOn(`i.status <> 'void'`);

/** A subscription of a customer, and the time of the usage that grants may cover. */
export type GrantQuestion = { customer_id: string; subscription_id: string; from: string; to: string };

/**
 * Grants that can cover usage from `from` to `to` (billing.md 4): made before `to`, not expired at `from`, not void,
 * and either with credit left or among `grant_ids`. Credit written off as expired counts as left, because usage before
 * the expiry may be billed late or again. Drafts show credit provisionally; what draws it holds the customer's lock.
 */
export async function usableGrants(
  db: Db,
  environment_id: number,
  { questions, grant_ids }: { questions: readonly GrantQuestion[]; grant_ids: readonly string[] },
): Promise<(GrantBalance & { customer_id: string })[]> {
  const { rows } = await db.query<GrantBalance & { customer_id: string }>(
    `select g.customer_id, ${TERMS.map((term) => `g.${term}`).join(', ')},
       trim_scale(g.remaining + ${WRITTEN_OFF})::text as remaining,
       case when g.carry_over_until > g.expires_at then trim_scale(g.carry_over_max - ${CARRIED})::text end
         as carry_over_left
     from jsonb_to_recordset($2) as asked(customer_id text, subscription_id text, "from" timestamptz,
       "to" timestamptz)
     join credit_grants g on g.environment_id = $1 and g.customer_id = asked.customer_id and g.voided_at is null
       and coalesce(g.subscription_id = asked.subscription_id, true) and g.created_at < asked."to"
       and (g.expires_at is null or greatest(g.expires_at, g.carry_over_until) > asked."from")
     where g.remaining + ${WRITTEN_OFF} > 0 or g.id = any($3)
     order by g.id`,
    [environment_id, JSON.stringify(questions), grant_ids],
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
         'created_at', instant_text(g.created_at), 'event_names', g.event_names, 'subscription_id', g.subscription_id,
         'carry_over_until', instant_text(g.carry_over_until)) as grant
     from credit_draws d
     join line_items l on l.environment_id = d.environment_id and l.id = d.line_item_id
     join credit_grants g on g.environment_id = d.environment_id and g.id = d.grant_id
     where d.environment_id = $1 and d.line_item_id = any($2)
     order by d.id`,
    [environment_id, line_item_ids],
  );
  return rows.map(({ subscription_id, grant, amount, ...line }) => ({
    subscription_id,
    grant,
    amount,
    line_key: lineKey(line),
  }));
}

/**
 * Credit that moves for a line of an invoice: `drawn` leaves its grant, `returned` goes back to it, and `held` is the
 * share that the line has from the grant, signed.
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
 * Moves credit in one statement: ledger, balances and shares, each in the order of the moves, by which a later line
 * returns what was drawn last. Returns come before draws. A check constraint refuses a balance below zero. A draw
 * reverses as much expired credit as it needs; on a voided grant it reverses the whole draw, and a return is voided at
 * once (billing.md 4). The caller holds the customers' locks. Throws unless every move has its line, so that the
 * transaction rolls back: a misspelled JSON member becomes null in Postgres, and its move would be lost without an
 * error.
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
 * SQL: what each grant has given to a charge and period, that is, the sum of its draws on lines that are not void,
 * never below zero (billing.md 4). `before` includes the lines of invoice $2, `after` excludes them. In line order.
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

/**
 * SQL: credit of the grant `g` that may be drawn again. For a voided grant: its amount less what lines that are not
 * void hold.
 */
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
 * Reverses the effect of a void invoice on the grants: what each grant has given to a charge and period becomes the sum
 * of the other lines. Throws conflict `invalid_state` if a grant would have given more than it has, because other
 * invoices have used the credit that this invoice returned.
 */
export async function undoDraws(db: Db, { environment_id, invoice_id, now }: InvoiceKey): Promise<void> {
  type Change = Pick<CreditMove, 'grant_id' | 'line_item_id' | 'amount'> & {
    is_drawn: boolean;
    is_covered: boolean;
  };
  const { rows } = await db.query<Change>(
    `select x.grant_id, x.line_item_id, trim_scale(abs(x.after - x.before))::text as amount,
       x.after > x.before as is_drawn,
       sum(x.after - x.before) over (partition by x.grant_id) <= ${AVAILABLE}
         and coalesce(${carriedOn(`i.status <> 'void' and i.id <> $2`)} <= g.carry_over_max, true) as is_covered
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
    kind: is_drawn ? 'drawn' : 'returned',
    grant_id,
    amount,
    invoice_id,
    line_item_id,
    at: now,
  }));
  await moveCredit(db, environment_id, moves);
}
