import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { eventIdOfUuid } from '../../../src/db/events/event-id.ts';
import { createPool, type Pool } from '../../../src/db/connection/pool.ts';
import * as given from '../../support/ledger/billing.ts';
import { createDatabase } from '../../support/servers/cluster.ts';
import { aFolder } from '../../support/servers/folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const NOBODY = '127.0.0.1:1';

describe('npm run reconcile', function () {
  let pool: Pool;
  let url: string;
  before(async () => {
    url = await createDatabase();
    pool = createPool(url, 2);
    // The test cluster runs with fsync off, which is a breach: this database reports it as on.
    await pool.query(`create function current_setting(name text) returns text language sql
      return case when name in ('fsync', 'full_page_writes') then 'on' else pg_catalog.current_setting(name) end`);
    await pool.query(
      `do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`,
    );
    await pool.query(`insert into accounts (id) values ('account')`);
    await pool.query(
      `insert into environments (account_id, livemode, name, currency)
       values ('account', false, 'Account', 'USD'), ('account', true, 'Account', 'USD')`,
    );
  });
  after(() => pool.end());

  function reconcile(...options: string[]): Promise<{ code: number; output: string }> {
    const env = { ...inheritedEnvironment(), DATABASE_URL: url, TEMPORAL_ADDRESS: NOBODY };
    const args = ['cli/main.ts', 'reconcile', ...options];
    return new Promise((resolve) => {
      const child = execFile(process.execPath, args, { cwd: ROOT, env }, (error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? (error === null ? 0 : 1), output: stdout + stderr }),
      );
    });
  }

  it('exits 0, says that no breaches were found, and names what was not checked', async () => {
    const { code, output } = await reconcile();
    assert.equal(code, 0, output);
    assert.match(output, /^I5 +0 {2}Each event/m);
    assert.match(output, /^I1 +needs --acked/m);
    assert.match(output, /^I23 +needs Temporal/m);
    assert.match(output, /^I23 is not checked, because Temporal does not respond: .+/m);
    assert.match(output, /No breaches found\.$/m);
  });

  it("exits 1 and names the rows, and missing events of a client's log", async () => {
    const customer = await given.aCustomer(pool);
    await given.post(pool, customer, given.january(1));
    const { rows } = await pool.query('select key_hash, idempotency_key from events');
    const stored = { id: eventIdOfUuid(rows[0].key_hash), idempotency_key: rows[0].idempotency_key };
    const lost = { id: 'evt_00000000000000000000000001', idempotency_key: 'lost' };
    const log = join(await aFolder(), 'acked.jsonl');
    writeFileSync(log, [stored, lost].map((line) => `${JSON.stringify(line)}\n`).join(''));
    const grant = await given.aGrant(pool, customer, 10);
    await pool.query('update credit_grants set remaining = 9');
    const { code, output } = await reconcile('--acked', log);
    assert.equal(code, 1, output);
    assert.match(output, new RegExp(`^I16 +credit grant ${grant}: amount 10, remaining 9`, 'm'));
    assert.match(output, /^I1 +event evt_00000000000000000000000001, key lost: was acknowledged/m);
    assert.doesNotMatch(output, new RegExp(stored.id));
  });

  it('writes every missing event to a file, not only those that it names', async () => {
    const lost = Array.from({ length: 6000 }, (_, index) => ({
      id: `evt_${`${index}`.padStart(26, '0')}`,
      idempotency_key: `lost-${index}`,
    }));
    const log = join(await aFolder(), 'acked.jsonl');
    const text = lost.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(log, text);
    const { code, output } = await reconcile('--acked', log);
    assert.equal(code, 1);
    assert.ok(output.includes(`Missing events: 6000, listed in ${log}.missing.`), output.slice(-300));
    assert.equal(readFileSync(`${log}.missing`, 'utf8'), text);
  });

  it('with --since finds what changed since then, and no older breach', async () => {
    const customer = await given.aCustomer(pool);
    const [old, changed] = [await given.aGrant(pool, customer, 10), await given.aGrant(pool, customer, 10)];
    await pool.query('update credit_grants set remaining = 8 where id = any($1)', [[old, changed]]);
    await pool.query(
      `update row_changes set noted_at = now() - interval '2 hours' where after ->> 'id' is distinct from $1`,
      [changed],
    );
    const { code, output } = await reconcile('--since', '1h');
    assert.equal(code, 1, output);
    assert.match(output, new RegExp(`^I16 +credit grant ${changed}: amount 10, remaining 8`, 'm'));
    assert.doesNotMatch(output, new RegExp(old));
  });

  for (const since of ['3d', '0h', 'an hour'])
    it(`refuses --since "${since}"`, async () => {
      const { code, output } = await reconcile('--since', since);
      assert.equal(code, 2, output);
      assert.match(output, /--since/);
    });
});
