import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from '../../sdk/typescript/src/index.ts';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const OTHER_SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const CHANGE = { id: 'chn_1', object: 'change', type: 'invoice.paid', sequence: 7, customer_id: 'Łódź & co' };
const BODY = JSON.stringify(CHANGE);
const MINUTE_MS = 60_000;

/** Headers as an endpoint gets them, signed by the library of Standard Webhooks this long ago. */
function signed({ body = BODY, secret = SECRET, age_ms = 0 } = {}): Record<string, string> {
  const sent_at = new Date(Date.now() - age_ms);
  return {
    'webhook-id': 'chn_1',
    'webhook-timestamp': `${Math.floor(sent_at.getTime() / 1000)}`,
    'webhook-signature': new Webhook(secret).sign('chn_1', sent_at, body),
  };
}

const refuses = (headers: Record<string, string>, reason: string, body: string | Uint8Array = BODY) =>
  assert.rejects(verifyWebhook(body, headers, SECRET), (error) => {
    assert.ok(error instanceof WebhookVerificationError);
    assert.equal(error.reason, reason);
    return true;
  });

describe('verifyWebhook', () => {
  it('returns the change of a body that the library signed, as text and as bytes', async () => {
    for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)])
      assert.deepEqual(await verifyWebhook(body, signed(), SECRET), CHANGE);
  });

  it('takes headers of fetch, of node:http and in any case', async () => {
    const headers = signed();
    const in_capitals = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const as_lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const sent of [new Headers(headers), in_capitals, as_lists, { ...headers, 'x-other': undefined }])
      assert.deepEqual(await verifyWebhook(BODY, sent, SECRET), CHANGE);
  });

  it('takes a secret without its prefix', async () => {
    assert.deepEqual(await verifyWebhook(BODY, signed(), SECRET.replace('whsec_', '')), CHANGE);
  });

  it('takes any one of several signatures, as while a secret is rotated', async () => {
    const own = signed()['webhook-signature'];
    const other = signed({ secret: OTHER_SECRET })['webhook-signature'];
    for (const signatures of [`${own} ${other}`, `${other} ${own}`, `v1a,${'A'.repeat(86)}== ${own}`])
      assert.deepEqual(
        await verifyWebhook(BODY, { ...signed(), 'webhook-signature': signatures }, SECRET),
        CHANGE,
      );
    await refuses({ ...signed(), 'webhook-signature': `${other} ${other}` }, 'no_valid_signature');
  });

  // Signed as each test begins: a signature is good for five minutes.
  const CHANGED: [what: string, headers: () => Record<string, string>, body?: string][] = [
    ['another body', () => signed(), BODY.replace('7', '8')],
    ['another secret', () => signed({ secret: OTHER_SECRET })],
    ['another id', () => ({ ...signed(), 'webhook-id': 'chn_2' })],
    ['another time', () => ({ ...signed(), 'webhook-timestamp': `${Math.floor(Date.now() / 1000) - 60}` })],
    [
      'a shorter signature',
      () => ({ ...signed(), 'webhook-signature': signed()['webhook-signature']!.slice(0, 20) }),
    ],
    [
      'a signature of another version',
      () => ({ ...signed(), 'webhook-signature': signed()['webhook-signature']!.replace('v1', 'v2') }),
    ],
    ['no signature after the version', () => ({ ...signed(), 'webhook-signature': 'v1,' })],
  ];
  for (const [what, headers, body] of CHANGED)
    it(`refuses ${what}`, () => refuses(headers(), 'no_valid_signature', body));

  it('allows five minutes between the clocks, either way', async () => {
    for (const age_ms of [4.9 * MINUTE_MS, -4.9 * MINUTE_MS])
      assert.deepEqual(await verifyWebhook(BODY, signed({ age_ms }), SECRET), CHANGE);
    await refuses(signed({ age_ms: 5.1 * MINUTE_MS }), 'too_old');
    await refuses(signed({ age_ms: -5.1 * MINUTE_MS }), 'in_future');
  });

  it('allows toleranceSeconds between the clocks, from a second to a day', async () => {
    const verified = (age_ms: number, toleranceSeconds: number) =>
      verifyWebhook(BODY, signed({ age_ms }), SECRET, { toleranceSeconds });
    const refused = (reason: string) => (error: unknown) =>
      error instanceof WebhookVerificationError && error.reason === reason;
    for (const age_ms of [23.9 * 60 * MINUTE_MS, -23.9 * 60 * MINUTE_MS])
      assert.deepEqual(await verified(age_ms, 86_400), CHANGE);
    await assert.rejects(verified(24.1 * 60 * MINUTE_MS, 86_400), refused('too_old'));
    await assert.rejects(verified(0.1 * MINUTE_MS, 1), refused('too_old'));
    await assert.rejects(verified(-0.1 * MINUTE_MS, 1), refused('in_future'));
    assert.deepEqual(await verifyWebhook(BODY, signed(), SECRET, {}), CHANGE);
  });

  it('throws a TypeError that names toleranceSeconds for one of another kind or range', async () => {
    const WRONG: object[] = [0, -1, 86_401, 1.5, NaN, Infinity, '300', null, true, [300]].map(
      (toleranceSeconds) => ({ toleranceSeconds }),
    );
    for (const options of WRONG)
      await assert.rejects(verifyWebhook(BODY, signed(), SECRET, { ...options }), {
        name: 'TypeError',
        message: 'toleranceSeconds must be a whole number from 1 to 86400',
      });
  });

  it('names a header that is missing, and a time that is none', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name]: _, ...others } = signed();
      await refuses(others, 'missing_header');
      await refuses({ ...others, [name]: '' }, 'missing_header');
    }
    for (const time of ['now', '-5', '1e9', '1.5', `${'9'.repeat(16)}`])
      await refuses({ ...signed(), 'webhook-timestamp': time }, 'bad_timestamp');
  });

  it('refuses a signed body that is no change', async () => {
    for (const body of ['not json', '[]', 'null', '{"object":"invoice"}'])
      await refuses(signed({ body }), 'malformed', body);
  });

  it('throws a TypeError for a malformed secret, before it looks at the request', async () => {
    for (const secret of ['', 'whsec_', 'tm_sk_test_!', 'two words'])
      await assert.rejects(verifyWebhook(BODY, {}, secret), TypeError);
  });

  it('agrees with the library about every signature of the other', async () => {
    const headers = signed();
    assert.deepEqual(new Webhook(SECRET).verify(BODY, headers), await verifyWebhook(BODY, headers, SECRET));
  });
});
