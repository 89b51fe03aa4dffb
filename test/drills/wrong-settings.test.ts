import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('a program whose settings are wrong', () => {
  const PROGRAMS = [
    ['api/main.ts'],
    ['worker/main.ts'],
    ['cli/main.ts'],
    ['dev/main.ts'],
    ['dev/seed.ts', '--events', '1'],
  ];
  const WRONG: [environment: Record<string, string>, sentence: RegExp][] = [
    [{ DATABASE_URL: '' }, /^(?:error: )?DATABASE_URL is empty; set a value or remove the setting\n/],
    [{ TIDEMARK_SECRET: 'short' }, /^(?:error: )?TIDEMARK_SECRET is too short/],
    [{ DATABASE_URL_FILE: '/nowhere' }, /^(?:error: )?DATABASE_URL_FILE cannot be read: ENOENT/],
    [{ TRUSTED_PROXIES: '300.0.0.0/8' }, /^(?:error: )?TRUSTED_PROXIES: "300.0.0.0\/8" is not a network/],
  ];
  for (const program of PROGRAMS)
    for (const [environment, sentence] of WRONG)
      it(`${program[0]} exits 2 with one sentence: ${Object.keys(environment)[0]}`, () => {
        const { status, stderr, stdout } = spawnSync(process.execPath, program, {
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
