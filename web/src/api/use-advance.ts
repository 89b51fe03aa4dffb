import { useClient } from '../shell/session.tsx';
import type { TestClock } from './objects.ts';

/** Moves a test customer's time forward, which bills every period that ends by then; it may take a minute. */
export function useAdvance(customer_id: string): (to: string) => Promise<TestClock> {
  const client = useClient();
  return (to) => client.post<TestClock>('/v1/test-clock/advance', { customer_id, to });
}
