import { pathWith, type Client } from '../../api/client.ts';
import type { TestClocks } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { useEnvironment } from '../../shell/environment.tsx';

/**
 * Returns a function that gives the now of customers, by their external ids: that of a test clock, else real time; null
 * while the clocks are not known.
 */
export function useNow(customer_ids: readonly string[]): (customer_id: string) => string | null {
  const is_live = useEnvironment() === 'live';
  const ids = JSON.stringify([...new Set(customer_ids)].sort());
  const path =
    is_live || customer_ids.length === 0
      ? null
      : pathWith('/dashboard/api/test-clocks', { customer_ids: ids });
  const found = useLoad<TestClocks>(path, clocksOf).value;
  const are_known = is_live || found !== null;
  // A Map, because an external id may be the name of a member that every object has.
  const clocks = new Map(Object.entries(found?.clocks ?? {}));
  return (customer_id) => (are_known ? (clocks.get(customer_id) ?? new Date().toISOString()) : null);
}

/** The ids are in the path so that useLoad sees when they change; the request has them in its body. */
function clocksOf(client: Client, path: string, signal: AbortSignal): Promise<TestClocks> {
  const [base = '', query = ''] = path.split('?');
  const customer_ids = JSON.parse(new URLSearchParams(query).get('customer_ids') ?? '[]');
  return client.ask(base, { customer_ids }, signal);
}
