import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { serverUser } from '../../dev/postgres-home.ts';
import { aNode, initialize, makeFolder } from '../production/postgres-node.ts';
import { startProgram } from '../support/servers/command.ts';
import { aFolder } from '../support/servers/folder.ts';

/** The folder in which Debian's package postgresql-15 has its programs. */
const BIN = '/usr/lib/postgresql/15/bin';
const PROGRAMS = [
  ['api/main.ts'],
  ['worker/main.ts'],
  ['cli/main.ts', 'setup'],
  ['cli/main.ts', 'give-database'],
];

describe('PostgreSQL 15', function () {
  this.timeout(180_000);
  let url: string;
  before(async function () {
    if (!existsSync(join(BIN, 'postgres'))) {
      console.log('      skipped: the Debian package postgresql-15 is not installed');
      return this.skip();
    }
    const programs = { bin: BIN, user: serverUser() };
    const folder = await aFolder();
    // The user who runs PostgreSQL may enter it.
    chmodSync(folder, 0o711);
    makeFolder(programs, join(folder, 'servers'));
    const node = await aNode(programs, join(folder, 'servers'), 'old');
    await initialize(programs, node);
    await node.start();
    url = node.admin_url.replace('@', ':unused@');
  });

  for (const program of PROGRAMS)
    it(`is refused with one sentence by ${program.join(' ')}`, async () => {
      const DATABASE_URL = program.includes('give-database') ? url.replace('//postgres:', '//owner:') : url;
      const settings = {
        DATABASE_URL,
        DATABASE_ADMIN_URL: url,
        TEMPORAL_ADDRESS: '127.0.0.1:4',
        TIDEMARK_SECRET: 'secret of a test',
      };
      const { code, stdout, stderr } = await startProgram(settings, program).ended;
      assert.equal(
        stderr.replace(/^error: /, ''),
        'PostgreSQL 15 is too old: Tidemark needs PostgreSQL 16 or newer\n',
      );
      assert.deepEqual([code, stdout], [2, '']);
    });
});
