import assert from 'node:assert/strict';
import { dashboardPage } from '../../src/objects/dashboard-paths.ts';
import { ELSEWHERE } from '../support/servers/elsewhere.ts';

const ORIGIN = 'https://billing.example.com';

describe('the address of a page of the dashboard', () => {
  const PAGES: [text: string, page: string][] = [
    ['/', '/'],
    ['/invoices?status=open&limit=10#li_1', '/invoices?status=open&limit=10#li_1'],
    ['/invoices/../customers', '/customers'],
    ['/invoices//x', '/invoices//x'],
    ['/search?q=//evil.example', '/search?q=//evil.example'],
    // A percent sign is no slash and no backslash: this is a path of ours.
    ['/%2F%5Cevil.example', '/%2F%5Cevil.example'],
    ['/Rechnungen/ä', '/Rechnungen/%C3%A4'],
  ];
  for (const [text, page] of PAGES)
    it(`${text} is ${page}`, () => assert.equal(dashboardPage(text, ORIGIN), page));

  it('is Home for every spelling of another site', () => {
    for (const text of ELSEWHERE) assert.equal(dashboardPage(text, ORIGIN), '/', text);
  });

  it('is understood by a browser as it was compared: parsed again, it stays', () => {
    for (const text of [...ELSEWHERE, ...PAGES.map(([sent]) => sent)]) {
      const page = dashboardPage(text, ORIGIN);
      const { href, origin } = new URL(page, `${ORIGIN}/sign-in`);
      assert.deepEqual([origin, href], [ORIGIN, ORIGIN + page]);
    }
  });
});
