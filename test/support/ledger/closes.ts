import type { Db } from '../../../src/db/connection/pool.ts';
import * as given from './billing.ts';

/** Plans whose charges are counted in all ways: by daily totals, by cells, by events, by price and by group. */
export const PLANS: readonly (readonly given.TestCharge[])[] = [
  [
    { pricing: { pricing_model: 'flat', flat_amount: '49' } },
    { pricing: given.GRADUATED },
    { event_name: 'stored', pricing: given.PER_UNIT, aggregation: { type: 'sum', property: 'n' } },
  ],
  [
    { pricing: given.PER_UNIT, filters: { region: ['a', 'b'] } },
    { event_name: 'stored', pricing: given.PER_UNIT, aggregation: { type: 'unique', property: 'region' } },
    {
      event_name: 'seats',
      pricing: given.PER_UNIT,
      aggregation: { type: 'latest', property: 'n' },
      group_by: ['region'],
    },
  ],
  [
    {
      pricing: {
        pricing_model: 'per_unit',
        prices: [
          { match: { region: ['a'] }, unit_amount: '0.5' },
          { default: true, unit_amount: '0.25' },
        ],
      },
      group_by: ['region'],
    },
    { event_name: 'stored', pricing: given.PER_UNIT, aggregation: { type: 'max', property: 'n' } },
  ],
];

/** All that closes wrote for a subscription, without ids, numbers, hashes, cut-offs and the time of day. */
export async function writtenFor(db: Db, subscription_id: string): Promise<unknown> {
  const { rows } = await db.query<{ written: unknown }>(
    `select jsonb_build_object(
       'periods', (
         select jsonb_agg(jsonb_build_object('kind', p.kind, 'start', p.period_start, 'end', p.period_end,
           'closed', p.closed_at is not null, 'window', p.late_usage_until) order by p.period_start)
         from periods p where p.subscription_id = s.id),
       'invoices', (
         select jsonb_agg(jsonb_build_object('start', i.period_start, 'status', i.status, 'subtotal', i.subtotal,
           'tax', i.tax_amount, 'total', i.total, 'credits', i.credits_applied, 'stale', i.is_stale,
           'revisions', array[i.usage_revision, i.credit_revision], 'paid', i.paid_at is not null,
           'balance', array[i.balance_at_issue, i.balance_applied], 'due', i.due_date, 'sealed', i.content_hash is not null,
           'lines', (
             select jsonb_agg(to_jsonb(l) - array['id', 'invoice_id', 'subscription_id', 'charge_id', 'invoice_item_id']
               || jsonb_build_object('spans', (
                 select jsonb_agg(jsonb_build_object('after', x.after_cut_off_id is not null, 'from', x.timestamp_from,
                   'to', x.timestamp_to, 'stored_to', x.stored_to) order by x.position)
                 from line_item_spans x where x.line_item_id = l.id), 'credit', (
                 select jsonb_agg(d.amount order by d.id) from credit_draws d where d.line_item_id = l.id))
               order by l.position)
             from line_items l where l.invoice_id = i.id)) order by i.period_start)
         from invoices i where i.subscription_id = s.id),
       'groups', (
         select jsonb_agg(jsonb_build_object('start', g.full_period_start, 'series', g.series)
           order by g.full_period_start, g.series)
         from line_groups g where g.subscription_id = s.id),
       'grants', (
         select jsonb_agg(jsonb_build_object('remaining', trim_scale(g.remaining), 'ledger', (
           select jsonb_agg(jsonb_build_array(c.type, trim_scale(c.amount)) order by c.id)
           from credit_ledger c where c.grant_id = g.id)) order by g.id)
         from credit_grants g where g.customer_id = s.customer_id),
       'balance', (
         select jsonb_build_array(c.balance, (
           select jsonb_agg(jsonb_build_array(b.type, b.amount) order by b.id)
           from balance_entries b where b.customer_id = c.id))
         from customers c where c.id = s.customer_id)) as written
     from subscriptions s where s.id = $1`,
    [subscription_id],
  );
  return rows[0]!.written;
}
