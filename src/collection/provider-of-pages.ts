import { findReference, keepReference } from '../db/collection/provider-customers.ts';
import { conflict } from '../domain/money/errors.ts';
import type { Customer } from '../objects/customer.ts';
import { askProvider, openProvider, type Collector, type OpenedProvider } from './opened.ts';

/** The provider that makes the pages of an environment. Throws conflict `no_payment_provider`. */
export async function providerOfPages(collector: Collector, environment_id: number): Promise<OpenedProvider> {
  const opened = await openProvider(collector, environment_id);
  if (opened === null) throw conflict(null, 'no_payment_provider', 'the environment has no payment provider');
  return opened;
}

/** The id of a customer at the provider, made there before its first page. */
export async function referenceOf(
  { pool }: Pick<Collector, 'pool'>,
  opened: OpenedProvider,
  { id: customer_id, name, email }: Customer,
): Promise<string> {
  const { environment_id, id: provider_id } = opened.access;
  const stored = await findReference(pool, environment_id, { provider_id, customer_id });
  if (stored !== null) return stored;
  const reference = await askProvider({ pool }, opened, (provider) =>
    provider.createCustomer({ customer_id, name, email }),
  );
  return keepReference(pool, environment_id, { provider_id, customer_id, reference });
}
