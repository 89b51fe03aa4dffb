import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { bySql, type Invariant } from './invariant.ts';

const OF_INVOICE = 'i.environment_id = unit.environment_id and i.id = unit.id';
const SLACK = `interval '5 minutes'`;

/** Numbers, status transitions and replacement of invoices. */
export const LIFE_INVARIANTS: readonly Invariant[] = [
  bySql(
    'I13',
    'Invoice numbers run from 1 to the last issued number, in the order of issue, without gaps except those with a recorded reason.',
    {
      numbers: [
        `select format('environment %s, number %s', n.id, wanted) as "row", 'was issued to no invoice' as what
       from environments n
       cross join lateral generate_series(unit.first, least(unit.last, n.last_invoice_number)) as wanted
       where n.id = unit.environment_id
         and not exists (
           select from invoice_number_gaps g
           where g.environment_id = n.id and wanted between g.number_from and g.number_to)
         and not exists (select from invoices i where i.environment_id = n.id and i.number = wanted)`,
        // Live only, because each test customer has its own clock. The slack is for a transaction that waited for its
        // number: its issued_at is the start of the transaction. The number before the first of the unit is compared,
        // too.
        `select format('invoice %s', id) as "row", format('has number %s and was issued at %s, number %s at %s',
         number, issued_at, earlier_number, earlier_issued_at) as what
       from (
         select i.id, i.number, i.issued_at, lag(i.number) over numbers as earlier_number,
           lag(i.issued_at) over numbers as earlier_issued_at
         from invoices i join environments n on n.id = i.environment_id and n.livemode
         where i.environment_id = unit.environment_id and i.number <= unit.last and i.number >= coalesce((
           select max(p.number) from invoices p
           where p.environment_id = unit.environment_id and p.number < unit.first), unit.first)
         window numbers as (order by i.number)) as numbered
       where issued_at < earlier_issued_at - ${SLACK}`,
      ],
      invoice: [
        `select format('invoice %s', i.id) as "row",
         format('has number %s, but the last issued number is %s', i.number, n.last_invoice_number) as what
       from invoices i join environments n on n.id = i.environment_id
       where ${OF_INVOICE} and (i.number > n.last_invoice_number or i.number < 1)`,
        `select format('invoice %s', id) as "row", format('has number %s, but shows %s', number, full_number) as what
       from invoices i where ${OF_INVOICE} and number is not null
         and right(full_number, length(number::text)) <> number::text`,
        `select format('invoices %s', string_agg(o.id, ', ' order by o.id)) as "row",
           format('share the number %s', i.number) as what
       from invoices i join invoices o on o.environment_id = i.environment_id and o.number = i.number
       where ${OF_INVOICE} group by i.environment_id, i.number having count(*) > 1`,
      ],
      database: [
        `select format('invoice %s', i.id) as "row",
           format('has number %s, which is recorded as skipped: %s', i.number, g.reason) as what
       from invoice_number_gaps g
       join invoices i on i.environment_id = g.environment_id and i.number between g.number_from and g.number_to`,
        `select format('environment %s, numbers %s to %s', environment_id, number_from, number_to) as "row",
         format('were skipped at %s', created_at) as what, reason as exception
       from invoice_number_gaps order by environment_id, number_from`,
      ],
    },
  ),
  bySql(
    'I15',
    'The status of an invoice is consistent with its number, its times, its hash and what is due.',
    {
      invoice: [
        `select format('invoice %s', id) as "row",
         format('is %s with number %s, issued %s, paid %s, from the balance %s, credited %s (%s), void %s', status,
           coalesce(number::text, 'none'), coalesce(issued_at::text, 'never'), amount_paid, balance_applied, credited,
           coalesce(paid_at::text, 'never'),
           coalesce(voided_at::text, 'never')) as what
       from invoices i
       where ${OF_INVOICE} and case status
         when 'draft' then not (number is null and issued_at is null and paid_at is null and voided_at is null
           and content_hash is null and amount_paid = 0 and balance_applied = 0 and credited = 0)
         when 'open' then not (number is not null and issued_at is not null and content_hash is not null
           and paid_at is null and voided_at is null and amount_paid >= 0 and balance_applied >= 0 and credited >= 0
           and amount_paid + balance_applied + credited < total)
         when 'paid' then not (number is not null and issued_at is not null and content_hash is not null
           and paid_at is not null and voided_at is null and amount_paid >= 0 and balance_applied >= 0 and credited >= 0
           and amount_paid + balance_applied + credited = total)
         else not (voided_at is not null and amount_paid = 0 and balance_applied = 0 and credited = 0
           and (number is null) = (issued_at is null) and (number is null) = (content_hash is null))
       end`,
      ],
    },
  ),
  bySql(
    'I32',
    'A replaced invoice and its replacement refer to each other, the replaced invoice is void, and the regeneration request is consistent with both.',
    {
      invoice: [
        `select format('invoices %s and %s', i.id, i.replaced_by) as "row",
         format('the first is %s, the second replaces %s', i.status, coalesce(j.replaces, 'none')) as what
       from invoices i left join invoices j on j.environment_id = i.environment_id and j.id = i.replaced_by
       where ${OF_INVOICE} and i.replaced_by is not null and (i.status <> 'void' or j.replaces is distinct from i.id)`,
        `select format('invoices %s and %s', i.replaces, i.id) as "row",
         format('the first is replaced by %s', coalesce(j.replaced_by, 'none')) as what
       from invoices i left join invoices j on j.environment_id = i.environment_id and j.id = i.replaces
       where ${OF_INVOICE} and i.replaces is not null and j.replaced_by is distinct from i.id`,
        `select format('regeneration %s of invoice %s', r.id, r.invoice_id) as "row",
         format('was completed with invoice %s, but the invoice was replaced by %s', r.new_invoice_id,
           coalesce(i.replaced_by, 'none')) as what
       from regenerations r
       left join invoices i on i.environment_id = r.environment_id and i.id = r.invoice_id
       where r.environment_id = unit.environment_id and r.invoice_id = unit.id
         and r.status = 'done' and i.replaced_by is distinct from r.new_invoice_id`,
      ],
      // Only for customers in real time: a test clock stands still while a request waits.
      database: [
        `select format('regeneration %s of invoice %s', r.id, r.invoice_id) as "row",
         format('is pending since %s', r.requested_at) as what
       from regenerations r
       join subscriptions s on s.environment_id = r.environment_id and s.id = r.subscription_id and s.attention is null
       join customers c on c.environment_id = s.environment_id and c.id = s.customer_id and c.test_clock is null
       where r.status = 'pending' and r.requested_at < ${CUSTOMER_NOW} - ${SLACK}`,
      ],
    },
  ),
];
