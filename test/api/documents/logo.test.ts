import assert from 'node:assert/strict';
import { invoicePdf } from '../../../src/documents/pdf/invoice-pdf.ts';
import type { Json } from '../../support/servers/api.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { colorsOf, usePoppler, wordsOf } from '../../support/documents/pdf.ts';
import { plainPng, png, type PngParts } from '../../support/documents/png.ts';
import { aLine, aPrintedInvoice } from '../../support/documents/printed-invoice.ts';
import { useStack } from '../../support/servers/stack.ts';

const [BLUE, RED, BLACK, WHITE] = ['#1f5fa8', '#a81f2f', '#000000', '#ffffff'];
/** The left top of page 1, in points; of test data below its band. */
const [LEFT, TOP, BAND] = [48, 48, 22];

describe('the logo of a document', () => {
  usePoppler();
  const withLogo = (logo: Buffer | null) => invoicePdf({ ...aPrintedInvoice([aLine({})]), logo });

  const SIZES: [pixels: [number, number], points: [number, number]][] = [
    [
      [400, 100],
      [200, 50],
    ],
    [
      [100, 400],
      [13, 52],
    ],
    [
      [60, 20],
      [60, 20],
    ],
    [
      [2000, 2000],
      [52, 52],
    ],
    [
      [2000, 1],
      [200, 0.1],
    ],
  ];
  for (const [[width, height], [printed_width, printed_height]] of SIZES)
    it(`of ${width} x ${height} pixels is ${printed_width} x ${printed_height} points at the left top`, async () => {
      const pdf = await withLogo(plainPng(width, height, BLACK));
      const colorAt = await colorsOf(pdf);
      if (printed_height > 1) {
        assert.equal(colorAt(LEFT + 2, TOP + 2), BLACK);
        assert.equal(colorAt(LEFT + printed_width - 2, TOP + printed_height - 2), BLACK);
      }
      assert.equal(colorAt(LEFT + printed_width + 2, TOP + 2), WHITE);
      assert.equal(colorAt(LEFT + 2, TOP + printed_height + 2), WHITE);
      const seller = (await wordsOf(pdf)).find(({ word }) => word === 'Seller')!;
      assert.ok(seller.top >= TOP + printed_height, `the name of the seller is below: ${seller.top}`);
      assert.ok(pdf.length < 150_000, `${pdf.length} bytes`);
    });

  const HALF = 128;
  const KINDS: [what: string, parts: Omit<PngParts, 'width' | 'height'>, color: string][] = [
    ['1 bit of grey', { color: 0, depth: 1, samplesAt: () => [0] }, '#000000'],
    ['16 bits of grey', { color: 0, depth: 16, samplesAt: () => [0x8080] }, '#808080'],
    ['16 bits of color', { color: 2, depth: 16, samplesAt: () => [0x1f1f, 0x5f5f, 0xa8a8] }, BLUE],
    [
      'a palette of 2 bits with a clear color',
      {
        color: 3,
        depth: 2,
        samplesAt: () => [1],
        chunks: [
          ['PLTE', Buffer.from('a81f2f1f5fa8', 'hex')],
          ['tRNS', Buffer.from([255, 0])],
        ],
      },
      WHITE,
    ],
    [
      'a palette of 4 bits',
      { color: 3, depth: 4, samplesAt: () => [1], chunks: [['PLTE', Buffer.from('a81f2f1f5fa8', 'hex')]] },
      BLUE,
    ],
    ['grey that is half clear', { color: 4, depth: 8, samplesAt: () => [0, HALF] }, '#7f7f7f'],
    ['color that is clear', { color: 6, depth: 8, samplesAt: () => [31, 95, 168, 0] }, WHITE],
    [
      '16 bits of color and alpha',
      { color: 6, depth: 16, samplesAt: () => [0x1f1f, 0x5f5f, 0xa8a8, 0xffff] },
      BLUE,
    ],
    [
      'a clear color of 8 bits',
      {
        color: 2,
        depth: 8,
        samplesAt: () => [31, 95, 168],
        chunks: [['tRNS', Buffer.from([0, 31, 0, 95, 0, 168])]],
      },
      WHITE,
    ],
  ];
  for (const [what, parts, color] of KINDS)
    for (const is_interlaced of [false, true])
      it(`of ${what}${is_interlaced ? ', interlaced,' : ''} is printed, each time as the same bytes`, async () => {
        const file = png({ width: 50, height: 30, is_interlaced, ...parts });
        const pdf = await withLogo(file);
        const colorAt = await colorsOf(pdf);
        for (const [left, top] of [
          [2, 2],
          [25, 15],
          [47, 27],
        ] as const)
          assert.equal(colorAt(LEFT + left, TOP + top), color);
        await withLogo(plainPng(1, 1, RED));
        assert.ok(pdf.equals(await withLogo(file)));
      });

  it('of a photo takes no more room in the PDF than its file', async () => {
    const samplesAt = (x: number, y: number) => [(x * x) % 251, (x + y) % 256, (y * 3) % 256];
    const file = png({ width: 200, height: 200, color: 2, depth: 8, samplesAt });
    const bytes = (await withLogo(file)).length - (await withLogo(null)).length;
    assert.ok(bytes < 2 * file.length, `${bytes} bytes for a file of ${file.length}`);
  });
});

