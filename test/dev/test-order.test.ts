import { equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { longestFirst, noteTime } from '../../dev/test-order.ts';
import { aFolder } from '../support/servers/folder.ts';

const SHORT = 'test/keys/ids.test.ts';
const LONG = 'test/tidy.test.ts';

describe('the order of the test files', () => {
  it('follows their sizes in a new clone, which has neither times nor a folder for them', async () => {
    const times_file = join(await aFolder(), 'cache', 'times.jsonl');
    equal(longestFirst([SHORT, LONG], times_file).join(), [LONG, SHORT].join());
  });

  it('follows the last time of each file, and keeps one line a file', async () => {
    const times_file = join(await aFolder(), 'cache', 'times.jsonl');
    noteTime({ file: SHORT, took_ms: 1 }, times_file);
    noteTime({ file: SHORT, took_ms: 9_000_000 }, times_file);
    equal(longestFirst([LONG, SHORT], times_file).join(), [SHORT, LONG].join());
    equal(readFileSync(times_file, 'utf8'), `{"file":"${SHORT}","took_ms":9000000}\n`);
  });
});
