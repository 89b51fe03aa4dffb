import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig, SETTINGS } from '../src/config.ts';
import { aFolder } from './support/folder.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

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

describe('a program whose settings are wrong', () => {
  const PROGRAMS = [
    ['api/main.ts'],
    ['activities/worker.ts'],
    ['src/cli.ts'],
    ['src/dev/main.ts'],
    ['src/dev/seed.ts', '--events', '1'],
  ];
  const WRONG: [environment: Record<string, string>, sentence: RegExp][] = [
    [{ DATABASE_URL: '' }, /^(?:error: )?DATABASE_URL is empty; set a value or remove the setting\n/],
    [{ TRUSTED_PROXIES: '300.0.0.0/8' }, /^(?:error: )?TRUSTED_PROXIES: "300.0.0.0\/8" is not a network/],
  ];
  for (const program of PROGRAMS)
    for (const [environment, sentence] of WRONG)
      it(`${program[0]} exits 2 with one sentence: ${Object.keys(environment)[0]}`, () => {
        const { status, stderr, stdout } = spawnSync(process.execPath, ['--import', 'tsx', ...program], {
          cwd: ROOT,
          encoding: 'utf8',
          env: { PATH: '/usr/bin:/bin', ...environment },
        });
        assert.equal(stdout, '');
        assert.match(stderr, sentence);
        assert.ok(stderr.split('\n').length <= 3, stderr);
        assert.equal(status, 2);
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
