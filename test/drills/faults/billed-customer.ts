import { readOnly, transaction, type Pool } from '../../../src/db/connection/pool.ts';
import { requestRegeneration } from '../../../src/db/subscriptions/regenerations.ts';
import * as given from '../../support/ledger/billing.ts';

/** Test clock of every customer: only January and February have ended. */
const NOW = '2026-03-02T00:00:00.000Z';
const LATE = '2026-02-10T00:00:00.000Z';
const FEBRUARY = '2026-02-01T00:00:00.000Z';

const CHARGES: given.TestCharge[] = [
  { event_name: 'platform', pricing: { pricing_model: 'flat', flat_amount: '49' } },
  { pricing: { pricing_model: 'per_unit', unit_amount: '0.5' } },
  {
    aggregation: { type: 'sum', property: 'seconds' },
    pricing: {
      pricing_model: 'graduated',
      tiers: [
        { up_to: '40', unit_amount: '0.1', flat_amount: null },
        { up_to: null, unit_amount: '0.05', flat_amount: '5' },
      ],
    },
  },
];

export type BilledCustomer = { customer: given.TestCustomer; subscription_id: string };

export const aBilledPlan = (pool: Pool): Promise<string> => given.aPlan(pool, CHARGES);

/**
 * January is billed with three charges, tax and the credit of two grants, one of which expires within January; its late usage is billed
 * on February's invoice.
 */
export async function aBilledCustomer(pool: Pool, plan_id: string): Promise<BilledCustomer> {
  const customer = await given.aCustomer(pool, { tax_rate: '7' });
  await pool.query('update customers set test_clock = $2 where id = $1', [customer.id, NOW]);
  const subscription_id = await given.aSubscription(pool, customer, plan_id);
  await given.aGrant(pool, customer, 12, { expires_at: '2026-01-15T00:00:00.000Z' });
  await given.aGrant(pool, customer, 25);
  await given.post(pool, customer, given.january(30, { seconds: 2 }));
  await given.bill(pool, given.stepOf(subscription_id));
  await postLate(pool, customer, 5);
  await given.bill(pool, { ...given.stepOf(subscription_id), period_start: FEBRUARY });
  return { customer, subscription_id };
}

/** Posts three more events of January and requests a regeneration of its invoice, which nobody serves yet. */
export async function askToRegenerate(
  pool: Pool,
  { customer, subscription_id }: BilledCustomer,
): Promise<{ environment_id: number; subscription_id: string; regeneration_id: string }> {
  await postLate(pool, customer, 3);
  const { id: invoice_id } = await given.invoiceOf(pool, given.stepOf(subscription_id));
  const request = { invoice_id, subscription_id, reason: null, request_key: null };
  const id = await transaction(pool, (db) => requestRegeneration(db, given.LIVE, request));
  return { environment_id: given.LIVE, subscription_id, regeneration_id: id! };
}

async function postLate(pool: Pool, customer: given.TestCustomer, count: number): Promise<void> {
  const events = given.january(count, { seconds: 2 });
  await given.post(
    pool,
    customer,
    events.map((event) => ({ ...event, created_at: LATE })),
  );
}

/** Invoices of a customer in short, oldest first: status, credit applied, tax, and each line's type, quantity and amount. */
export async function billedTo(pool: Pool, { subscription_id }: BilledCustomer): Promise<string[][]> {
  const { rows } = await pool.query<{ said: string[] }>(
    `select array[i.status, i.credits_applied::text, i.tax_amount::text]
       || array_agg(concat_ws(' ', l.type, l.quantity, l.amount) order by l.position) as said
     from invoices i join line_items l on l.invoice_id = i.id
     where i.subscription_id = $1 group by i.environment_id, i.id order by i.id`,
    [subscription_id],
  );
  return rows.map(({ said }) => said);
}

const PICTURE = {
  invoices: `
    select id, kind, cause, opening_number, status, number is not null as is_numbered, content_hash is not null as is_sealed,
      period_start, period_end, subtotal, tax_amount, total, amount_paid, credits_applied, replaces, replaced_by,
      usage_revision, is_stale, hold_until
    from invoices where subscription_id = $1 order by id`,
  lines: `
    select l.invoice_id, l.position, l.type, l.quantity, l.amount, l.credits_applied, l.full_period_start, l.discounts,
      l.amount_before, l.stretches, l.billed_before, count(s) as spans
    from line_items l left join line_item_spans s on s.line_item_id = l.id
    where l.subscription_id = $1 group by l.environment_id, l.id order by l.invoice_id, l.position`,
  grants: `
    select g.id, g.remaining, g.expires_at, g.carry_over_until, g.voided_at from credit_grants g
    join subscriptions s on s.customer_id = g.customer_id where s.id = $1 order by g.id`,
  ledger: `
    select x.grant_id, x.invoice_id, x.type, x.amount, l.position from credit_ledger x
    join credit_grants g on g.id = x.grant_id
    join subscriptions s on s.customer_id = g.customer_id
    left join line_items l on l.id = x.line_item_id
    where s.id = $1 order by x.grant_id, x.invoice_id, x.type, l.position`,
  draws: `
    select d.grant_id, l.invoice_id, l.position, d.amount from credit_draws d join line_items l on l.id = d.line_item_id
    where l.subscription_id = $1 order by l.invoice_id, l.position, d.grant_id`,
  regenerations: `
    select id, status, invoice_id, new_invoice_id, refusal from regenerations where subscription_id = $1 order by id`,
  periods: `
    select period_start, period_end, plan_id, opened_at, closed_at, late_window_closed_at from periods
    where subscription_id = $1 order by period_start`,
  changes: 'select at, plan_id, settle from plan_changes where subscription_id = $1 order by at',
  quantities: `
    select event_name, at, quantity, settle, bill, came_at from quantity_changes where subscription_id = $1
    order by at, event_name`,
  notes: `
    select k.invoice_id, k.reason, k.total, k.to_balance, k.status, l.position, x.amount from credit_notes k
    join invoices i on i.id = k.invoice_id
    join credit_note_lines x on x.credit_note_id = k.id
    join line_items l on l.id = x.line_item_id where i.subscription_id = $1 order by k.id, l.position`,
  cut_offs: 'select count(*) from cut_offs where subscription_id = $1',
  acts: `
    select a.action, a.actor_type, count(*) from audit_log a
    join subscriptions s on s.environment_id = a.environment_id and s.customer_id = a.customer_id
    where s.id = $1 group by a.action, a.actor_type order by a.action, a.actor_type`,
};

