import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from '../../../src/db/connection/pool.ts';
import * as given from '../../support/ledger/billing.ts';
import { createDatabase } from '../../support/servers/cluster.ts';
import { runCommand } from '../../support/servers/command.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { aBilledCustomer, settle } from '../../archive/archive-ledger.ts';

describe('npm run tidemark -- archive', () => {
  let pool: Pool;
  let settings: { DATABASE_URL: string };
  before(async () => {
    const database_url = await createDatabase();
    settings = { DATABASE_URL: database_url };
    pool = await given.aLedger(database_url);
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    await aBilledCustomer(pool, plan, 4);
    await settle(pool);
  });
  after(() => pool.end());
  const run = (...args: string[]) => runCommand(settings, 'archive', ...args);

  it('says what would leave, moves it, and brings it back', async () => {
    const folder = join(await aFolder(), 'new');
    const dry = await run('--before', '2026-02', '--dry-run');
    assert.deepEqual([dry.code, dry.stdout], [0, 'MONTH    DATA  EVENTS\n2026-01  live  7\n']);
    const { stdout, stderr } = await run('--before', '2026-02', '--to', folder, '--json');
    assert.deepEqual(JSON.parse(stdout), {
      object: 'archive',
      before: '2026-02',
      folder,
      files: 1,
      events: 7,
    });
    assert.match(
      stderr,
      /live-2026-01-001.csv.gz: 7 events are written and compared\n.*have left the database/,
    );
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest-2026-01.json'), 'utf8'));
    assert.deepEqual([manifest.files.length, manifest.files[0].events], [1, 7]);
    assert.match(
      (await run('restore', '2026-01', '--from', '/nowhere')).stderr,
      /^error: \/nowhere\/live-2026-01-001.csv.gz cannot be read/m,
    );
    const check = await runCommand({ ...settings, TEMPORAL_ADDRESS: '127.0.0.1:1' }, 'reconcile');
    assert.match(
      check.stdout,
      /^Not recounted by I6 and I7, because their events are archived: 1 line item.$/m,
    );
    const back = await run('restore', '2026-01', '--from', folder);
    assert.deepEqual([back.code, back.stdout], [0, '7 events of 2026-01 are back from 1 files\n']);
  });

  const soon = new Date().toISOString().slice(0, 7);
  for (const [why, args, says] of [
    ['no month', [], /--before <month> is missing/],
    ['a day', ['--before', '2026-01-01'], /must be a month/],
    ['no folder', ['--before', '2026-01'], /--to <folder> is missing/],
    ['a month that may still get late usage', ['--before', soon, '--dry-run'], /LATE_USAGE_DAYS/],
  ] as const)
    it(`refuses ${why}`, async () => {
      const { code, stderr } = await run(...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, says);
    });
});
