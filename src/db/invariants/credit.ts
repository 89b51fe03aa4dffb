import { CARRIED } from '../credit/credit-draws.ts';
import { endOfPeriodFrom, isTakenBackAt } from '../credit/plan-grants.ts';
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
  // A grant may start at the period's end or later, or expire before the period begins, if a cancellation moved its end
  // back after the draw.
  bySql(
    'I18',
    'Credit is drawn by a line item of an invoice of the same customer, of a subscription and an event that the grant covers, for a period that ends after the grant was created and begins before the grant expires.',
    {
      grant: [
        `select format('ledger entry %s of credit grant %s, invoice %s', x.id, g.id, coalesce(x.invoice_id, 'none'))
           as "row",
         case when i.customer_id is distinct from g.customer_id
             then format('draws credit of customer %s for customer %s', g.customer_id, coalesce(i.customer_id, 'none'))
           when l.invoice_id is distinct from x.invoice_id
             then format('names line item %s of invoice %s', coalesce(l.id, 'none'), coalesce(l.invoice_id, 'none'))
           when g.subscription_id <> l.subscription_id or not g.event_names ? l.event_name
             then format('draws for %s of subscription %s, which the grant does not cover', l.event_name,
               l.subscription_id)
           else format('draws for usage from %s to %s, the grant is good from %s to %s', l.full_period_start,
             full_period.ends_at, g.created_at,
             coalesce(greatest(g.expires_at, g.carry_over_until)::text, 'ever')) end as what
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
           or greatest(g.expires_at, g.carry_over_until) <= l.full_period_start
             and coalesce(l.full_period_start < s.cancel_at, true)
           or g.subscription_id <> l.subscription_id or not g.event_names ? l.event_name)`,
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
  bySql(
    'I51',
    'A full period whose beginning is worked off has each grant of its plan, or its share, once without void ones, which expires after its days or with the period, and covers of the next full period at most what carries over; with a change that takes it back it has expired for all usage.',
    {
      full_period: [
        `select format('period %s of %s', unit.full_period_start, unit.subscription_id) as "row",
           format('has no grant %s of plan %s', wanted.place - 1, p.plan_id) as what
         from periods p
         join subscriptions s on s.environment_id = p.environment_id and s.id = p.subscription_id
         join plans n on n.environment_id = p.environment_id and n.id = p.plan_id
         cross join lateral jsonb_array_elements(n.grants) with ordinality as wanted(terms, place)
         cross join lateral (select case
           when (wanted.terms ->> 'prorate')::boolean and p.period_start > p.interval_start
             then div((wanted.terms ->> 'amount')::numeric * extract(epoch from p.interval_end - p.period_start),
               extract(epoch from p.interval_end - p.interval_start))
           else (wanted.terms ->> 'amount')::numeric end as amount) as share
         where p.environment_id = unit.environment_id and p.subscription_id = unit.subscription_id
           and p.period_start = unit.full_period_start and p.full_period_start = unit.full_period_start
           and p.kind = 'billing' and p.opened_at is not null and not coalesce(p.period_start >= s.cancel_at, false)
           and share.amount > 0 and not exists (
             select from credit_grants g
             where g.environment_id = p.environment_id and g.subscription_id = p.subscription_id
               and g.full_period_start = p.full_period_start and g.place = wanted.place - 1
               and g.amount = share.amount)`,
      ],
      grant: [
        `select format('credit grant %s', g.id) as "row",
           format('expires at %s, carries over until %s, but its period ends at %s and the next at %s%s', g.expires_at,
             g.carry_over_until, own.ends_at, next.ends_at,
             case when end_of.takes_back then ', and a change takes it back' end) as what
         from credit_grants g
         join subscriptions s on s.environment_id = g.environment_id and s.id = g.subscription_id
         cross join lateral (${endOfPeriodFrom('g.full_period_start')}) as own
         cross join lateral (${endOfPeriodFrom('own.ends_at')}) as next
         cross join lateral (select ${isTakenBackAt('own.ends_at')} as takes_back) as end_of
         where ${OF_GRANT} and g.place is not null and g.voided_at is null
           and (g.expires_at is distinct from least(g.created_at + g.expires_in_days * interval '24 hours',
               case when g.period_bound is not null or end_of.takes_back then own.ends_at end)
             or g.carry_over_max is not null and end_of.takes_back and g.carry_over_until is distinct from own.ends_at
             or g.carry_over_max is not null and not end_of.takes_back and g.carry_over_until <> next.ends_at)`,
        `select format('credit grant %s', g.id) as "row",
           format('covers %s of the next period, but carries over %s', carried.units, g.carry_over_max) as what
         from credit_grants g cross join lateral (select ${CARRIED} as units) as carried
         where ${OF_GRANT} and g.carry_over_max is not null and carried.units > g.carry_over_max`,
      ],
    },
  ),
];
