import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Json } from '../support/servers/api.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FAILURE = `new Error('a step failed', { cause: new AggregateError([new Error('nobody listens')], 'no connection') })`;

/** Log lines of a process that runs this program. */
async function linesOf(program: string): Promise<Json[]> {
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('the log', () => {
  const PROGRAMS: [name: string, program: string][] = [
    [
      'worker',
      `import { Runtime } from '@temporalio/worker';
       import { installRuntime } from './worker/main.ts';
       import { readConfig } from './src/settings/config.ts';
       installRuntime(readConfig({}));
       Runtime.instance().logger.warn('Activity failed', { error: ${FAILURE} });
       process.exit(0);`,
    ],
    [
      'api',
      `import { readConfig } from './src/settings/config.ts';
       import { createLog } from './src/telemetry/log.ts';
       createLog('api', readConfig({}).log_level).warn({ error: ${FAILURE} }, 'Activity failed');`,
    ],
  ];
  for (const [name, program] of PROGRAMS)
    it(`of the ${name} has levels as words, and errors with stacks and causes`, async () => {
      const [line] = (await linesOf(program)).filter(({ msg }) => msg === 'Activity failed');
      const { level, time, error } = line;
      assert.deepEqual([line.name, level], [name, 'warn']);
      assert.equal(new Date(time).toISOString(), time);
      assert.equal(error.message, 'a step failed');
      assert.match(error.stack, /^Error: a step failed\n/);
      assert.equal(error.cause.message, 'no connection');
      assert.match(error.cause.stack, /no connection\n/);
      assert.equal(error.cause.errors[0].message, 'nobody listens');
    });
});
