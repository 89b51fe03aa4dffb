import { ERASED_DESCRIPTION } from '../../domain/people/redaction.ts';
import { bySql } from './invariant.ts';

const OF_ITEM = 'x.environment_id = unit.environment_id and x.id = unit.id';

/** SQL: the item `x` lost its description in an erasure, after which its line on the issued invoice `i` keeps it. */
const IS_ERASED = `x.description = '${ERASED_DESCRIPTION}' and i.number is not null and exists (
           select from redactions r where r.environment_id = x.environment_id and r.customer_id = x.customer_id)`;

/** Agreement of invoice items with the lines that bill them. */
export const INVOICE_ITEM_INVARIANTS = [
  bySql(
    'I42',
    'An invoice item is on at most one invoice that is not void, on none once it is deleted, and its line on an issued one says what the item says, unless the description of the item was erased since the issue.',
    {
      item: [
        `select format('invoice item %s', x.id) as "row",
         format('is on the invoices %s%s', string_agg(i.id, ', ' order by i.id),
           case when x.deleted_at is not null then ', but deleted' end) as what
       from invoice_items x
       join line_items l on l.environment_id = x.environment_id and l.invoice_item_id = x.id
       join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
       where ${OF_ITEM}
       group by x.environment_id, x.id
       having count(*) > 1 or x.deleted_at is not null`,
        `select format('line item %s', l.id) as "row",
         format('says %s, quantity %s, amount %s; its item %s says %s, %s, %s', l.description, l.quantity, l.amount,
           x.id, x.description, x.quantity, x.amount) as what
       from invoice_items x join line_items l on l.environment_id = x.environment_id and l.invoice_item_id = x.id
       join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id
       where ${OF_ITEM}
         and (i.status in ('open', 'paid')
             and (l.quantity, l.unit_amount, l.amount) is distinct from (x.quantity, x.unit_amount, x.amount)
           or l.description <> x.description and not (${IS_ERASED}))`,
        `select format('invoice item %s', id) as "row",
         format('has the amount %s, but %s at %s each', amount, quantity, unit_amount) as what
       from invoice_items x where ${OF_ITEM} and amount <> round(quantity * unit_amount, scale(amount))`,
      ],
    },
  ),
];
