import { bySql } from './invariant.ts';

const OF_CUSTOMER = 'a.environment_id = unit.environment_id and a.customer_id = unit.id';

/** Charges and their payments. */
export const PAYMENT_ATTEMPT_INVARIANTS = [
  bySql(
    'I66',
    'An attempt that succeeded has one payment, which it made, of its amount and its customer, of its invoice or in advance; and no other payment is by an attempt.',
    {
      customer: [
        `select format('attempt %s', a.id) as "row",
         format('succeeded with %s, and its payment %s is of %s', a.amount, a.payment_id, p.amount) as what
       from payment_attempts a
       join payments p on p.environment_id = a.environment_id and p.id = a.payment_id
       where ${OF_CUSTOMER}
         and (p.created_by is distinct from a.id or p.amount <> a.amount or p.customer_id <> a.customer_id
           or p.invoice_id <> a.invoice_id)`,
        `select format('payment %s', p.id) as "row", format('is by %s, which has another one', p.created_by) as what
       from payments p
       left join payment_attempts a on a.environment_id = p.environment_id and a.id = p.created_by
       where p.environment_id = unit.environment_id and p.customer_id = unit.id and p.created_by like 'pat\\_%'
         and a.payment_id is distinct from p.id`,
      ],
    },
  ),
  bySql(
    'I67',
    'An attempt charges an invoice of its customer in its currency, with a method of its customer at its provider.',
    {
      customer: [
        `select format('attempt %s', a.id) as "row",
         format('charges %s in %s with %s of %s', a.invoice_id, a.currency, a.payment_method_id, m.customer_id) as what
       from payment_attempts a
       join invoices i on i.environment_id = a.environment_id and i.id = a.invoice_id
       join payment_methods m on m.environment_id = a.environment_id and m.id = a.payment_method_id
       where ${OF_CUSTOMER}
         and (i.customer_id <> a.customer_id or i.currency <> a.currency or i.number is null
           or m.customer_id <> a.customer_id or m.provider_id <> a.provider_id)`,
      ],
    },
  ),
];
