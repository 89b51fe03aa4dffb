import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { seal, unseal } from '../../src/webhooks/sealed-secret.ts';
import { newSecret, signatureHeaders } from '../../src/webhooks/signature.ts';

describe('the signature of a webhook', () => {
  const message = { id: 'chn_1', body: '{"a":"ö"}', sent_at: new Date() };

  it('is one that the library of Standard Webhooks accepts, by each of two secrets', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signatureHeaders({ ...message, secrets });
    for (const secret of secrets)
      assert.deepEqual(new Webhook(secret).verify(message.body, headers), { a: 'ö' });
    assert.throws(() => new Webhook(newSecret()).verify(message.body, headers));
    assert.throws(() => new Webhook(secrets[0]!).verify('{"a":"o"}', headers));
  });

  it('has the same id at each try, and the time of the try', () => {
    const sent_at = new Date('2026-01-01T00:00:01.900Z');
    const headers = signatureHeaders({ ...message, sent_at, secrets: [newSecret()] });
    assert.deepEqual([headers['webhook-id'], headers['webhook-timestamp']], ['chn_1', '1767225601']);
  });
});

describe('the secret of an endpoint', () => {
  const [first, second] = ['the first secret of two', 'the second secret of two'] as const;
  const secret = newSecret();

  it('is whsec_ and 32 bytes in base64', () => {
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  it('is read by the value that encrypted it, also as the second one, and then encrypted anew', () => {
    const sealed = seal(secret, { owner: 'whe_1', secrets: [first] });
    assert.ok(!sealed.includes(secret));
    assert.deepEqual(unseal(sealed, { owner: 'whe_1', secrets: [first] }), { secret, is_old: false });
    assert.deepEqual(unseal(sealed, { owner: 'whe_1', secrets: [second, first] }), { secret, is_old: true });
  });

  it('is not read by another value, for another endpoint, or once it was changed', () => {
    const sealed = seal(secret, { owner: 'whe_1', secrets: [first] });
    assert.equal(unseal(sealed, { owner: 'whe_1', secrets: [second] }), null);
    assert.equal(unseal(sealed, { owner: 'whe_2', secrets: [first] }), null);
    const changed = Buffer.from(sealed);
    changed[20]! ^= 1;
    assert.equal(unseal(changed, { owner: 'whe_1', secrets: [first] }), null);
    assert.equal(unseal(Buffer.alloc(3), { owner: 'whe_1', secrets: [first] }), null);
  });

  it('is never encrypted to the same bytes twice', () => {
    const sealed = () => seal(secret, { owner: 'whe_1', secrets: [first] }).toString('hex');
    assert.notEqual(sealed(), sealed());
  });
});
