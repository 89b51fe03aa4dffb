import { patternsOf, textOfFields } from '../../domain/people/search-text.ts';
import type { Db } from '../connection/pool.ts';
import { listedFor, readPlans, type PlanFilter } from './plans.ts';
import type { Plan } from '../../objects/plan.ts';

type NamedPlan = Pick<Plan, 'id' | 'name' | 'key' | 'version'>;

/** Limit of the plans that one search looks at. */
export const PLANS_SEARCHED_MAX = 10_000;
const SLICE = 1000;

/** A page of a list of plans: those with an id below `before`. */
type PlanPage = PlanFilter & { before: string | null; limit: number };

/**
 * Plans that have the words as their id, or each of the words as a part of their name, key or `version 2`, newest
 * first. People make plans, so there are few: their names are read and compared here, at most PLANS_SEARCHED_MAX of
 * them, without an index.
 */
export async function searchPlans(
  db: Db,
  environment_id: number,
  { words, limit, ...page }: PlanPage & { words: string },
): Promise<Plan[]> {
  const pattern = patternsOf(words).at(-1);
  if (pattern === undefined) return [];
  const isFound = ({ id, name, key, version }: NamedPlan) => {
    const text = textOfFields([name, key, version === null ? null : `version ${version}`]);
    return id === words.trim() || pattern.every((part) => text.includes(part));
  };
  const ids: string[] = [];
  let { before } = page;
  for (let read = 0; read < PLANS_SEARCHED_MAX && ids.length < limit; read += SLICE) {
    const slice = await namesOfPlans(db, environment_id, { ...page, before, limit: SLICE });
    ids.push(...slice.filter(isFound).map(({ id }) => id));
    if (slice.length < SLICE) break;
    before = slice.at(-1)!.id;
  }
  const page_ids = ids.slice(0, limit);
  const plans = await readPlans(db, environment_id, page_ids);
  return plans.sort((a, b) => page_ids.indexOf(a.id) - page_ids.indexOf(b.id));
}

async function namesOfPlans(
  db: Db,
  environment_id: number,
  { key, customer_id, is_archived, before, limit }: PlanPage,
): Promise<NamedPlan[]> {
  const { rows } = await db.query<NamedPlan>(
    `select p.id, p.name, p.key, p.version from plans p
     where p.environment_id = $1 and ($2::text is null or p.id < $2)
       and ($3::text is null or p.key = $3) and ($4::boolean is null or (p.archived_at is not null) = $4)
       and ${listedFor(customer_id, '$6')}
     order by p.id desc limit $5`,
    [environment_id, before, key, is_archived, limit, customer_id],
  );
  return rows;
}
