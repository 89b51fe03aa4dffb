import assert from 'node:assert/strict';
import {
  atHost,
  firstHost,
  parseDatabaseUrl,
  parseHost,
  withDatabase,
  withPassword,
} from '../../src/settings/database-address.ts';
import { readConfig } from '../../src/settings/config.ts';

const HARD = 'p/#?@%:w é';
const ENCODED = encodeURIComponent(HARD);

describe('a database URL', () => {
  it('of one host is kept; its parts are decoded', () => {
    const url = `postgresql://a%40b:${ENCODED}@db.example.com:6432/my%20db?sslmode=require`;
    assert.deepEqual(parseDatabaseUrl(url), {
      urls: [url],
      must_be_writable: false,
      role: 'a@b',
      password: HARD,
      database: 'my db',
    });
  });

  it('of several hosts becomes one for each, and passes over what takes no writes', () => {
    const found = parseDatabaseUrl(`postgres://role:${ENCODED}@one:5432,[::1]:5433,three/db?a=b`);
    assert.deepEqual(found.urls, [
      `postgres://role:${ENCODED}@one:5432/db?a=b`,
      `postgres://role:${ENCODED}@[::1]:5433/db?a=b`,
      `postgres://role:${ENCODED}@three/db?a=b`,
    ]);
    assert.equal(found.must_be_writable, true);
    for (const [attributes, expected] of [
      ['read-write', true],
      ['primary', true],
      ['any', false],
    ] as const)
      assert.equal(
        parseDatabaseUrl(`postgres://one/db?target_session_attrs=${attributes}`).must_be_writable,
        expected,
      );
  });

  const REFUSED: [what: string, url: string, sentence: RegExp][] = [
    [
      'a slash in the password',
      'postgres://role:sec/ret@host/db',
      /^cannot be read: percent-encode \/ \? # @ % : /,
    ],
    ['digits, then a slash', 'postgres://role:12/34@host/db', /^cannot be read: percent-encode/],
    ['a hash in the password', 'postgres://role:sec#ret@host/db', /^cannot be read: percent-encode/],
    ['a question mark in the password', 'postgres://role:sec?ret@host/db', /^cannot be read: percent-encode/],
    ['a bare percent sign', 'postgres://role:sec%ret@host/db', /^has a % that .* percent-encode/],
    ['a wrong port', 'postgres://role:secret@host:port/db', /^cannot be read: check the host and its port/],
    ['another scheme', 'mysql://role:secret@host/db', /^must begin with postgres:\/\/$/],
    [
      'a standby',
      'postgres://role:secret@a,b/db?target_session_attrs=standby',
      /^must have target_session_attrs=read-write/,
    ],
    [
      'hosts as a parameter',
      'postgres://role:secret@/db?host=a,b',
      /^must name several hosts before the database/,
    ],
  ];
  for (const [what, url, sentence] of REFUSED)
    it(`with ${what} is refused by the name of the setting, and the password is not repeated`, () => {
      for (const name of ['DATABASE_URL', 'DATABASE_ADMIN_URL'])
        assert.throws(
          () => readConfig({ [name]: url }),
          ({ message }: Error) => {
            assert.ok(message.startsWith(`${name} `), message);
            assert.match(message.slice(name.length + 1), sentence);
            assert.doesNotMatch(message, /sec|ret@|12|34/);
            return true;
          },
        );
    });

  it('takes a password that is set beside it, for each of its hosts', () => {
    const { database_url, database_admin_url } = readConfig({
      DATABASE_URL: 'postgres://role@one,two:5433/db?a=b',
      DATABASE_PASSWORD: HARD,
      DATABASE_ADMIN_URL: 'postgres://admin@one/db',
      DATABASE_ADMIN_PASSWORD: 'other',
    });
    assert.equal(database_url, `postgres://role:${ENCODED}@one,two:5433/db?a=b`);
    assert.equal(parseDatabaseUrl(database_url!).password, HARD);
    assert.equal(database_admin_url, 'postgres://admin:other@one/db');
  });

  it('keeps its own password if the same is set beside it; another one is refused', () => {
    assert.equal(withPassword('postgres://role:same@host/db', 'same'), 'postgres://role:same@host/db');
    assert.throws(() => withPassword('postgres://role:one@host/db', 'two'), {
      message: 'has a password, and another one is set beside it; remove one of them',
    });
    assert.throws(() => withPassword('postgres://host/db', 'two'), /must name the role/);
  });

  it('of another database keeps everything else', () => {
    assert.equal(
      withDatabase('postgres://role:p%23@a,b:2/old?x=y', 'new db'),
      'postgres://role:p%23@a,b:2/new%20db?x=y',
    );
  });

  it('on another server keeps everything else', () => {
    assert.equal(
      atHost('postgres://role:p%23@a,b:2/db?x=y', { host: 'c', port: 3 }),
      'postgres://role:p%23@c:3/db?x=y',
    );
  });

  it('has a first host, or none', () => {
    assert.deepEqual(firstHost('postgres://role@a:2,b/db'), { host: 'a', port: 2 });
    assert.deepEqual(firstHost('postgres://role@a/db'), { host: 'a', port: 5432 });
    for (const url of ['postgres:///db?host=/tmp', 'postgres://role@[::1]:5432/db'])
      assert.equal(firstHost(url), null, url);
  });
});

describe('HOST[:PORT]', () => {
  it('has the port 5432 by default', () => {
    assert.deepEqual(parseHost('node-1.internal'), { host: 'node-1.internal', port: 5432 });
    assert.deepEqual(parseHost('10.0.0.1:65535'), { host: '10.0.0.1', port: 65_535 });
  });

  for (const text of ['', 'a:0', 'a:65536', 'a:', 'a b', 'a,b', '[::1]', 'postgres://a'])
    it(`is refused: ${text}`, () => {
      assert.throws(() => parseHost(text), /^Error: must be HOST or HOST:PORT/);
    });
});
