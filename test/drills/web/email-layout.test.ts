import assert from 'node:assert/strict';
import { compose } from '../../../src/domain/email/compose.ts';
import { EMAIL_KINDS } from '../../../src/domain/email/kind.ts';
import { LANGUAGES } from '../../../src/domain/email/language.ts';
import { textOf } from '../../../src/domain/email/texts.ts';
import { anEmail } from '../../support/documents/email-facts.ts';
import { takePicture, useBrowser, type Window } from '../../support/servers/browser.ts';

const PHONE = 390;
const LINK = `https://billing.acme.com/portal?invoice_id=inv_01k2m3n4p5q6r7s8t9v0w1x2y3#tm_ps_${'a'.repeat(40)}`;
/** Names and numbers as long as they may be, without a place to break. */
const LONG = { customer: 'C'.repeat(255), company: 'S'.repeat(255), number: `INV-${'0'.repeat(60)}` };
const OWED = ['2026-03-10', '2026-03-11', '2026-04-12'].map((due_date, place) => ({
  number: `INV-00000${place}`,
  amount_due: '1234567.89',
  currency: 'EUR',
  due_date,
}));

describe('emails on a phone', () => {
  const openWindow = useBrowser();
  let window: Window;
  before(async () => {
    window = await openWindow(PHONE);
  });

  for (const kind of EMAIL_KINDS)
    it(`of the kind ${kind}: in each language nothing is wider than the phone, and the button is in sight`, async () => {
      const { page } = window;
      for (const language of LANGUAGES)
        for (const long of [{}, LONG]) {
          const owed = kind === 'reminder' || kind === 'statement' ? OWED : null;
          const facts = anEmail({ kind, language, replaces: 'INV-000006', ...long, owed });
          await page.setContent(compose(facts, textOf(kind, language), LINK).html);
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          assert.ok(overflow <= 0, `${language}: ${overflow} pixels too wide`);
          const button = page.locator('a');
          assert.equal(await button.count(), 1, language);
          const box = (await button.boundingBox())!;
          assert.ok(box.x >= 0 && box.x + box.width <= PHONE && box.height >= 40, JSON.stringify(box));
          assert.equal(await button.getAttribute('href'), LINK);
          if (long === LONG) continue;
          // Without scrolling, on a phone of 844 pixels.
          if (owed === null) assert.ok(box.y + box.height <= 844, `${language}: the button is at ${box.y}`);
          await takePicture(page, `email-${kind}-${language}`);
        }
    });
});
