import type { Customer } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Time } from '../../components/values.tsx';
import { useEnvironment } from '../../shell/environment.tsx';

/**
 * Says that a test clock is ahead of real time, and so are the dates of all objects of its customer. `time` is null
 * without a clock.
 */
export function ClockAhead({ time }: { time: string | null }) {
  if (time === null || time <= new Date().toISOString()) return null;
  return (
    <p class="clock-ahead" role="note">
      <strong>Ahead of real time.</strong> The test clock of this customer is at <Time at={time} />, and all
      dates here go by it.
    </p>
  );
}

/** Says so of the customer of an object, by either of its ids. */
export function ClockOfCustomer({ id }: { id: string }) {
  const is_test = useEnvironment() === 'test';
  const loaded = useLoad<Customer>(is_test ? `/v1/customers/${encodeURIComponent(id)}` : null);
  return <ClockAhead time={loaded.value?.test_clock ?? null} />;
}
