import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readConfig, SETTINGS } from '../src/config.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

describe('a setting', () => {
  for (const name of Object.keys(SETTINGS))
    it(`${name} that is empty is refused by its name`, () =>
      assert.throws(() => readConfig({ [name]: '' }), {
        message: `${name} is empty: give it a value or leave it out`,
      }));

  const WRONG: [name: keyof typeof SETTINGS, value: string, message: string][] = [
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/33',
      'TRUSTED_PROXIES has "10.0.0.0/33", which is no network such as 10.0.0.0/8 or fd00::/8',
    ],
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/8,',
      'TRUSTED_PROXIES has "", which is no network such as 10.0.0.0/8 or fd00::/8',
    ],
    [
      'TRUSTED_PROXIES',
      'proxy',
      'TRUSTED_PROXIES has "proxy", which is no network such as 10.0.0.0/8 or fd00::/8',
    ],
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/8/8',
      'TRUSTED_PROXIES has "10.0.0.0/8/8", which is no network such as 10.0.0.0/8 or fd00::/8',
    ],
    [
      'TRUSTED_PROXIES',
      '::1/129',
      'TRUSTED_PROXIES has "::1/129", which is no network such as 10.0.0.0/8 or fd00::/8',
    ],
    [
      'TRUSTED_PROXIES',
      '10.1/16',
      'TRUSTED_PROXIES has "10.1/16", which is no network such as 10.0.0.0/8 or fd00::/8',
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
    [{ DATABASE_URL: '' }, /^(?:error: )?DATABASE_URL is empty: give it a value or leave it out\n/],
    [
      { TRUSTED_PROXIES: '300.0.0.0/8' },
      /^(?:error: )?TRUSTED_PROXIES has "300.0.0.0\/8", which is no network/,
    ],
  ];
  for (const program of PROGRAMS)
    for (const [environment, sentence] of WRONG)
      it(`${program[0]} ends with 2 and one sentence: ${Object.keys(environment)[0]}`, () => {
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
