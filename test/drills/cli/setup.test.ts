import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findAccountId } from '../../../src/db/account/accounts.ts';
import { createPool } from '../../../src/db/connection/pool.ts';
import { newRequestId } from '../../../src/keys/ids.ts';
import { startApi } from '../../support/servers/api.ts';
import { createDatabase, createEmptyDatabase } from '../../support/servers/cluster.ts';
import { startProgram, type Ran } from '../../support/servers/command.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { useTemporal } from '../../support/servers/temporal.ts';

const TIDEMARK = fileURLToPath(new URL('../../../bin/tidemark.mjs', import.meta.url));
const PUBLIC_URL = 'https://billing.example.com';
const NOBODY_UID = 65_534;
const LINK = /^Sign in, once and within an hour: https:\/\/billing\.example\.com\/sign-in#[\w-]{43}$/m;

/** A user who owns nothing; the user of the tests where only that one may read this project, or may not become another. */
function anotherUser(): { uid?: number } {
  if (process.getuid?.() !== 0) return {};
  const { status } = spawnSync(process.execPath, ['--version'], { uid: NOBODY_UID });
  const can_read = spawnSync('cat', [TIDEMARK], { uid: NOBODY_UID }).status === 0;
  return status === 0 && can_read ? { uid: NOBODY_UID } : {};
}

describe('tidemark setup', function () {
  // A server of Temporal learns of a new namespace within about ten seconds.
  this.timeout(180_000);
  const temporal_address = useTemporal();

  type Place = { DATABASE_URL: string; TEMPORAL_NAMESPACE: string };
  const aPlace = async (): Promise<Place> => ({
    DATABASE_URL: await createEmptyDatabase(),
    TEMPORAL_NAMESPACE: newRequestId(),
  });

  /** Runs the executable as in the image: in production, without a terminal, as a user who may not write into the folder. */
  async function setUp(place: Place, ...args: string[]): Promise<Ran> {
    const cwd = await aFolder();
    chmodSync(cwd, 0o555);
    const settings = {
      ...place,
      TEMPORAL_ADDRESS: temporal_address(),
      PUBLIC_URL,
      NODE_ENV: 'production',
      HOME: '/nonexistent',
    };
    const ran = await startProgram(settings, [TIDEMARK, 'setup', ...args], { cwd, ...anotherUser() }).ended;
    assert.deepEqual(readdirSync(cwd), []);
    return ran;
  }

  async function succeeded(place: Place): Promise<string> {
    const { code, stdout, stderr } = await setUp(place);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  }

  it('makes all that is missing; again it changes nothing, and prints a link until somebody has signed in', async () => {
    const place = await aPlace();
    const first = await succeeded(place);
    for (const line of [
      /^Migrations applied: 0001_start\b/m,
      /^Account created: acct_\w+\.$/m,
      /^Registered in Temporal: the namespace .*, the account acct_\w+ as the owner .*BillingState.*check-invariants\.$/m,
      LINK,
    ])
      assert.match(first, line);
    const second = await succeeded(place);
    assert.match(second, /^Everything was there; nothing has changed\.$/m);
    assert.match(second, LINK);
    const [, token] = /#(\S+)/.exec(second)!;
    const api = await startApi({ database_url: place.DATABASE_URL });
    assert.equal((await api.post('/dashboard/api/session', { token }, { key: null })).status, 201);
    await api.close();
    assert.doesNotMatch(await succeeded(place), /sign-in/);
    // Links and sessions are deleted a month later, by the next link.
    const pool = createPool(place.DATABASE_URL, 1);
    await pool.query(`update sessions set expires_at = now() - interval '40 days'`);
    await pool.query(`update sign_in_links set expires_at = now() - interval '40 days'`);
    await pool.end();
    const link = await startProgram({ ...place, PUBLIC_URL }, [TIDEMARK, 'sign-in']).ended;
    assert.match(link.stdout, /^https:\/\/billing\.example\.com\/sign-in#/);
    assert.doesNotMatch(await succeeded(place), /sign-in/);
  });

  it('three at once make one account', async () => {
    const place = await aPlace();
    const ran = await Promise.all([setUp(place, '--json'), setUp(place, '--json'), setUp(place, '--json')]);
    assert.deepEqual(
      ran.map(({ code, stderr }) => [code, stderr]),
      [0, 0, 0].map((code) => [code, '']),
    );
    const found = ran.map(({ stdout }) => JSON.parse(stdout));
    const pool = createPool(place.DATABASE_URL, 1);
    const account_id = await findAccountId(pool);
    await pool.end();
    assert.deepEqual(
      found.map((result) => result.account_id),
      [account_id, account_id, account_id],
    );
    assert.equal(found.filter(({ is_new_account }) => is_new_account).length, 1);
    const owners = found
      .flatMap(({ temporal }) => temporal.registered)
      .filter((what: string) => what.includes('owner'));
    assert.equal(owners.length, 1);
  });

  it('refuses a namespace that belongs to another account', async () => {
    const place = await aPlace();
    await succeeded(place);
    const other = { ...place, DATABASE_URL: await createDatabase() };
    const { code, stdout, stderr } = await setUp(other);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /^error: the Temporal namespace \S+ belongs to the account acct_\w+, and this database has the account acct_\w+: set TEMPORAL_NAMESPACE to a namespace of its own\n$/,
    );
  });
});
