import assert from 'node:assert/strict';
import pg from 'pg';
import { administer, createEmptyDatabase } from '../support/servers/cluster.ts';
import { runCommand, startProgram } from '../support/servers/command.ts';

const PROGRAMS = [['api/main.ts'], ['worker/main.ts'], ['cli/main.ts', 'setup']];

/** Settings of the migrations, but for the last. */
const READ_ONLY = [
  'TimeZone=UTC',
  'statement_timeout=0',
  'lock_timeout=0',
  'idle_in_transaction_session_timeout=30000',
  'default_transaction_read_only=on',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

describe('a process whose database cannot be used ends with 2 and one sentence', function () {
  this.timeout(180_000);
  let url: URL;
  before(async () => {
    url = new URL(await createEmptyDatabase());
    await administer(`create role stranger login password 'p/#?@%:w'`);
  });

  async function assertRefused(program: readonly string[], address: string, sentence: RegExp): Promise<void> {
    const settings = {
      DATABASE_URL: address,
      TIDEMARK_SECRET: 'secret of a test',
      TEMPORAL_ADDRESS: '127.0.0.1:4',
    };
    const { code, stdout, stderr } = await startProgram(settings, program).ended;
    assert.equal(stdout, '');
    assert.match(stderr.replace(/^error: /, ''), sentence);
    assert.match(stderr, /^[^\n]+\n$/);
    assert.doesNotMatch(stderr, /hidden/);
    assert.equal(code, 2);
  }

  const withParts = (parts: Partial<URL>) => Object.assign(new URL(url), parts).href;
  const CASES: [what: string, url: () => string, sentence: RegExp][] = [
    [
      'another time zone',
      () => withParts({ search: '?options=-c%20timezone%3DAsia/Tokyo' }),
      /^the session of PostgreSQL has TimeZone = Asia\/Tokyo in place of UTC: /,
    ],
    [
      'a wrong password',
      () => withParts({ password: 'hidden' }),
      /does not accept the role of DATABASE_URL: password /,
    ],
    [
      'no such database',
      () => withParts({ pathname: '/nowhere' }),
      /does not have the database of DATABASE_URL: /,
    ],
    [
      'a role that may not create tables',
      () => withParts({ username: 'stranger', password: encodeURIComponent('p/#?@%:w') }),
      /^the role of DATABASE_URL lacks a right: permission denied for schema public; make it the owner /,
    ],
    [
      'a server that takes no writes',
      () => withParts({ search: `?options=${encodeURIComponent(READ_ONLY)}` }),
      /^DATABASE_URL leads to a PostgreSQL server that takes no writes: cannot execute /,
    ],
    [
      'an unencoded password',
      () => 'postgres://role:hidden/@host/db',
      /^DATABASE_URL cannot be read: percent-encode /,
    ],
  ];
  it('of a build before the first release, in which nothing changes', async () => {
    const earlier = await createEmptyDatabase();
    const client = new pg.Client(earlier);
    await client.connect();
    await client.query(
      `create table migrations (id serial primary key, name text not null, run_on timestamp not null);
       insert into migrations (name, run_on) values ('0001_start', now()), ('0002_corrections', now())`,
    );
    const state = async () =>
      (
        await client.query(
          `select (select json_agg(m) from migrations m) as migrations, array(
             select relname from pg_class where relnamespace = 'public'::regnamespace order by 1) as relations`,
        )
      ).rows;
    const before = await state();
    for (const program of PROGRAMS)
      await assertRefused(
        program,
        earlier,
        /^the database is of a build before 0\.1\.0, .* delete the data folder\n$/,
      );
    assert.deepEqual(await state(), before);
    await client.end();
  });

  for (const [what, address, sentence] of CASES)
    for (const program of PROGRAMS.slice(0, what === 'another time zone' ? 3 : 1))
      it(`${what}: ${program.join(' ')}`, () => assertRefused(program, address(), sentence));

  it('a role that owns its database may have any password, encoded or set beside the URL', async () => {
    const database = new URL(await createEmptyDatabase());
    await administer(`alter database ${database.pathname.slice(1)} owner to stranger`);
    const place = `${database.host}${database.pathname}`;
    const TEMPORAL_ADDRESS = '127.0.0.1:4';
    for (const settings of [
      { DATABASE_URL: `postgres://stranger:${encodeURIComponent('p/#?@%:w')}@${place}` },
      { DATABASE_URL: `postgres://stranger@${place}`, DATABASE_PASSWORD: 'p/#?@%:w' },
    ]) {
      const { stdout, stderr } = await runCommand({ ...settings, TEMPORAL_ADDRESS }, 'doctor');
      assert.match(stdout + stderr, /^ok +PostgreSQL +test_\d+ /m);
    }
  });
});
