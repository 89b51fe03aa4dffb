import { useClient } from '../shell/session.tsx';
import type { Customer, TestClock } from './objects.ts';
import { useLoad } from './use-load.ts';

/** A test customer's time, null while it is real time, and a way to move it forward. */
export function useTestClock(customer_id: string): {
  time: string | null;
  /** Bills every period that ends by `to`; it may take a minute. */
  advance: (to: string) => Promise<TestClock>;
} {
  const client = useClient();
  const { value, reload } = useLoad<Customer>(`/v1/customers/${encodeURIComponent(customer_id)}`);
  return {
    time: value?.test_clock ?? null,
    advance: async (to) => {
      const clock = await client.post<TestClock>('/v1/test-clock/advance', { customer_id, to });
      reload();
      return clock;
    },
  };
}
