import { bySql } from './invariant.ts';

/**
 * SQL: what the outcomes of the migration `m` come to. The pass that takes changes back begins with the first
 * subscription again.
 */
const OUTCOMES = `
  select count(*) as total, count(*) filter (where status = 'changed') as changed,
    count(*) filter (where status = 'skipped') as skipped, count(*) filter (where status = 'failed') as failed,
    count(*) filter (where status = 'taken_back') as taken_back,
    count(*) filter (where (status is null) = (subscription_id <= m.reached)) as misplaced,
    count(*) filter (where status is null) as missing
  from plan_migration_outcomes where environment_id = m.environment_id and migration_id = m.id`;

const COUNTS = ['total', 'changed', 'skipped', 'failed', 'taken_back'];
const countsOf = (row: string) => COUNTS.map((count) => `${row}.${count}`).join(', ');

const OF_MIGRATION = `
  from plan_migrations m cross join lateral (${OUTCOMES}) as o
  where m.environment_id = unit.environment_id and m.id = unit.id`;

/** Agreement of plan migrations with their outcomes. */
export const PLAN_MIGRATION_INVARIANTS = [
  bySql(
    'I50',
    'A plan migration counts the outcomes that it has, and has one for each subscription up to the one that it has reached, for all once it is done.',
    {
      plan_migration: [
        `select format('plan migration %s', m.id) as "row",
           format('counts %s in all, changed, skipped, failed and taken back, and has %s',
             concat_ws('/', ${countsOf('m')}), concat_ws('/', ${countsOf('o')})) as what
         ${OF_MIGRATION} and (${countsOf('m')}) <> (${countsOf('o')})`,
        `select format('plan migration %s', m.id) as "row",
           format('is %s, has reached %s, and lacks or has too early %s outcomes', m.status,
             coalesce(nullif(m.reached, ''), 'none'), case m.status when 'done' then o.missing else o.misplaced end)
             as what
         ${OF_MIGRATION} and (m.status in ('running', 'stopped') and o.misplaced > 0
           or m.status = 'done' and o.missing > 0)`,
      ],
    },
  ),
];
