import { insertAccount } from '../../../src/db/account/accounts.ts';
import { insertKey } from '../../../src/db/account/api-keys.ts';
import { newApiKey } from '../../../src/keys/api-key.ts';
import { requestsTo } from '../../support/ledger/test-customer.ts';
import type { Stack } from '../../support/servers/stack.ts';
import type { StripeStandIn } from '../../support/servers/stripe-stand-in.ts';
import { untilIdle } from './idle.ts';
import { newProvider, type Provider } from './payer.ts';
import type { Request } from './session.ts';

/** An account of its own, its provider, and the wait for what follows a change by itself. */
export type Account = { request: Request; provider: Provider; untilIdle: () => Promise<void> };

/** Makes an account for each life, because the months that one closes are closed for all customers of its account. */
export function accountsOn(stack: () => Stack, stripe: () => StripeStandIn): () => Promise<Account> {
  return async () => {
    const { pool } = stack();
    const { test } = await insertAccount(pool, { name: 'Lives', currency: 'USD' });
    const test_key = newApiKey(false);
    await insertKey(pool, test, { secret: test_key, name: 'Lives', kind: 'full' });
    const request = requestsTo(() => ({ api_url: stack().api_url, test_key }));
    return { request, provider: newProvider(stripe()), untilIdle: () => untilIdle(pool, test) };
  };
}
