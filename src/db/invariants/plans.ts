import { bySql } from './invariant.ts';

/** Agreement of the versions of a plan with each other. */
export const PLAN_INVARIANTS = [
  bySql('I49', 'The versions of a key of plans run from 1 without gaps, and have one currency.', {
    plan_key: [
      `select format('pricing plan %s', id) as "row",
         format('is version %s of %s, in %s, after version %s in %s', version, key, currency,
           coalesce(version_before, 0), coalesce(currency_before, currency)) as what
       from (
         select p.id, p.key, p.version, p.currency,
           lag(p.version) over (order by p.version, p.id) as version_before,
           lag(p.currency) over (order by p.version, p.id) as currency_before
         from plans p where p.environment_id = unit.environment_id and p.key = unit.id) as v
       where version <> coalesce(version_before, 0) + 1 or currency <> currency_before`,
    ],
  }),
];
