import { bySql } from './invariant.ts';

const OF_GRANT = 'g.environment_id = unit.environment_id and g.id = unit.id';
const OF_INVOICE = 'i.environment_id = unit.environment_id and i.id = unit.id';

/** Balances of grants, and agreement of invoices with the draws. */
export const CREDIT_INVARIANTS = [
  bySql(
    'I16',
    'The remaining credit of a grant is the sum of its ledger, whose first entry is its amount; a voided grant has no remaining credit.',
    {
      grant: [
        `select format('credit grant %s', g.id) as "row",
         format('amount %s, remaining %s, but the ledger has %s granted and the sum %s', g.amount, g.remaining,
           coalesce(ledger.granted, 0), coalesce(ledger.sum, 0)) as what
       from credit_grants g
       left join lateral (
         select sum(x.amount) as sum, sum(x.amount) filter (where x.type = 'granted') as granted
         from credit_ledger x where x.environment_id = g.environment_id and x.grant_id = g.id
       ) as ledger on true
       where ${OF_GRANT} and (ledger.sum is distinct from g.remaining or ledger.granted is distinct from g.amount
         or (g.voided_at is not null and g.remaining <> 0))`,
        `select format('ledger entry %s of credit grant %s', id, grant_id) as "row",
           format('has %s %s', type, amount) as what
       from credit_ledger
       where environment_id = unit.environment_id and grant_id = unit.id
         and ((type in ('granted', 'returned') and amount < 0) or (type = 'drawn' and amount > 0))`,
      ],
    },
  ),
  bySql('I17', 'The balance of a grant is never below 0 after an entry of its ledger.', {
    grant: [
      `select format('ledger entry %s of credit grant %s', id, grant_id) as "row", format('leaves %s', balance) as what
       from (
         select id, grant_id, sum(amount) over (order by id) as balance
         from credit_ledger where environment_id = unit.environment_id and grant_id = unit.id) as running
       where balance < 0`,
    ],
  }),
  // A grant may start at the period's end or later if a cancellation moved that end back after the draw of a part.
  bySql(
    'I18',
    'Credit is drawn by a line item of an invoice of the same customer, for a period that ends after the grant was created and begins before the grant expires.',
    {
      grant: [
        `select format('ledger entry %s of credit grant %s, invoice %s', x.id, g.id, coalesce(x.invoice_id, 'none'))
           as "row",
         case when i.customer_id is distinct from g.customer_id
             then format('draws credit of customer %s for customer %s', g.customer_id, coalesce(i.customer_id, 'none'))
           when l.invoice_id is distinct from x.invoice_id
             then format('names line item %s of invoice %s', coalesce(l.id, 'none'), coalesce(l.invoice_id, 'none'))
           else format('draws for usage from %s to %s, the grant is good from %s to %s', l.full_period_start,
             full_period.ends_at, g.created_at, coalesce(g.expires_at::text, 'ever')) end as what
       from credit_grants g
       join credit_ledger x on x.environment_id = g.environment_id and x.grant_id = g.id
       left join invoices i on i.environment_id = x.environment_id and i.id = x.invoice_id
       left join line_items l on l.environment_id = x.environment_id and l.id = x.line_item_id
       left join subscriptions s on s.environment_id = l.environment_id and s.id = l.subscription_id
       left join lateral (
         select max(p.period_end) as ends_at, max(p.interval_end) as boundary from periods p
         where p.environment_id = l.environment_id and p.subscription_id = l.subscription_id
           and p.full_period_start = l.full_period_start and p.kind = 'billing'
       ) as full_period on true
       where ${OF_GRANT} and x.type = 'drawn'
         and (i.customer_id is distinct from g.customer_id or l.invoice_id is distinct from x.invoice_id
           or g.created_at >= case when s.cancel_at = full_period.ends_at then full_period.boundary
             else full_period.ends_at end
           or g.expires_at <= l.full_period_start)`,
      ],
    },
  ),
  bySql(
    'I19',
    'The credit shown on an issued invoice and on each of its line items equals the credit drawn from grants; drafts have drawn no credit.',
    {
      invoice: [
        `select format('invoice %s', i.id) as "row",
         format('is %s with credit %s, but its line items have %s from grants', i.status, i.credits_applied,
           coalesce(sum(d.amount), 0)) as what
       from invoices i
       left join line_items l on l.environment_id = i.environment_id and l.invoice_id = i.id
       left join credit_draws d on d.environment_id = l.environment_id and d.line_item_id = l.id
       where ${OF_INVOICE} and i.status <> 'void'
       group by i.environment_id, i.id
       having coalesce(sum(d.amount), 0) <> case when i.status = 'draft' then 0 else i.credits_applied end`,
        `select format('line item %s of invoice %s', l.id, i.id) as "row",
         format('is on a %s invoice with credit %s, but has %s from grants', i.status, l.credits_applied,
           coalesce(d.amount, 0)) as what
       from invoices i
       join line_items l on l.environment_id = i.environment_id and l.invoice_id = i.id
       left join lateral (
         select sum(x.amount) as amount from credit_draws x
         where x.environment_id = l.environment_id and x.line_item_id = l.id
       ) as d on true
       where ${OF_INVOICE} and i.status <> 'void'
         and coalesce(d.amount, 0) <> case when i.status = 'draft' then 0 else l.credits_applied end`,
      ],
    },
  ),
  bySql(
    'I34',
    'The credit drawn from a grant according to its ledger equals the credit that non-void line items have from the grant; for each charge and period it is never below 0.',
    {
      grant: [
        `select format('credit grant %s', g.id) as "row",
         format('amount %s, drawn %s according to its ledger, but its line items have %s', g.amount,
           coalesce(ledger.given, 0), coalesce(lines.given, 0)) as what
       from credit_grants g
       left join lateral (
         select -sum(x.amount) as given from credit_ledger x
         where x.environment_id = g.environment_id and x.grant_id = g.id and x.type in ('drawn', 'returned')
       ) as ledger on true
       left join lateral (
         select sum(greatest(amount, 0)) as given
         from (
           select sum(d.amount) as amount
           from credit_draws d
           join line_items l on l.environment_id = d.environment_id and l.id = d.line_item_id
           join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
           where d.environment_id = g.environment_id and d.grant_id = g.id
           group by l.subscription_id, l.charge_id, l.series, l.full_period_start
         ) as given
       ) as lines on true
       where ${OF_GRANT} and (coalesce(ledger.given, 0) <> coalesce(lines.given, 0)
         or coalesce(lines.given, 0) > g.amount)`,
      ],
    },
  ),
];
