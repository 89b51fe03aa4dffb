import assert from 'node:assert/strict';
import { eventually } from '../servers/eventually.ts';
import type { Json } from '../servers/api.ts';

type Read = (path: string) => Promise<Json>;

/** All changes after a number, as pages of `limit`. Asserts that their numbers have no gap, if nothing is left out. */
export async function changesAfter(read: Read, after: number, query = 'limit=1000'): Promise<Json[]> {
  const changes: Json[] = [];
  for (let from = after; ;) {
    const page = await read(`/v1/changes?after=${from}&${query}`);
    changes.push(...page['data']);
    if (page['has_more'] === false) break;
    assert.ok(page['next_after'] > from);
    from = page['next_after'];
  }
  return changes;
}

/** The changes after a number, once the last has the type. */
export function changesUpTo(read: Read, after: number, type: string): Promise<Json[]> {
  return eventually(
    () => changesAfter(read, after),
    (changes) => changes.some((change) => change['type'] === type),
  );
}

const PATHS: Readonly<Record<string, (change: Json) => string>> = {
  customer: ({ object_id }) => `/v1/customers/${object_id}`,
  pricing_plan: ({ object_id }) => `/v1/pricing-plans/${object_id}`,
  subscription: ({ object_id }) => `/v1/subscriptions/${object_id}`,
  invoice: ({ object_id }) => `/v1/invoices/${object_id}`,
  invoice_item: ({ object_id }) => `/v1/invoice-items/${object_id}`,
  discount: ({ object_id }) => `/v1/discounts/${object_id}`,
  payment: ({ object_id }) => `/v1/payments/${object_id}`,
  credit_note: ({ object_id }) => `/v1/credit-notes/${object_id}`,
  credit_grant: ({ object_id }) => `/v1/credit-grants/${object_id}`,
};

/** Members that follow the clock or other objects (docs/changes.md). */
const FOLLOWING: Readonly<Record<string, readonly string[]>> = {
  // The mode of charges may change, and a pause may end by itself.
  invoice: ['collection'],
  payment: ['refunded', 'refundable'],
  customer: ['credit_remaining', 'balance', 'test_clock', 'tax_rate'],
  subscription: ['unbilled_since'],
  invoice_item: ['status', 'invoice_id'],
  discount: ['status'],
  credit_grant: ['ledger'],
};

/** The member of a pause with a last day, whose end by itself is no change. */
function pauseThatEnds({ collection_pause }: Json): string[] {
  return collection_pause?.until ? ['collection_pause'] : [];
}

/** Asserts that the newest change of each object has what GET answers. */
export async function assertNewestIsGet(read: Read, changes: readonly Json[]): Promise<void> {
  const newest = new Map(changes.map((change) => [change['object_id'], change]));
  for (const change of newest.values()) {
    const { object_type, type, data } = change;
    const path = PATHS[object_type];
    if (path === undefined || data === null || type.endsWith('.deleted')) continue;
    const left_out =
      object_type === 'invoice' && data.status === 'draft'
        ? Object.keys(data).filter((name) => name !== 'status')
        : [...(FOLLOWING[object_type] ?? []), ...pauseThatEnds(data)];
    const shown = (object: Json) =>
      Object.fromEntries(Object.entries(object).filter(([name]) => !left_out.includes(name)));
    assert.deepEqual(shown(data), shown(await read(path(change))), `${type} ${change['object_id']}`);
  }
}
