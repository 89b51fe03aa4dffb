import { bySql } from './invariant.ts';

const OF_CUSTOMER = 'y.environment_id = unit.environment_id and y.customer_id = unit.id';

/** Pages on which invoices are paid, and their payments. */
export const PAYMENT_PAGE_INVARIANTS = [
  bySql(
    'I70',
    'A payment session that is paid has one payment, which it made or which was found at the provider, of its customer, of its invoice or in advance; and no other payment is by a payment session.',
    {
      customer: [
        `select format('payment session %s', y.id) as "row",
         format('is paid with %s, which is by %s', y.payment_id, p.created_by) as what
       from payment_pages y
       join payments p on p.environment_id = y.environment_id and p.id = y.payment_id
       where ${OF_CUSTOMER}
         and (p.created_by <> y.id and p.created_by !~ '^(pat|pp)_' or p.customer_id <> y.customer_id
           or p.invoice_id <> y.invoice_id)`,
        `select format('payment %s', p.id) as "row", format('is by %s, which has another one', p.created_by) as what
       from payments p
       left join payment_pages y on y.environment_id = p.environment_id and y.id = p.created_by
       where p.environment_id = unit.environment_id and p.customer_id = unit.id and p.created_by like 'pys\\_%'
         and y.payment_id is distinct from p.id`,
      ],
    },
  ),
  bySql(
    'I71',
    'A payment session is of an issued invoice of its customer, in its currency; none is open beside an open attempt.',
    {
      customer: [
        `select format('payment session %s', y.id) as "row",
         format('is of %s in %s, and the invoice of %s in %s', y.customer_id, y.currency, i.customer_id, i.currency)
           as what
       from payment_pages y
       join invoices i on i.environment_id = y.environment_id and i.id = y.invoice_id
       where ${OF_CUSTOMER}
         and (i.customer_id <> y.customer_id or i.currency <> y.currency or i.number is null)`,
        `select format('payment session %s', y.id) as "row", format('is open beside %s', a.id) as what
       from payment_pages y
       join payment_attempts a on a.environment_id = y.environment_id and a.invoice_id = y.invoice_id
       where ${OF_CUSTOMER} and y.status = 'open' and a.status in ('pending', 'processing')`,
      ],
    },
  ),
];
