import assert from 'node:assert/strict';
import { compose } from '../../../src/domain/email/compose.ts';
import { textOf } from '../../../src/domain/email/texts.ts';
import { anEmail } from '../../support/documents/email-facts.ts';

const LINK = 'https://billing.acme.com/portal?a=1&b=2';
const ENGLISH = textOf('invoice', 'en');

describe('an email', () => {
  it('in English says total, amount due, due date and link', () => {
    const { subject, text } = compose(anEmail(), ENGLISH, LINK);
    assert.equal(subject, 'Invoice INV-000007 from Tidemark Ltd');
    assert.equal(
      text,
      `Dear Acme Inc.,

Your invoice INV-000007 for EUR\u00a01,234.50 is now available.

Amount due: EUR\u00a0234.50
Due date: 10 March 2026

View and download the invoice: ${LINK}

Kind regards,
Tidemark Ltd`,
    );
  });

  it('in German has amounts and days as German writes them', () => {
    const { text } = compose(anEmail({ language: 'de' }), textOf('invoice', 'de'), LINK);
    assert.match(text, /über 1\.234,50\u00a0EUR liegt/);
    assert.match(text, /Zahlbar bis: 10\. März 2026/);
  });

  it('of a paid invoice says neither amount due nor due date, and leaves no gap', () => {
    const { text } = compose(anEmail({ amount_due: null, due_date: null }), ENGLISH, LINK);
    assert.match(text, /is now available\.\n\nView and download/);
  });

  it('of an invoice that replaces one says so before the link, in any text', () => {
    const facts = anEmail({ replaces: 'INV-000006' });
    assert.match(
      compose(facts, ENGLISH, LINK).text,
      /2026\n\nThis invoice replaces invoice INV-000006\.\n\nView/,
    );
    const own = { subject: 'Bill', body: 'Pay {total}.' };
    assert.equal(
      compose({ ...facts, language: 'fr' }, own, LINK).text,
      'Pay 1\u202f234,50\u00a0EUR.\n\nCette facture annule et remplace la facture n°\u00a0INV-000006.',
    );
  });

  it('has its text in HTML, escaped, with a button in the place of the link', () => {
    const facts = anEmail({ customer: '<b>"A&B"</b>', company: "O'Hara" });
    const { subject, html } = compose(facts, ENGLISH, LINK);
    assert.equal(subject, "Invoice INV-000007 from O'Hara");
    assert.match(html, /<html lang="en">/);
    assert.match(html, /<p>Dear &lt;b&gt;&quot;A&amp;B&quot;&lt;\/b&gt;,<\/p>/);
    assert.match(html, /<title>Invoice INV-000007 from O&#39;Hara<\/title>/);
    assert.match(html, /Amount due: EUR\u00a0234\.50<br>\nDue date/);
    const buttons = [...html.matchAll(/<a href="([^"]*)" style="[^"]*">([^<]*)<\/a>/g)].map((found) =>
      found.slice(1),
    );
    assert.deepEqual(buttons, [['https://billing.acme.com/portal?a=1&amp;b=2', 'View invoice']]);
    assert.equal(html.includes('>https:'), false, 'the address itself is not shown');
  });

  it('without a link has no button and no line of it', () => {
    const { text, html } = compose(anEmail(), ENGLISH, null);
    assert.doesNotMatch(text, /View/);
    assert.doesNotMatch(html, /<a /);
  });

  it('in what is stored shows [link]', () => {
    assert.match(compose(anEmail(), ENGLISH, '[link]').text, /^View and download the invoice: \[link\]$/m);
  });

  it('of a payment in advance names no invoice', () => {
    const facts = anEmail({ kind: 'receipt', invoices: [], method: null });
    assert.doesNotMatch(compose(facts, textOf('receipt', 'en'), LINK).text, /Invoice:|method/);
  });
});
