import { ERASED_DISCOUNT_NAME } from '../../domain/people/redaction.ts';
import { bySql } from './invariant.ts';

/** SQL: the percents of the line, an array of texts. */
export function percentsOf(line: string): string {
  return `array(select discount ->> 'percent' from jsonb_array_elements(${line}.discounts) as discount)`;
}

/** SQL: the issued lines `l` of charges in a full period, with their invoices `i`. */
const ISSUED_LINES = `line_items l
       join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status in ('open', 'paid')`;

const OF_FULL_PERIOD = `l.environment_id = unit.environment_id and l.subscription_id = unit.subscription_id
         and l.full_period_start = unit.full_period_start`;

/** Agreement of the discounts of lines with each other, and with the discounts of their customer. */
export const DISCOUNT_INVARIANTS = [
  bySql(
    'I56',
    'The issued lines of a charge and full period have equal discounts, each one of their customer, of all its subscriptions or of theirs, with its percent and its name, unless the name was erased since.',
    {
      full_period: [
        `select format('line items %s', string_agg(l.id, ', ' order by l.id)) as "row",
         format('of charge %s have the discounts %s', l.charge_id,
           string_agg(distinct ids.of_line::text, ' and ')) as what
       from ${ISSUED_LINES}
       cross join lateral (
         select array(select discount ->> 'discount_id' from jsonb_array_elements(l.discounts) as discount) as of_line
       ) as ids
       where ${OF_FULL_PERIOD} and l.charge_id is not null
       group by l.charge_id having count(distinct ids.of_line) > 1`,
        `select format('line item %s', l.id) as "row",
         format('has the discount %s of %s percent, which its subscription %s has not',
           said ->> 'discount_id', said ->> 'percent', l.subscription_id) as what
       from ${ISSUED_LINES}
       cross join lateral jsonb_array_elements(l.discounts) as said
       where ${OF_FULL_PERIOD} and not exists (
         select from discounts d
         where d.environment_id = l.environment_id and d.id = said ->> 'discount_id' and d.customer_id = i.customer_id
           and coalesce(d.subscription_id = l.subscription_id, true)
           and trim_scale(d.percent)::text is not distinct from said ->> 'percent'
           and d.name in (said ->> 'name', '${ERASED_DISCOUNT_NAME}'))`,
      ],
      customer: [
        `select format('discount %s', d.id) as "row",
         format('is of customer %s, its subscription %s of %s', d.customer_id, s.id, s.customer_id) as what
       from discounts d join subscriptions s on s.environment_id = d.environment_id and s.id = d.subscription_id
       where d.environment_id = unit.environment_id and d.customer_id = unit.id and s.customer_id <> d.customer_id`,
      ],
    },
  ),
];
