import { useClient } from '../shell/session.tsx';
import { pathWith } from './client.ts';
import type { List, Subscription, TestClock } from './objects.ts';

/** A moved clock, and the customer's subscriptions that need a person afterwards. */
export type Advance = TestClock & { stopped: Subscription[] };

/** Moves a test customer's clock forward, which bills every period that has ended by then. May take a minute. */
export function useAdvance(customer_id: string): (to: string) => Promise<Advance> {
  const client = useClient();
  return async (to) => {
    const moved = await client.post<TestClock>('/v1/test-clock/advance', {
      customer_id,
      to,
    });
    // The clock moves on even if a subscription cannot be billed: fetch those that need a person.
    const { data: stopped } = await client.get<List<Subscription>>(
      pathWith('/v1/subscriptions', { customer_id, attention: 'true', limit: '200' }),
    );
    return { ...moved, stopped };
  };
}