describe('the logo of an issued document', () => {
  usePoppler();
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, plan, read, subscribe } = testCustomersOn(request);
  const set = async (color: string) => {
    const body = { png: plainPng(100, 40, color).toString('base64') };
    const answer = await request('/v1/account/logo', { method: 'PUT', body });
    assert.equal(answer.status, 200);
    return answer.body.logo_sha256;
  };
  const remove = () => request('/v1/account/logo', { method: 'DELETE' });
  const bytesOf = async (path: string) => {
    const headers = { Authorization: `Bearer ${stack().test_key}` };
    const answer = await fetch(`${stack().api_url}/v1/${path}.pdf`, { headers });
    assert.equal(answer.status, 200);
    return Buffer.from(await answer.arrayBuffer());
  };
  const colorOf = async (path: string, bands = 1) =>
    (await colorsOf(await bytesOf(path)))(LEFT + 10, TOP + bands * BAND + 10);

  async function january(options: object = {}): Promise<Json> {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    const [invoice] = await advance(customer_id, at('02-01'), options);
    return invoice;
  }

  it('is that of the issue: another one and none leave its bytes, and those of its credit note', async () => {
    const hash = await set(BLUE);
    const invoice = await january();
    assert.equal(invoice.logo_sha256, hash);
    const note = await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines: 'all', reason: 'An outage' });
    const paths = [`invoices/${invoice.id}`, `credit-notes/${note.id}`];
    const issued = [await bytesOf(paths[0]!), await bytesOf(paths[1]!)];
    for (const change of [() => set(RED), remove, () => set(RED)]) {
      await change();
      for (const [place, path] of paths.entries())
        assert.ok(issued[place]!.equals(await bytesOf(path)), path);
    }
    assert.equal(await colorOf(paths[0]!), BLUE);
    assert.equal(await colorOf(paths[1]!), BLUE);
    const { logo_sha256, seller } = await read(`/v1/invoices/${invoice.id}`);
    assert.deepEqual([logo_sha256, seller], [hash, invoice.seller]);
  });

  it('is that of now on a draft, and on an invoice that is made again', async () => {
    await set(RED);
    const draft = await january({ hold_drafts: true });
    assert.equal(await colorOf(`invoices/${draft.id}`, 2), RED);
    const hash = await set(BLUE);
    assert.equal(await colorOf(`invoices/${draft.id}`, 2), BLUE);
    assert.equal((await read(`/v1/invoices/${draft.id}`)).logo_sha256, hash);
    const issued = await done(`/v1/invoices/${draft.id}/finalize`);
    assert.equal(issued.logo_sha256, hash);
    const other = await set(RED);
    const made = await done(`/v1/invoices/${issued.id}/regenerate`);
    assert.equal(made.logo_sha256, other);
    assert.equal(await colorOf(`invoices/${issued.id}`, 2), BLUE);
    assert.equal(await colorOf(`invoices/${made.id}`), RED);
    await remove();
    const without = await january();
    assert.equal(without.logo_sha256, null);
    assert.equal(await colorOf(`invoices/${without.id}`), WHITE);
  });
});
