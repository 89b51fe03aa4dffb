import { bySql } from './invariant.ts';

const PLAN = 'k.environment_id = i.environment_id and k.invoice_id = i.id';
const ATTEMPT = 'a.environment_id = i.environment_id and a.invoice_id = i.id';
const OF_INVOICE = 'i.environment_id = unit.environment_id and i.id = unit.id';

/** Plans of charges. */
export const COLLECTION_INVARIANTS = [
  bySql(
    'I68',
    'An invoice with an attempt has a plan of its customer with the number of its attempts, which is charging while one is pending, processing while one is, and neither otherwise.',
    {
      invoice: [
        `select format('invoice %s', i.id) as "row",
         format('has %s attempts, of which %s is open, and its plan is %s after %s', s.attempts,
           coalesce(s.open, 'none'), coalesce(k.status, 'absent'), k.attempts) as what
       from invoices i
       cross join lateral (
         select count(*) as attempts, min(case a.status when 'pending' then 'charging' when 'processing' then a.status end)
           as open
         from payment_attempts a where ${ATTEMPT}) as s
       left join collections k on ${PLAN}
       where ${OF_INVOICE} and (k.invoice_id is not null or s.attempts > 0)
         and (k.attempts is distinct from s.attempts or k.customer_id <> i.customer_id
           or s.open is distinct from case when k.status in ('charging', 'processing') then k.status end)`,
      ],
    },
  ),
  bySql('I69', 'A plan is of an issued invoice, and its next charge is never before its first one.', {
    invoice: [
      `select format('invoice %s', i.id) as "row",
         format('has the number %s, and is planned for %s after %s', i.number, k.next_attempt_at, k.first_at) as what
       from collections k join invoices i on ${PLAN}
       where ${OF_INVOICE} and (i.number is null or k.next_attempt_at < k.first_at)`,
    ],
  }),
];
