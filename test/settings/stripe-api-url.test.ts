import assert from 'node:assert/strict';
import { readConfig } from '../../src/settings/config.ts';

describe('STRIPE_API_URL', () => {
  it('is Stripe itself without it, else an origin', () => {
    assert.equal(readConfig({}).stripe_api_url, null);
    const { stripe_api_url } = readConfig({ STRIPE_API_URL: 'http://127.0.0.1:12111' });
    assert.equal(stripe_api_url, 'http://127.0.0.1:12111');
  });

  for (const STRIPE_API_URL of ['127.0.0.1:12111', 'ftp://127.0.0.1', 'http://127.0.0.1/v1'])
    it(`is refused as ${STRIPE_API_URL}`, () =>
      assert.throws(
        () => readConfig({ STRIPE_API_URL }),
        /^Error: STRIPE_API_URL must be an address without a path/,
      ));

  it('is refused in production', () => {
    const settings = { STRIPE_API_URL: 'http://127.0.0.1:12111', NODE_ENV: 'production' };
    assert.throws(() => readConfig(settings), /^Error: STRIPE_API_URL is not for production: remove it$/);
  });
});