/** All rows of a customer in one snapshot, with numbers instead of ids: customers with the same history have equal pictures. */
export async function pictureOf(pool: Pool, { subscription_id }: BilledCustomer): Promise<object> {
  const picture: Record<string, unknown> = {};
  await readOnly(pool, async (db) => {
    for (const [table, query] of Object.entries(PICTURE))
      picture[table] = (await db.query(query, [subscription_id])).rows;
  });
  const seen: string[] = [];
  const text = JSON.stringify(picture).replaceAll(/"(inv|cg|reg|dis|plan)_\w+"/g, (id, kind: string) => {
    if (!seen.includes(id)) seen.push(id);
    return `"${kind} ${seen.indexOf(id)}"`;
  });
  return JSON.parse(text) as object;
}

/** Invariants of all customers at any moment, also after a kill; each query finds the rows that breach one. */
const LAWS = {
  'a billed period has one invoice that is not void': `
    select subscription_id from invoices where kind <> 'opening' group by subscription_id, period_start
    having count(*) filter (where status <> 'void') <> 1`,
  'an invoice and the one that it replaces name each other, and that one is void': `
    select one.id from invoices one left join invoices other on other.id in (one.replaces, one.replaced_by)
    where (one.replaces is not null or one.replaced_by is not null) and (other.id is null
      or (one.replaces = other.id and (other.replaced_by is distinct from one.id or other.status <> 'void'))
      or (one.replaced_by = other.id and other.replaces is distinct from one.id))`,
  'a void invoice that was regenerated has its replacement': `
    select id from invoices where status = 'void' and replaced_by is null`,
  'what is left of a grant is the sum of its ledger': `
    select g.id from credit_grants g join credit_ledger x on x.grant_id = g.id
    group by g.environment_id, g.id having g.remaining <> sum(x.amount) or g.remaining < 0`,
  'a void invoice has given back all that it drew': `
    select i.id from invoices i join credit_ledger x on x.invoice_id = i.id
    where i.status = 'void' group by i.id, x.grant_id having sum(x.amount) <> 0`,
  'an issued invoice has drawn what it says, once for each line and grant': `
    select i.id from invoices i left join credit_ledger x on x.invoice_id = i.id
    where i.status <> 'void' group by i.environment_id, i.id
    having coalesce(-sum(x.amount), 0) <> i.credits_applied
      or count(x) <> count(distinct (x.grant_id, x.line_item_id)) filter (where x.id is not null)`,
  'lines and tax sum to the total': `
    select i.id from invoices i join line_items l on l.invoice_id = i.id
    group by i.environment_id, i.id having sum(l.amount) <> i.subtotal or i.total <> i.subtotal + i.tax_amount`,
  'each act has one entry in the audit log, and each entry its act': `
    with acts as (
      select id, 'invoice.issued' as action from invoices where issued_at is not null union all
      select id, 'invoice.voided' from invoices where voided_at is not null union all
      select id, 'credit_grant.created' from credit_grants union all
      select id, 'credit_grant.voided' from credit_grants where voided_at is not null union all
      select id, 'credit_note.issued' from credit_notes union all
      select id, 'credit_note.voided' from credit_notes where voided_at is not null
    ), entries as (
      select object_id as id, action, count(*) as entries from audit_log
      where action ~ '^(invoice|credit_grant|credit_note)\\.' group by object_id, action
    )
    select id, action, entries from acts full join entries using (id, action)
    where entries is distinct from 1 or (id, action) not in (select id, action from acts)`,
  'numbers have no gap': `
    select n.id from environments n left join invoices i on i.environment_id = n.id and i.number is not null
    group by n.id having count(i) <> n.last_invoice_number or coalesce(max(i.number), 0) <> n.last_invoice_number`,
};

/** The invariants that are breached now, with the rows that breach them. */
export async function brokenLaws(pool: Pool): Promise<string[]> {
  const broken: string[] = [];
  for (const [law, query] of Object.entries(LAWS)) {
    const { rows } = await pool.query(query);
    if (rows.length > 0) broken.push(`${law}: ${JSON.stringify(rows)}`);
  }
  return broken;
}
