import assert from 'node:assert/strict';
import type { Json, Received, Sent } from '../servers/api.ts';
import { PER_UNIT, type testCustomersOn } from './test-customer.ts';

const PATH = '/v1/pricing-plans';

/** Versions of plans, and their archive, over HTTP. */
export function plansOn(
  { done, read }: Pick<ReturnType<typeof testCustomersOn>, 'done' | 'read'>,
  request: (path: string, sent: Sent) => Promise<Received>,
) {
  /** A plan as it is posted; without a key for null. */
  const body = (key: string | null, parts: object = {}) => ({
    ...(key === null ? {} : { key }),
    ...{ name: 'Plan', charges: [PER_UNIT] },
    ...parts,
  });
  const archive = (id: string, method = 'POST', headers: Record<string, string> = {}): Promise<Received> =>
    request(`${PATH}/${id}/archive`, { method, headers });
  return {
    body,
    version: (key: string, parts: object = {}): Promise<Json> => done(PATH, body(key, parts)),
    idsOf: async (query: string): Promise<string[]> =>
      (await read(`${PATH}?${query}`)).data.map(({ id }: Json) => id),
    archive,
    archived: async (id: string): Promise<Json> => {
      const { status, body: plan } = await archive(id);
      assert.equal(status, 200);
      return plan;
    },
  };
}
