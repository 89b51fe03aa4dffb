import type { Json } from './api.ts';
import { eventually } from './eventually.ts';
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
