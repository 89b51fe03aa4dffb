import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import type { Json } from '../../support/servers/api.ts';
import { pagesOf, usePoppler } from '../../support/documents/pdf.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const FEBRUARY = at('02-01').slice(0, 7);
const PATH = `/v1/closed-months/${FEBRUARY}/archive.zip`;

/** contract.md 4. */
describe('the archive of a closed month', function () {
  usePoppler();
  const stack = useStack();
  const request = requestsTo(stack);
  const { get, done, read, customer, plan, subscribe, advance } = testCustomersOn(request);

  const fetched = (path: string): Promise<Response> =>
    fetch(stack().api_url + path, { headers: { Authorization: `Bearer ${stack().test_key}` } });
  const archive = async (): Promise<Record<string, Buffer>> => {
    const response = await fetched(PATH);
    const { headers } = response;
    assert.equal(response.status, 200);
    assert.equal(headers.get('content-type'), 'application/zip');
    assert.equal(headers.get('content-disposition'), `attachment; filename="${FEBRUARY}.zip"`);
    const files = Object.entries(unzipSync(new Uint8Array(await response.arrayBuffer())));
    return Object.fromEntries(files.map(([path, bytes]) => [path, Buffer.from(bytes)]));
  };
  const rowsOf = (bytes: Buffer): Record<string, string>[] => parse(bytes.toString(), { columns: true });

  let standing: Json;
  let voided: Json;
  let note: Json;
  before(async () => {
    const address = { line1: 'Street 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
    const tax_ids = [{ type: 'eu_vat', value: 'DE136695976' }];
    await request('/v1/account', { method: 'PATCH', body: { address, tax_ids, invoice_prefix: 'A/' } });
    const plan_id = await plan([FLAT]);
    const complete = await customer({ name: 'Acme', tax_rate: '20', address });
    const incomplete = await customer({ tax_rate: '20' });
    for (const customer_id of [complete, incomplete]) await subscribe(customer_id, plan_id);
    [standing] = (await advance(complete, at('02-01'))) as [Json];
    [voided] = (await advance(incomplete, at('02-01'))) as [Json];
    await advance(complete, at('02-28T12:00'));
    const lines = [{ line_item_id: standing.line_items[0].id, amount: '9' }];
    note = await done(`/v1/invoices/${standing.id}/credit-notes`, { lines, reason: 'Outage' });
    await done(`/v1/invoices/${voided.id}/void`);
    for (const customer_id of [complete, incomplete]) await advance(customer_id, at('03-02'));
    await done('/v1/closed-months', { month: FEBRUARY });
  });

  it('has the books, and each document that was issued in it', async () => {
    const files = await archive();
    const path = (number: string) => number.replace('/', '-');
    assert.deepEqual(
      Object.keys(files).toSorted(),
      [
        `credit-notes/${note.number}.pdf`,
        `credit-notes/${note.number}.xml`,
        'index.csv',
        ...[standing, voided].map(({ number }) => `invoices/${path(number)}.pdf`),
        `invoices/${path(standing.number)}.xml`,
        ...['journal.csv', 'receivables.csv', 'trial-balance.csv'],
      ].toSorted(),
    );
    const { data } = await read(`/v1/closed-months/${FEBRUARY}`);
    assert.deepEqual(rowsOf(files['trial-balance.csv']!), data);
    const last_day = new Date(Date.parse(at('03-01')) - 1).toISOString().slice(0, 10);
    for (const [name, of] of [
      ['journal.csv', `/v1/journal.csv?month=${FEBRUARY}`],
      ['receivables.csv', `/v1/receivables.csv?as_of=${last_day}`],
      [`invoices/${path(standing.number)}.pdf`, `/v1/invoices/${standing.id}.pdf`],
      [`invoices/${path(standing.number)}.xml`, `/v1/invoices/${standing.id}.xml`],
      [`credit-notes/${note.number}.pdf`, `/v1/credit-notes/${note.id}.pdf`],
    ] as const)
      assert.ok(files[name]!.equals(Buffer.from(await (await fetched(of)).arrayBuffer())), name);
    assert.match((await pagesOf(files[`invoices/${path(voided.number)}.pdf`]!)).flat().join(' '), /VOID/);
  });

  it('ends with a list of its files', async () => {
    const { 'index.csv': index, ...files } = await archive();
    assert.deepEqual(
      rowsOf(index!).toSorted((a, b) => (a['path']! < b['path']! ? -1 : 1)),
      Object.entries(files)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([path, bytes]) => ({
          path,
          bytes: `${bytes.length}`,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        })),
    );
  });

  it('of a month that is not closed, or of the other mode, is 404', async () => {
    for (const month of ['2026-01', 'x'])
      assertRefused(await get(`/v1/closed-months/${month}/archive.zip`), { code: 'not_found' });
    assertRefused(await get(PATH, { key: stack().live_key }), { code: 'not_found' });
  });

  it('is made for two readers at once', async () => {
    const responses = await Promise.all([fetched(PATH), fetched(PATH), fetched(PATH)]);
    for (const response of responses) await response.arrayBuffer();
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 200, 429]);
    assert.ok(Object.keys(await archive()).includes('index.csv'));
  });
});
