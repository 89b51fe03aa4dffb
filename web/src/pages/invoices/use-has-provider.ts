import type { List } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';

/** Whether the environment has a payment provider; false until that is known. */
export function useHasProvider(): boolean {
  const providers = useLoad<List<object>>('/v1/payment-providers').value?.data ?? [];
  return providers.length > 0;
}
