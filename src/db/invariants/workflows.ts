import { oldestId } from '../../keys/ids.ts';
import type { Db } from '../connection/pool.ts';
import { byCode, codePart, type Fault, type Workflows } from './invariant.ts';
import { ONE_UNIT } from './unit.ts';

const LAG_MS = 60_000;

export const WORKFLOW_INVARIANTS = [
  {
    ...byCode(
      'I23',
      'Every active subscription has one running workflow, and every finished subscription has none, with a delay of at most one minute.',
      [
        codePart('workflows', async (db, _, { workflows, limit }) => {
          if (workflows === null) return [];
          const faults = [
            ...(await withoutWorkflow(db, workflows, limit)),
            ...(await outlived(db, workflows, limit)),
          ];
          return faults.slice(0, limit).map((fault) => ({ ...fault, unit: ONE_UNIT }));
        }),
      ],
    ),
    needs: 'workflows' as const,
  },
];

/** Page size. Temporal may be asked about each row while the transaction is idle, which is limited to 30 seconds. */
const SUBSCRIPTIONS_AT_ONCE = 500;

async function withoutWorkflow(db: Db, workflows: Workflows, limit: number): Promise<Fault[]> {
  const faults: Fault[] = [];
  let after = '';
  // Use the ids for the age of a row: a test customer's clock does not tell when the row was made.
  const made_before = oldestId('sub', Date.now() - LAG_MS);
  while (faults.length < limit) {
    const { rows } = await db.query<{ id: string }>(
      'select id from subscriptions where finished_at is null and id > $1 and id < $2 order by id limit $3',
      [after, made_before, SUBSCRIPTIONS_AT_ONCE],
    );
    for (const { id } of rows) {
      if (faults.length >= limit || workflows.running.has(id)) continue;
      if (await isMissing(id, workflows))
        faults.push({ row: `subscription ${id}`, what: 'is active but has no running workflow' });
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  return faults;
}

/**
 * Asks Temporal and the rows again, the rows last, because the list may lag and the subscription may have ended since.
 */
async function isMissing(id: string, { stateOf, now }: Workflows): Promise<boolean> {
  const state = await stateOf(id);
  if (state !== null && (state.is_running || state.for_ms < LAG_MS)) return false;
  const { rowCount } = await now.query('select from subscriptions where id = $1 and finished_at is null', [
    id,
  ]);
  return rowCount === 1;
}

async function outlived(db: Db, { running, stateOf }: Workflows, limit: number): Promise<Fault[]> {
  const faults: Fault[] = [];
  const ids = [...running];
  for (let first = 0; first < ids.length && faults.length < limit; first += SUBSCRIPTIONS_AT_ONCE) {
    const { rows } = await db.query<{ id: string }>(
      `select id from subscriptions where id = any($1) and finished_at < now() - make_interval(secs => $2)`,
      [ids.slice(first, first + SUBSCRIPTIONS_AT_ONCE), LAG_MS / 1000],
    );
    for (const { id } of rows) {
      const state = await stateOf(id);
      if (state?.is_running === true && state.for_ms >= LAG_MS)
        faults.push({ row: `subscription ${id}`, what: 'is finished but its workflow is running' });
    }
  }
  return faults.slice(0, limit);
}
