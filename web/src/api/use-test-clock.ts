import { useClient } from '../shell/session.tsx';
import type { TestClock } from './objects.ts';

/** Where each customer's clock stood when this page last moved it: no other answer says it. */
const times = new Map<string, string>();

/** A test customer's time, as far as it is known, and a way to move it forward. */
export function useTestClock(customer_id: string): {
  time: string | null;
  /** Bills every period that ends by `to`; it may take a minute. */
  advance: (to: string) => Promise<TestClock>;
} {
  const client = useClient();
  return {
    time: times.get(customer_id) ?? null,
    advance: async (to) => {
      const clock = await client.post<TestClock>('/v1/test-clock/advance', { customer_id, to });
      times.set(customer_id, clock.now);
      return clock;
    },
  };
}
