import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { NOTICE_DAYS_MAX } from '../account/accounts.ts';
import { bySql } from './invariant.ts';

/**
 * The newest numbers of each feed that a check looks at: it runs often enough to see each number while it is one of
 * them.
 */
const LOOKED_AT = 100_000;

/** SQL: the newest rows of the feed of the environment `f`, with the number before each. */
const NEWEST = `
  select w.*, lag(w.sequence) over (order by w.sequence) as before from feed w
  where w.environment_id = f.environment_id and w.sequence > f.last_sequence - ${LOOKED_AT}`;

/** SQL: the date `told` is further ahead of the customer `c` than any notice. */
const IS_TOO_EARLY = `told.date > ${CUSTOMER_NOW} + ${NOTICE_DAYS_MAX} * interval '24 hours' + interval '1 minute'`;

/** The feed of changes, and its deliveries to webhook endpoints. */
export const FEED_INVARIANTS = [
  bySql(
    'I46',
    'The numbers of a feed have no gap but before a change that tells of a restore, and its last number has a row.',
    {
      database: [
        `select format('feed %s, sequence %s', f.environment_id, w.sequence) as "row",
         format('follows %s', w.before) as what
       from unit cross join feeds f cross join lateral (${NEWEST}) as w
       where w.before < w.sequence - 1 and w.type <> 'feed.restored'`,
        `select format('feed %s', f.environment_id) as "row",
         format('ends with %s, and the last number is %s', n.newest, f.last_sequence) as what
       from unit cross join feeds f cross join lateral (
         select max(sequence) as newest from feed where environment_id = f.environment_id) as n
       where n.newest <> f.last_sequence`,
      ],
    },
  ),
  bySql(
    'I47',
    'An endpoint has open deliveries of changes up to its place alone, none once it is deleted, and one that counts as delivered was answered.',
    {
      database: [
        `select format('delivery %s', d.id) as "row", format('of change %s, and its endpoint is at %s%s', d.sequence,
           e.taken_up_to, case when e.deleted_at is not null then ', deleted' end) as what
         from unit cross join webhook_deliveries d
         join webhook_endpoints e on e.environment_id = d.environment_id and e.id = d.endpoint_id
         where d.status in ('pending', 'failing') and d.sequence is not null
           and (d.sequence > e.taken_up_to or e.deleted_at is not null)`,
        `select format('delivery %s', d.id) as "row", 'is delivered, and no answer of 200 to 299 is stored' as what
         from unit cross join webhook_deliveries d
         where d.status = 'delivered' and (d.attempts < 1 or d.attempts = 1
           and (d.response_status is null or d.response_status not between 200 and 299))`,
      ],
    },
  ),
  bySql(
    'I53',
    'A notice is told at most 60 days before its date, and where the end of an open period is noted, the subscription has told it or ends by then.',
    {
      subscription: [
        `select format('subscription %s', s.id) as "row", format('has told %s', told.date) as what
         from unit
         join subscriptions s on s.environment_id = unit.environment_id and s.id = unit.id
         join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
         cross join lateral (values (s.noted_renewal), (s.noted_trial_end)) as told(date)
         where ${IS_TOO_EARLY}`,
        `select format('period of subscription %s from %s', s.id, p.period_start) as "row",
           format('has the end %s noted, and its subscription has not told it', p.period_end) as what
         from unit
         join subscriptions s on s.environment_id = unit.environment_id and s.id = unit.id
         join periods p on p.environment_id = s.environment_id and p.subscription_id = s.id and p.closed_at is null
         where p.end_noted and p.kind <> 'late' and coalesce(s.cancel_at > p.period_end, true)
           and p.period_end is distinct from case p.kind when 'trial' then s.noted_trial_end else s.noted_renewal end`,
      ],
      grant: [
        `select format('credit grant %s', g.id) as "row", format('has told %s', told.date) as what
         from unit
         join credit_grants g on g.environment_id = unit.environment_id and g.id = unit.id
         join customers c on c.environment_id = g.environment_id and c.id = g.customer_id
         cross join lateral (values (g.noted_expiry)) as told(date)
         where ${IS_TOO_EARLY}`,
      ],
    },
  ),
];
