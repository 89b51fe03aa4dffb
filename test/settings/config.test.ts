import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment, readConfig, SETTINGS } from '../../src/settings/config.ts';
import { SECRETS } from '../../src/settings/secret-files.ts';
import { aFolder } from '../support/servers/folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('a setting', () => {
  for (const name of Object.keys(SETTINGS))
    it(`${name}: an empty value is refused, and the error names the setting`, () =>
      assert.throws(() => readConfig({ [name]: '' }), {
        message: `${name} is empty; set a value or remove the setting`,
      }));

  const WRONG: [name: keyof typeof SETTINGS, value: string, message: string][] = [
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/33',
      'TRUSTED_PROXIES: "10.0.0.0/33" is not a network such as 10.0.0.0/8 or fd00::/8',
    ],
    ['TRUSTED_PROXIES', '10.0.0.0/8,', 'TRUSTED_PROXIES: "" is not a network such as 10.0.0.0/8 or fd00::/8'],
    ['TRUSTED_PROXIES', 'proxy', 'TRUSTED_PROXIES: "proxy" is not a network such as 10.0.0.0/8 or fd00::/8'],
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/8/8',
      'TRUSTED_PROXIES: "10.0.0.0/8/8" is not a network such as 10.0.0.0/8 or fd00::/8',
    ],
    [
      'TRUSTED_PROXIES',
      '::1/129',
      'TRUSTED_PROXIES: "::1/129" is not a network such as 10.0.0.0/8 or fd00::/8',
    ],
    [
      'TRUSTED_PROXIES',
      '10.1/16',
      'TRUSTED_PROXIES: "10.1/16" is not a network such as 10.0.0.0/8 or fd00::/8',
    ],
  ];
  for (const [name, value, message] of WRONG)
    it(`${name}=${value} is refused with a sentence`, () =>
      assert.throws(() => readConfig({ [name]: value }), { message }));
});

describe('TIDEMARK_SECRET', () => {
  const secrets = (value: string) => readConfig({ TIDEMARK_SECRET: value }).secrets;

  it('is one value, or two with a comma between', () => {
    assert.deepEqual(secrets('a'.repeat(16)), ['a'.repeat(16)]);
    assert.deepEqual(secrets(`${'b'.repeat(16)}, ${'a'.repeat(16)}`), ['b'.repeat(16), 'a'.repeat(16)]);
  });

  const WRONG = [
    ['a'.repeat(15), /^TIDEMARK_SECRET is too short: each value needs at least 16 characters$/],
    [`${'a'.repeat(16)},`, /^TIDEMARK_SECRET is too short/],
    [
      ['a', 'b', 'c'].map((letter) => letter.repeat(16)).join(','),
      /^TIDEMARK_SECRET takes at most two values/,
    ],
  ] as const;
  for (const [value, message] of WRONG)
    it(`${value} is refused`, () => assert.throws(() => secrets(value), { message }));
});

describe('the file of a secret', () => {
  const aFile = async (content: string) => {
    const path = join(await aFolder(), 'secret');
    writeFileSync(path, content);
    return path;
  };

  for (const name of SECRETS)
    it(`${name}_FILE is read, without the newline at its end`, async () => {
      const value = 'postgres://a:b@c/d e';
      const beside = {
        ...(name === 'DATABASE_PASSWORD' ? { DATABASE_URL: 'postgres://a@c/d' } : {}),
        ...(name === 'OIDC_CLIENT_SECRET' ? { OIDC_ISSUER: 'https://a.b', OIDC_CLIENT_ID: 'c' } : {}),
        ...(name === 'SMTP_PASSWORD' ? { SMTP_URL: 'smtp://a@b', EMAIL_FROM: 'a@b' } : {}),
        ...(name === 'DATABASE_ADMIN_PASSWORD' ? { DATABASE_ADMIN_URL: 'postgres://a@c/d' } : {}),
      };
      const config = readConfig({ ...beside, [`${name}_FILE`]: await aFile(`${value}\n`) });
      const text = JSON.stringify(config);
      assert.ok(text.includes(value) || text.includes(encodeURIComponent(value)), text);
    });

  it('is refused beside the value', async () => {
    const DATABASE_URL_FILE = await aFile('postgres://a');
    assert.throws(() => readConfig({ DATABASE_URL: 'postgres://b', DATABASE_URL_FILE }), {
      message: 'DATABASE_URL and DATABASE_URL_FILE are both set; remove one',
    });
  });

  it('is refused where it is empty, and where there is none', async () => {
    const file = await aFile('\n');
    assert.throws(() => readConfig({ TIDEMARK_KEY_FILE: file }), {
      message: `TIDEMARK_KEY_FILE: the file ${file} is empty`,
    });
    assert.throws(() => readConfig({ TIDEMARK_KEY_FILE: '' }), { message: /^TIDEMARK_KEY_FILE is empty/ });
    assert.throws(() => readConfig({ TIDEMARK_KEY_FILE: '/nowhere' }), {
      message: /^TIDEMARK_KEY_FILE cannot be read: ENOENT.*\/nowhere/,
    });
  });

  it('is not read by a child process that is given another value', () => {
    const own = { DATABASE_URL_FILE: '/nowhere', PATH: '/bin' };
    assert.deepEqual(inheritedEnvironment({ DATABASE_URL: 'a' }, own), { PATH: '/bin', DATABASE_URL: 'a' });
    assert.deepEqual(inheritedEnvironment({}, own), own);
  });

  it('is in docs/settings.md, for each secret', () => {
    const document = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8');
    const [, named = ''] = /^([^|]*?)\s+can be read from a file/m.exec(document) ?? [];
    assert.deepEqual(
      [...named.matchAll(/`(\w+)`/g)].map(([, name]) => name),
      SECRETS,
    );
  });
});

describe('the settings of Temporal', () => {
  it('come from a file of Temporal clients where a setting names it, and the other settings go first', async () => {
    const file = join(await aFolder(), 'temporal.toml');
    writeFileSync(
      file,
      '[profile.default]\naddress = "one:7233"\nnamespace = "one"\n[profile.two]\naddress = "two:7233"\napi_key = "key"\n',
    );
    const read = (settings: object) => readConfig({ TEMPORAL_CONFIG_FILE: file, ...settings });
    const { temporal_address, temporal_namespace, temporal_connection } = read({});
    assert.deepEqual([temporal_address, temporal_namespace], ['one:7233', 'one']);
    assert.equal(temporal_connection.tls, undefined);
    const two = read({ TEMPORAL_PROFILE: 'two', TEMPORAL_NAMESPACE: 'mine' });
    assert.deepEqual([two.temporal_address, two.temporal_namespace], ['two:7233', 'mine']);
    assert.deepEqual([two.temporal_connection.apiKey, two.temporal_connection.tls], ['key', true]);
  });

  it('that cannot be used are refused with a sentence', () => {
    for (const settings of [
      { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nowhere' },
      { TEMPORAL_CONFIG_FILE: '/nowhere' },
      { TEMPORAL_CONFIG_FILE: '/dev/null', TEMPORAL_PROFILE: 'missing' },
      { TEMPORAL_TLS_CLIENT_CERT_PATH: '/dev/null' },
    ])
      assert.throws(() => readConfig(settings), /^Error: the settings of Temporal cannot be used: /);
  });
});
