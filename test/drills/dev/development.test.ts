import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '../../support/servers/folder.ts';
import { runProgram, started, type Started } from '../../support/servers/npm-start.ts';

describe('npm run dev', function () {
  this.timeout(600_000); // Long: the first run may have to build the Temporal command.

  let data_dir = '';
  let stack: Started;
  let link: URL;

  before(async () => {
    data_dir = await aFolder();
    stack = await started(data_dir, ['--develop']);
    link = new URL(/Sign in \(once\) +(\S+)/.exec(stack.output())![1]!);
  });

  it('serves the dashboard from its sources, before the API', async () => {
    const page = await fetch(`${link.origin}/customers`, { headers: { Accept: 'text/html' } });
    assert.match(await page.text(), /@vite\/client/);
    const source = await fetch(`${link.origin}/src/main.tsx`);
    assert.match(await source.text(), /src\/app\.tsx/);
    const customers = await fetch(`${link.origin}/v1/customers`, {
      headers: { Authorization: `Bearer ${stack.file.test_key}` },
    });
    assert.equal(customers.status, 200);
  });

  it('prints a link that signs in there, although the API accepts only its own origin', async () => {
    const signIn = (origin: string) =>
      fetch(`${link.origin}/dashboard/api/session`, {
        method: 'POST',
        headers: { Origin: origin, 'Content-Type': 'application/json' },
        body: JSON.stringify({ token: link.hash.slice(1) }),
      });
    assert.equal((await signIn(stack.file.api_url)).status, 401);
    assert.equal((await signIn(link.origin)).status, 201);
  });

  it('opens an inspector of the API and one of the worker', () => {
    for (const name of ['api', 'worker']) {
      // "Starting inspector" is the error if another program uses the port.
      const log = readFileSync(join(data_dir, 'logs', `${name}.log`), 'utf8');
      assert.match(log, /Debugger listening on|Starting inspector on/);
    }
  });

  it('npm run psql prints the address of the database if psql is not installed', async () => {
    const psql = runProgram('dev/psql.ts', [], {
      TIDEMARK_DATA_DIR: data_dir,
      PATH: await pathWithNode(),
    });
    assert.equal(await psql.code, 1);
    assert.equal(
      psql.output(),
      `psql is not installed. Use another client to open ${stack.file.database_url}\n`,
    );
  });
});

describe('npm run psql', () => {
  it('says how to start a stack if none runs', async () => {
    const psql = runProgram('dev/psql.ts', [], { TIDEMARK_DATA_DIR: '/nowhere' });
    assert.equal(await psql.code, 1);
    assert.equal(psql.output(), 'No stack is running in /nowhere. Start a stack with: npm start\n');
  });
});

/** A PATH with nothing but Node and `env`. */
async function pathWithNode(): Promise<string> {
  const folder = await aFolder();
  symlinkSync(process.execPath, join(folder, 'node'));
  symlinkSync('/usr/bin/env', join(folder, 'env'));
  return folder;
}
