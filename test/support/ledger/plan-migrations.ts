import assert from 'node:assert/strict';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { migrationWorkflowIdOf } from '../../../workflows/messages.ts';
import type { Json } from '../servers/api.ts';
import { eventually } from '../servers/eventually.ts';
import type { Stack } from '../servers/stack.ts';
import type { testCustomersOn } from './test-customer.ts';

/** Plan migrations over HTTP. */
export function planMigrationsOn({ read, done }: Pick<ReturnType<typeof testCustomersOn>, 'read' | 'done'>) {
  const path = (id: string) => `/v1/plan-migrations/${id}`;
  const finished = (id: string, limit_ms?: number): Promise<Json> =>
    eventually(
      () => read(path(id)),
      ({ finished_at }) => finished_at !== null,
      limit_ms,
    );
  return {
    path,
    /** Waits until nothing is left to do of a migration, and returns it. */
    finished,
    /** Creates a migration, and waits for its end. */
    migrated: async (body: object): Promise<Json> =>
      finished((await done('/v1/plan-migrations', body))['id']),
    /** The outcomes by subscription: status and reason. */
    outcomesOf: async (id: string, query = ''): Promise<Map<string, [string, string | null]>> => {
      const { data } = await read(`${path(id)}/outcomes?limit=100${query}`);
      return new Map(data.map((one: Json) => [one['subscription_id'], [one['status'], one['reason']]]));
    },
    countsOf: ({ total, changed, skipped, failed, taken_back }: Json) => [
      ...[total, changed, skipped, failed, taken_back],
    ],
  };
}

/** Makes a subscription `count` ones of as many customers. */
export async function copySubscription(pool: Pool, id: string, count: number): Promise<void> {
  await pool.query(
    `with made as (
       insert into customers (environment_id, id, external_id, currency, metadata, created_at)
       select c.environment_id, c.id || n, c.external_id || '-' || n, c.currency, c.metadata, c.created_at
       from subscriptions s join customers c on c.id = s.customer_id, generate_series(2, $2) as n where s.id = $1
       returning environment_id, id
     ), subscription as (
       insert into subscriptions select (jsonb_populate_record(s, jsonb_build_object(
         'id', s.id || n, 'customer_id', s.customer_id || n))).*
       from subscriptions s, generate_series(2, $2) as n where s.id = $1 returning environment_id, id
     )
     insert into periods select (jsonb_populate_record(p, jsonb_build_object('subscription_id', p.subscription_id || n))).*
     from periods p, generate_series(2, $2) as n where p.subscription_id = $1`,
    [id, count],
  );
}

/** The number of changes to a plan, at most one for each subscription. */
export async function changesTo(pool: Pool, plan_id: string): Promise<number> {
  const { rows } = await pool.query<{ changes: number; subscriptions: number }>(
    `select count(*)::integer as changes, count(distinct subscription_id)::integer as subscriptions
     from plan_changes where plan_id = $1`,
    [plan_id],
  );
  assert.equal(rows[0]!.changes, rows[0]!.subscriptions, 'each subscription is changed once');
  return rows[0]!.changes;
}

/** The states of the runs of a migration's workflow, in the order of their names. */
export async function runsOf({ temporal }: Pick<Stack, 'temporal'>, id: string): Promise<string[]> {
  const query = `WorkflowId = '${migrationWorkflowIdOf(id)}'`;
  const names: string[] = [];
  for await (const { status } of temporal.client.workflow.list({ query })) names.push(status.name);
  return names.toSorted();
}
