import { setTimeout as delay } from 'node:timers/promises';
import { newApiKey } from '../../src/keys/api-key.ts';
import { findEnvironments } from '../../src/db/account/accounts.ts';
import { insertKey } from '../../src/db/account/api-keys.ts';
import { createPool, transaction } from '../../src/db/connection/pool.ts';
import { numbersBelow } from '../waiting.ts';

type Clients = { database_url: string; url: string; keys: number; tries_each: number };

/** Clients that use up their rate, wait exactly as long as Retry-After says, and try once more. Resolves with the number of successes. */
export async function tryAfterWaiting({ database_url, url, keys, tries_each }: Clients): Promise<number> {
  const secrets = await makeKeys(database_url, keys);
  const succeeded = await Promise.all(secrets.map((secret) => runClient(url, secret, tries_each)));
  return succeeded.reduce((sum, times) => sum + times, 0);
}

async function makeKeys(database_url: string, count: number): Promise<string[]> {
  const pool = createPool(database_url, 1);
  const secrets = numbersBelow(count).map(() => newApiKey(true));
  try {
    await transaction(pool, async (db) => {
      const { live } = (await findEnvironments(db))!;
      for (const secret of secrets) await insertKey(db, live, { secret, name: 'Client', kind: 'full' });
    });
  } finally {
    await pool.end();
  }
  return secrets;
}

async function runClient(url: string, secret: string, tries: number): Promise<number> {
  let succeeded = 0;
  for (let i = 0; i < tries; i++) {
    let wait_seconds = await ask(url, secret);
    while (wait_seconds === null) wait_seconds = await ask(url, secret);
    // Timers may fire a fraction of a millisecond early.
    await delay(wait_seconds * 1000 + 1);
    if ((await ask(url, secret)) === null) succeeded++;
  }
  return succeeded;
}

/** Null if the request was accepted, otherwise the seconds of its Retry-After. */
async function ask(url: string, secret: string): Promise<number | null> {
  const response = await fetch(`${url}/v1/credit-grants/none`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  await response.arrayBuffer();
  return response.status === 429 ? Number(response.headers.get('retry-after')) : null;
}
