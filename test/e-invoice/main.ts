import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import type { EDocument } from '../../src/documents/xml/e-document.ts';
import { eInvoice } from '../../src/documents/xml/e-invoice.ts';
import type { Json } from '../support/servers/api.ts';
import { stopEverything } from '../support/servers/at-end.ts';
import { anEDocument, anELine, aRandomDocument, VIENNA } from '../support/documents/e-document.ts';
import { aFolder } from '../support/servers/folder.ts';
import { aBilledCustomer } from '../support/documents/printed-invoice.ts';
import { startStack, type Stack } from '../support/servers/stack.ts';
import { temporalAddress } from '../support/servers/temporal.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';
import { BUYER, issuerOn, SITUATIONS, type Situation } from './situations.ts';
import { isJavaMissing, verdictsOn, type Verdict } from './validator.ts';

/**
 * `npm run e-invoice-check -- --documents N --seed S`: the public validator of EN 16931 must accept the e-invoices of real invoices, of
 * credit notes and of N random documents, and refuse one that is wrong. Without Java or Maven it checks nothing.
 */
const { values } = parseArgs({
  options: { documents: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});

const PRECEDING = { number: 'INV-000001', issue_date: '2026-02-01' };
const CREDIT_NOTE = {
  kind: 'credit_note',
  number: 'CN-000001',
  due_date: null,
  preceding: PRECEDING,
} as const;
const REVERSE_CHARGE = {
  rate: '0',
  treatment: 'reverse_charge',
  note: 'Reverse charge',
  amount: '',
} as const;
const EXEMPT = { rate: '0', treatment: 'exempt', note: 'Exempt from VAT', amount: '' } as const;
const FOUR_LINES = ['68.33', '68.33', '57.50', '85.00'].map((amount) => anELine({ amount }));

/** Documents that no request makes yet, or only with a history of their own. */
const BY_HAND: Readonly<Record<string, EDocument>> = {
  'credit note': anEDocument(CREDIT_NOTE),
  'credit note of four lines': anEDocument({ ...CREDIT_NOTE, lines: FOUR_LINES }),
  'credit note of a negative line': anEDocument({
    ...CREDIT_NOTE,
    lines: [anELine({}), anELine({ quantity: '-8', amount: '-3.00' })],
  }),
  'credit note of 0.00': anEDocument({
    ...CREDIT_NOTE,
    lines: ['5.00', '-5.00'].map((amount) => anELine({ unit_price: amount, amount })),
  }),
  'credit note of 0.00, reverse charge': anEDocument({
    ...CREDIT_NOTE,
    ...{ tax: REVERSE_CHARGE, lines: ['5.00', '-5.00'].map((amount) => anELine({ amount })) },
  }),
  'credit note, reverse charge': anEDocument({ ...CREDIT_NOTE, tax: REVERSE_CHARGE }),
  'credit note, exempt': anEDocument({ ...CREDIT_NOTE, tax: EXEMPT }),
  'credit note, yen': anEDocument({ ...CREDIT_NOTE, currency: 'JPY', lines: [anELine({ amount: '1000' })] }),
  'credit note, settled in part': anEDocument({ ...CREDIT_NOTE, prepaid: '19.00' }),
  'balance applied': anEDocument({ prepaid: '50.00' }),
  'balance applied in full': anEDocument({ prepaid: '119.00' }),
  'a buyer in Kosovo': anEDocument({
    customer: aBilledCustomer({ name: 'Customer', address: { ...VIENNA, country: 'XK' } }),
  }),
};

/** A file that is not valid: the rest of the total is another. */
const WRONG = 'wrong.xml';

const stops: (() => Promise<void>)[] = [];
try {
  if (isJavaMissing()) console.log('A JDK or Maven is missing, so the e-invoices are not checked.');
  else process.exitCode = await check();
} finally {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  await stopEverything();
}

async function check(): Promise<number> {
  const folder = await aFolder();
  const write = (name: string, bytes: Uint8Array) => writeFileSync(join(folder, `${name}.xml`), bytes);
  const stack = await startStack({ TEMPORAL_ADDRESS: await temporalAddress() }, stops);
  for await (const [name, bytes] of issued(stack)) write(name, bytes);
  for (const [name, document] of Object.entries(BY_HAND)) write(name, eInvoice(document));
  const sample = fc.sample(aRandomDocument, {
    numRuns: Number(values.documents),
    seed: Number(values.seed),
  });
  for (const [index, document] of sample.entries()) write(`random ${index + 1}`, eInvoice(document));
  writeFileSync(join(folder, WRONG), eInvoice({ ...anEDocument({}), payable: '1.00' }));
  return report(await verdictsOn(folder), readdirSync(folder).length);
}

/** The e-invoices of SITUATIONS and of a regenerated invoice, over HTTP. */
async function* issued(stack: Stack): AsyncGenerator<[name: string, bytes: Uint8Array]> {
  const request = requestsTo(() => stack);
  const customers = testCustomersOn(request);
  const issue = issuerOn(request, customers);
  const bytesOf = async ({ object, id }: Json): Promise<Uint8Array> => {
    const headers = { Authorization: `Bearer ${stack.test_key}` };
    const folder = object === 'invoice' ? 'invoices' : 'credit-notes';
    const received = await fetch(`${stack.api_url}/v1/${folder}/${id}.xml`, { headers });
    if (received.status !== 200) throw new Error(await received.text());
    return new Uint8Array(await received.arrayBuffer());
  };
  for (const [name, situation] of Object.entries<Situation>(SITUATIONS)) {
    const invoice = await issue(situation);
    yield [name, await bytesOf(invoice)];
    const lines = invoice.line_items.filter(({ amount }: Json) => Number(amount) > 0);
    if (lines.length === 0 || Number(invoice.subtotal) === 0) continue;
    // Lines below 0 are credited with all others only.
    const is_whole = lines.length < invoice.line_items.length;
    const credited = lines.slice(0, 3).map(({ id }: Json) => ({ line_item_id: id }));
    const body = { lines: is_whole ? 'all' : credited, reason: 'Outage & "sorry"' };
    yield [
      `credit note, ${name}`,
      await bytesOf(await customers.done(`/v1/invoices/${invoice.id}/credit-notes`, body)),
    ];
  }
  const covered = await customers.customer({ currency: 'EUR', ...BUYER });
  await customers.done(`/v1/customers/${covered}/payments`, { amount: '10.00' });
  await customers.subscribe(covered, await customers.plan([FLAT], { currency: 'EUR' }));
  yield ['covered by the balance', await bytesOf((await customers.advance(covered, at('02-01')))[0]!)];
  const old = await issue(SITUATIONS['standard rate']);
  yield ['regenerated', await bytesOf(await customers.done(`/v1/invoices/${old.id}/regenerate`))];
}

/** Exit code 1 unless the validator has refused the wrong document alone. */
function report(verdicts: readonly Verdict[], files: number): number {
  const refused = verdicts.filter(({ is_valid }) => !is_valid);
  const unjust = refused.filter(({ file }) => file !== WRONG);
  for (const { file, text } of unjust) console.log(`refused: ${file}${text}`);
  console.log(`${verdicts.length - refused.length} of ${files - 1} e-invoices are valid.`);
  const sees_faults = refused.some(({ file, text }) => file === WRONG && text.includes('[BR-CO-16]'));
  if (!sees_faults) console.log(`The validator did not refuse ${WRONG}.`);
  return unjust.length === 0 && verdicts.length === files && sees_faults ? 0 : 1;
}
