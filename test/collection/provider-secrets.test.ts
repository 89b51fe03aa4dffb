import assert from 'node:assert/strict';
import { sealedOf, secretsOf } from '../../src/collection/provider-secrets.ts';
import type { ProviderAccess } from '../../src/db/collection/providers.ts';
import type { SigningSecrets } from '../../src/settings/signing-secrets.ts';

const OLD: SigningSecrets = ['the first value of a test'];
const BOTH: SigningSecrets = ['the second value of a test', OLD[0]];
const NEW: SigningSecrets = [BOTH[0]];

/** A provider whose secrets are sealed under a value. */
function accessUnder(secrets: SigningSecrets): ProviderAccess {
  const id = 'pp_1';
  return {
    environment_id: 1,
    livemode: false,
    id,
    kind: 'stripe',
    account: 'acct_1',
    status: 'active',
    secret_key: sealedOf('sk_test_1', { id, use: 'key', secrets }),
    webhook_secret: sealedOf('whsec_2', { id, use: 'webhook', secrets }),
    previous_webhook_secret: sealedOf('whsec_1', { id, use: 'webhook', secrets }),
    webhook_reference: null,
  };
}

describe('secrets of payment providers', () => {
  it('are read under the value that sealed them, and stay', () => {
    const read = secretsOf(accessUnder(OLD), OLD);
    assert.deepEqual(read, {
      secret_key: 'sk_test_1',
      webhook_secrets: ['whsec_2', 'whsec_1'],
      sealed_anew: null,
    });
  });

  it('are sealed anew after a rotation of TIDEMARK_SECRET, all of them', () => {
    const access = accessUnder(OLD);
    const rotated = secretsOf(access, BOTH)!;
    assert.equal(rotated.secret_key, 'sk_test_1');
    const after = secretsOf({ ...access, ...rotated.sealed_anew }, NEW);
    assert.deepEqual(after, {
      secret_key: 'sk_test_1',
      webhook_secrets: ['whsec_2', 'whsec_1'],
      sealed_anew: null,
    });
  });

  it('are not read without the value, for another provider, or in another place', () => {
    const access = accessUnder(OLD);
    assert.equal(secretsOf(access, NEW), null);
    assert.equal(secretsOf({ ...access, id: 'pp_2' }, OLD), null);
    assert.equal(secretsOf({ ...access, secret_key: access.webhook_secret! }, OLD), null);
    const without = secretsOf({ ...access, webhook_secret: access.secret_key }, OLD);
    assert.deepEqual(without?.webhook_secrets, ['whsec_1']);
  });
});
