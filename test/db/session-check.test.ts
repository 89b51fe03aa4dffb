import assert from 'node:assert/strict';
import { createPool } from '../../src/db/connection/pool.ts';
import { Refusal } from '../../src/refusal.ts';
import { administer, createDatabase, createEmptyDatabase } from '../support/cluster.ts';
import { runCommand, startProgram } from '../support/command.ts';

const PROGRAMS = [['api/main.ts'], ['activities/worker.ts'], ['src/cli.ts', 'setup']];

describe('a new connection', function () {
  let url: string;
  before(async () => void (url = await createDatabase()));

  const SETTINGS: [name: string, value: string, shown: string, wanted: string][] = [
    ['TimeZone', 'Europe/Berlin', 'Europe/Berlin', 'UTC'],
    ['statement_timeout', '90s', '90000', '60000'],
    ['lock_timeout', '0', '0', '30000'],
    ['idle_in_transaction_session_timeout', '1d', '86400000', '30000'],
    ['synchronous_commit', 'off', 'off', 'on'],
  ];
  for (const [name, value, shown, wanted] of SETTINGS)
    it(`with another ${name} is refused`, async () => {
      // Options of the URL replace ours.
      const others = SETTINGS.filter((setting) => setting[0] !== name).map(
        (setting) => `-c ${setting[0]}=${setting[3]}`,
      );
      const options = [...others, `-c ${name}=${value}`].join(' ');
      const pool = createPool(`${url}?options=${encodeURIComponent(options)}`, 1);
      await assert.rejects(pool.query('select 1'), (error: Error) => {
        assert.ok(error instanceof Refusal);
        assert.ok(
          error.message.startsWith(
            `the session of PostgreSQL has ${name} = ${shown} in place of ${wanted}: `,
          ),
        );
        return true;
      });
      await pool.end();
    });

  it('is checked once, before its first use', async () => {
    const pool = createPool(url, 1);
    const sent: unknown[] = [];
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        sent.push(args[0]);
        return query(...args);
      }) as typeof client.query;
    });
    for (const statement of ['select 1', 'select 2']) await pool.query(statement);
    assert.equal(sent.length, 3);
    await pool.end();
  });

  it('whose named statement is gone belongs to a pooler in transaction mode', async () => {
    const refusals: Refusal[] = [];
    const pool = createPool(url, 1, { is_prepared: true, onRefusal: (refusal) => refusals.push(refusal) });
    const statement: [text: string, values: number[]] = ['select $1::integer', [1]];
    const forgotten = async () => {
      const client = await pool.connect();
      await client.query(...statement);
      await client.query('deallocate all');
      return client;
    };
    (await forgotten()).release();
    await assert.rejects(pool.query(...statement), /pool_mode = session or a direct connection/);
    const client = await forgotten();
    await assert.rejects(client.query(...statement), Refusal);
    client.release();
    assert.equal(refusals.length, 2);
    await pool.end();
  });
});

/** Of the migrations, but for the last. */
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
  for (const [what, address, sentence] of CASES)
    for (const program of PROGRAMS.slice(0, what === 'another time zone' ? 3 : 1))
      it(`${what}: ${program.join(' ')}`, async () => {
        const settings = {
          DATABASE_URL: address(),
          TIDEMARK_SECRET: 'secret of a test',
          TEMPORAL_ADDRESS: '127.0.0.1:4',
        };
        const { code, stdout, stderr } = await startProgram(settings, ['--import', 'tsx', ...program]).ended;
        assert.equal(stdout, '');
        assert.match(stderr.replace(/^error: /, ''), sentence);
        assert.match(stderr, /^[^\n]+\n$/);
        assert.doesNotMatch(stderr, /hidden/);
        assert.equal(code, 2);
      });

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
