import { bySql } from './invariant.ts';

/** Agreement of invoices with their payments. */
export const PAYMENT_INVARIANTS = [
  bySql(
    'I36',
    'The payments of an invoice that were not reversed add up to its amount paid.',
    `select format('invoice %s', i.id) as "row",
         format('is %s with %s paid, but its payments add up to %s', i.status, i.amount_paid, coalesce(sum(p.amount), 0)) as what
       from invoices i
       left join payments p on p.environment_id = i.environment_id and p.invoice_id = i.id and p.reversed_at is null
       group by i.environment_id, i.id
       having i.amount_paid <> coalesce(sum(p.amount), 0)`,
  ),
];
