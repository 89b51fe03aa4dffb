import { isByProvider } from '../invoicing/refunded.ts';
import { bySql } from './invariant.ts';

/** SQL: refunds and disputes of the customer of a unit, as rows `t`. */
const TAKEN_BACK = `(
         select f.id, f.charge_reference, f.payment_id, f.currency, f.taken_amount, f.fault,
           f.credit_note_id is null and f.provider_reference is not null and f.status <> 'failed' as is_taken
         from payment_refunds f where f.environment_id = unit.environment_id and f.customer_id = unit.id
         union all
         select d.id, d.charge_reference, d.payment_id, d.currency, d.taken_amount, d.fault, d.status in ('open', 'lost')
         from payment_disputes d where d.environment_id = unit.environment_id and d.customer_id = unit.id) as t`;

/** Refunds and disputes of charges. */
export const PAYMENT_REFUND_INVARIANTS = [
  bySql(
    'I72',
    'A refund or a dispute is booked exactly while its money is away, or says why it cannot be; what it has taken is what it has reversed less what it has paid again.',
    {
      customer: [
        `select t.id as "row", format('has taken %s, and reversed %s', coalesce(t.taken_amount, 0), b.amount) as what
       from ${TAKEN_BACK}
       cross join lateral (
         select coalesce(sum(case when p.reversed_by = t.id then p.amount else 0 end)
           - sum(case when p.created_by = t.id then p.amount else 0 end), 0) as amount
         from payments p
         where p.environment_id = unit.environment_id and p.customer_id = unit.id
           and t.id in (p.reversed_by, p.created_by)) as b
       where coalesce(t.taken_amount, 0) <> b.amount`,
        `select t.id as "row", format('is away: %s, and has taken %s', t.is_taken, t.taken_amount) as what
       from ${TAKEN_BACK}
       where t.is_taken and t.taken_amount is null and t.fault is null or not t.is_taken and t.taken_amount > 0`,
      ],
    },
  ),
  bySql('I73', 'The refunds of a charge that have not failed add up to at most what it has charged.', {
    customer: [
      `select format('charge %s', f.charge_reference) as "row",
         format('%s are refunded of %s', f.amount, p.amount) as what
       from (
         select charge_reference, sum(amount) as amount from payment_refunds
         where environment_id = unit.environment_id and customer_id = unit.id and status <> 'failed'
         group by charge_reference) as f
       join payments p on p.environment_id = unit.environment_id and p.reference = f.charge_reference
         and p.created_by ~ '^(pat|pys|pp)_'
       where f.amount > p.amount`,
    ],
  }),
  bySql(
    'I74',
    'A refund or a dispute is of a payment of its customer and its charge that the provider made, in the currency of the customer.',
    {
      customer: [
        `select t.id as "row", format('is of %s of the charge %s', p.id, p.reference) as what
       from ${TAKEN_BACK}
       join payments p on p.environment_id = unit.environment_id and p.id = t.payment_id
       join customers c on c.environment_id = unit.environment_id and c.id = unit.id
       where p.customer_id <> c.id or p.reference is distinct from t.charge_reference or c.currency <> t.currency
         or not ${isByProvider('p')}`,
      ],
    },
  ),
  bySql('I75', 'A pause of an invoice that a refund or a dispute made has one of this invoice that stands.', {
    invoice: [
      `select format('invoice %s', i.id) as "row",
         format('is paused by %s', i.collection_pause ->> 'created_by') as what
       from invoices i
       where i.environment_id = unit.environment_id and i.id = unit.id
         and i.collection_pause ->> 'created_by' ~ '^(prf|pdp)_'
         and not exists (select from payment_refunds f
           where f.environment_id = i.environment_id and f.invoice_id = i.id and f.taken_amount > 0)
         and not exists (select from payment_disputes d
           where d.environment_id = i.environment_id and d.invoice_id = i.id and d.status <> 'won')`,
    ],
  }),
];
