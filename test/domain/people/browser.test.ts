import assert from 'node:assert/strict';
import { browserOf } from '../../../src/domain/people/browser.ts';

const LINUX = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('the browser of a session', () => {
  const NAMES: [user_agent: string, name: string | null][] = [
    [`${LINUX} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [`${LINUX} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
      'Firefox on Windows',
    ],
    [`${MAC} Version/18.1 Safari/605.1.15`, 'Safari on macOS'],
    [`${PHONE} Version/18.1 Mobile/15E148 Safari/604.1`, 'Safari on iOS'],
    [`${PHONE} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome on iOS'],
    ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['Mozilla/5.0 (X11; CrOS x86_64) Chrome/140.0 Safari/537.36', 'Chrome on ChromeOS'],
    ['curl/8.5.0', null],
    ['', null],
  ];
  for (const [user_agent, name] of NAMES)
    it(`of "${user_agent.slice(-44)}" is ${name}`, () => assert.equal(browserOf(user_agent), name));
});
