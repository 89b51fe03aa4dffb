import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { createFind } from '../../../api/access/credentials.ts';
import { createSentKeys } from '../../../api/access/sent-keys.ts';
import { hashOfKey } from '../../../src/keys/api-key.ts';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { createPool } from '../../../src/db/connection/pool.ts';
import { makeKey } from '../../support/servers/api.ts';
import { createDatabase } from '../../support/servers/cluster.ts';
import { eventually } from '../../support/servers/eventually.ts';

const SENT = { header: 'Bearer tm_sk_test_1', hash: 'hash of 1' };
const warn = (error: unknown) => assert.fail(String(error));
const LONG_MS = 60_000;

describe('the keys that connections have sent', () => {
  it('are recognized only on the same connection, and only if every character is the same', () => {
    const sent_keys = createSentKeys();
    const [socket, other] = [new Socket(), new Socket()];
    sent_keys.remember(socket, SENT, performance.now() + LONG_MS);
    assert.equal(sent_keys.hashOf(socket, SENT.header), SENT.hash);
    assert.equal(sent_keys.hashOf(other, SENT.header), null);
    const different = [
      '',
      'bearer tm_sk_test_1',
      'Bearer tm_sk_test_2',
      'Bearer tm_sk_test_',
      `${SENT.header} `,
    ];
    for (const header of different) assert.equal(sent_keys.hashOf(socket, header), null, header);
    sent_keys.forget();
  });

  it('are forgotten when the cached answer is too old, although no request comes', async () => {
    const sent_keys = createSentKeys();
    sent_keys.remember(new Socket(), SENT, performance.now() + 20);
    sent_keys.remember(new Socket(), SENT, performance.now() + 20);
    assert.equal(sent_keys.size(), 2);
    await eventually(
      () => Promise.resolve(sent_keys.size()),
      (size) => size === 0,
    );
  });

  it('are forgotten when there are too many', () => {
    const sent_keys = createSentKeys(2);
    for (let count = 0; count < 5; count++)
      sent_keys.remember(new Socket(), SENT, performance.now() + LONG_MS);
    assert.equal(sent_keys.size(), 1);
    sent_keys.forget();
  });

  it('are forgotten when the cached answers are replaced', async () => {
    const url = await createDatabase();
    await seedAccount(url, null);
    const pool = createPool(url, 2);
    const key = await makeKey(pool, 1);
    const hash = hashOfKey(key).toString('hex');
    const sent_keys = createSentKeys();
    const find = createFind(pool, { warn, onReplaced: sent_keys.forget });
    await find(hash);
    const socket = new Socket();
    sent_keys.remember(socket, { header: key, hash }, find.known(hash)!.good_until + LONG_MS);
    assert.equal(sent_keys.hashOf(socket, key), hash);
    // An unknown hash waits for a reading that begins after the call.
    await find('0'.repeat(64));
    assert.equal(sent_keys.size(), 0);
    await pool.end();
  });
});
