import { bySql } from './invariant.ts';

/** SQL: the lines `l` of an invoice, each with its charge `h`. */
const LINES = `line_items l
       join charges h on h.environment_id = l.environment_id and h.id = l.charge_id
       where l.environment_id = unit.environment_id and l.invoice_id = unit.id`;

/** Stretches of fees with a quantity against their lines (billing.md 14). */
export const STRETCH_INVARIANTS = [
  bySql(
    'I59',
    'The stretches of a line follow one another from the start of its full period, at least to the end of the line; less what was billed before they sum to its amount, not below zero; and a line has some where its charge has a quantity, and there alone.',
    {
      invoice: [
        `select format('line item %s', l.id) as "row",
         format('has the stretches %s, and its charge %s the quantity %s', l.stretches, h.id,
           h.pricing ->> 'quantity') as what
       from ${LINES}
         and (l.stretches is not null) <> (h.pricing ->> 'quantity' is not null)`,
        `select format('line item %s', l.id) as "row",
         format('has the amount %s, but its stretches sum to %s, of which %s are billed before', l.amount, s.sum,
           l.billed_before) as what
       from (select l.* from ${LINES} and l.stretches is not null) as l
       cross join lateral (
         select sum((stretch ->> 'amount')::numeric) as sum from jsonb_array_elements(l.stretches) as stretch) as s
       where greatest(s.sum - l.billed_before, 0) is distinct from l.amount`,
        `select format('line item %s', l.id) as "row",
         format('has a stretch from %s to %s after one up to %s', s.begins_at, s.ends_at, s.before) as what
       from (select l.* from ${LINES} and l.stretches is not null) as l
       cross join lateral (
         select begins_at, ends_at, coalesce(lag(ends_at) over stretches, l.full_period_start) as before,
           row_number() over stretches = count(*) over () as is_last
         from (
           select place, (stretch ->> 'period_start')::timestamptz as begins_at,
             (stretch ->> 'period_end')::timestamptz as ends_at
           from jsonb_array_elements(l.stretches) with ordinality as x(stretch, place)) as y
         window stretches as (order by place)) as s
       where s.begins_at <> s.before or s.ends_at <= s.begins_at or s.is_last and s.ends_at < l.period_end`,
      ],
    },
  ),
];
