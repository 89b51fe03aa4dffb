import type { Db } from '../connection/pool.ts';

/** Kinds of what is compared with a provider at night, in this order: a refund needs its charge. */
export const COMPARED = ['charge', 'refund', 'dispute'] as const;
export type Compared = (typeof COMPARED)[number];

/** Place of the comparison of an environment with its provider: `after_reference` is null at the begin of a kind. */
export type Comparison = {
  environment_id: number;
  provider_id: string;
  kind: Compared;
  since: string;
  after_reference: string | null;
};

/** SQL: two in the night, UTC, after now. */
const NEXT_NIGHT = `date_trunc('day', now() + interval '22 hours', 'UTC') + interval '2 hours'`;
/** SQL: three days before an instant. */
const sinceOf = (instant: string) => `${instant} - interval '3 days'`;

/** Gives each provider that has no place yet its first one, in the next night. */
export async function beginComparisons(db: Db): Promise<void> {
  await db.query(
    `insert into provider_comparisons (environment_id, provider_id, since, next_at)
     select environment_id, id, ${sinceOf(NEXT_NIGHT)}, ${NEXT_NIGHT} from payment_providers p
     where p.deleted_at is null and not exists (select from provider_comparisons k
       where k.environment_id = p.environment_id and k.provider_id = p.id)
     on conflict do nothing`,
  );
}

/** Places whose turn it is, the oldest first. */
export async function dueComparisons(db: Db, limit: number): Promise<Comparison[]> {
  const { rows } = await db.query<Comparison>(
    `select k.environment_id, k.provider_id, k.kind, k.since, k.after_reference from provider_comparisons k
     join payment_providers p on p.environment_id = k.environment_id and p.id = k.provider_id
     where k.next_at <= now() and p.deleted_at is null order by k.next_at limit $1`,
    [limit],
  );
  return rows;
}

/** Moves a place behind a page, or to the next kind, at once. */
export async function moveComparison(
  db: Db,
  { environment_id, provider_id }: Comparison,
  { kind, after_reference }: Pick<Comparison, 'kind' | 'after_reference'>,
): Promise<void> {
  await db.query(
    `update provider_comparisons set kind = $3, after_reference = $4
     where environment_id = $1 and provider_id = $2`,
    [environment_id, provider_id, kind, after_reference],
  );
}

/** Ends the comparison of a night: the next one is of the three days before the next night. */
export async function endComparison(db: Db, { environment_id, provider_id }: Comparison): Promise<void> {
  await db.query(
    `update provider_comparisons set kind = 'charge', after_reference = null, since = ${sinceOf(NEXT_NIGHT)},
       next_at = ${NEXT_NIGHT}
     where environment_id = $1 and provider_id = $2`,
    [environment_id, provider_id],
  );
}

/** Has the comparison go on at the same place after some seconds. */
export async function putOffComparison(
  db: Db,
  { environment_id, provider_id }: Comparison,
  seconds: number,
): Promise<void> {
  await db.query(
    `update provider_comparisons set next_at = now() + make_interval(secs => $3)
     where environment_id = $1 and provider_id = $2`,
    [environment_id, provider_id, seconds],
  );
}
