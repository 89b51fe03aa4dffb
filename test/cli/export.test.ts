import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { listen } from '../../api/http/http-server.ts';
import type { Json } from '../support/servers/api.ts';
import { commandsOf, runCommand } from '../support/servers/command.ts';
import { aFolder } from '../support/servers/folder.ts';
import { useStack } from '../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

const YEAR = at('01-01').slice(0, 4);
const MONTH = `${YEAR}-10`;

describe('npm run tidemark -- invoices export', function () {
  const stack = useStack();
  const { advance, customer, done, plan, subscribe } = testCustomersOn(requestsTo(stack));
  /** Two of October, one each of two customers. */
  let numbers: string[];
  let ids: string[];
  let out: string;
  before(async () => {
    out = join(await aFolder(), 'books');
    await done('/v1/customers', { external_id: 'none' });
    const plan_id = await plan([FLAT]);
    const made: Json[] = [];
    for (const name of ['東京電力', '=1+1']) {
      const customer_id = await customer({ name }, at('08-01'));
      await subscribe(customer_id, plan_id);
      made.push(...(await advance(customer_id, at('11-02'))));
    }
    const october = made.filter(({ issued_at }) => issued_at.startsWith(MONTH));
    [numbers, ids] = [october.map(({ number }) => number), october.map(({ id }) => id)];
    assert.deepEqual([made.length, ids.length], [6, 2]);
  });

  const { run } = commandsOf(stack, 'invoices', 'export');
  const rowsOf = async (name: string): Promise<Json[]> =>
    parse(await readFile(join(out, name)), { columns: true });
  const pdf = (number: string) => join(out, 'pdf', `${number}.pdf`);

  it('saves the invoices of the month and their lines as CSV, and each invoice as PDF', async () => {
    const { code, stdout, stderr } = await run('--month', MONTH, '--out', out);
    assert.equal(code, 0, stderr);
    // A slow machine shows how far it is.
    assert.match(stderr, /^(\d of 2 PDFs\n)*$/);
    assert.equal(stdout, `2 invoices of ${MONTH} are in ${out}: 2 PDFs written, 0 kept\n`);
    assert.deepEqual(
      (await rowsOf('invoices.csv')).map(({ number, customer_name }) => [number, customer_name]),
      [
        [numbers[1], "'=1+1"],
        [numbers[0], '東京電力'],
      ],
    );
    assert.deepEqual(
      (await rowsOf('line-items.csv')).map(({ invoice_id, amount }) => [invoice_id, amount]),
      ids.toReversed().map((id) => [id, '49.00']),
    );
    assert.deepEqual((await readdir(out)).sort(), ['invoices.csv', 'line-items.csv', 'pdf']);
    assert.deepEqual(
      (await readdir(join(out, 'pdf'))).sort(),
      numbers.map((number) => `${number}.pdf`).sort(),
    );
    for (const number of numbers)
      assert.equal((await readFile(pdf(number))).toString('latin1', 0, 5), '%PDF-');
  });

  it('again: replaces the CSV files and the PDFs of void invoices, and keeps the others', async () => {
    await done(`/v1/invoices/${ids[1]}/void`, { reason: 'by mistake' });
    await writeFile(join(out, 'invoices.csv'), 'old');
    const before_void = (await stat(pdf(numbers[1]!))).size;
    const kept = await stat(pdf(numbers[0]!));
    await rm(join(out, 'line-items.csv'));
    const { code, stdout } = await run('--month', MONTH, '--out', out, '--json');
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), {
      ...{ object: 'export', month: MONTH, folder: out },
      ...{ invoices: 2, pdfs_written: 1, pdfs_kept: 1 },
    });
    assert.deepEqual(
      (await rowsOf('invoices.csv')).map(({ status }) => status),
      ['void', 'open'],
    );
    assert.equal((await rowsOf('line-items.csv')).length, 2);
    assert.equal((await stat(pdf(numbers[0]!))).mtimeMs, kept.mtimeMs);
    assert.notEqual((await stat(pdf(numbers[1]!))).size, before_void);
  });

  it('goes by the day that each invoice prints', async () => {
    const plan_id = await plan([FLAT]);
    const numberOf = async (timezone: string, start_date: string, end: string) => {
      const customer_id = await customer({ timezone });
      await subscribe(customer_id, plan_id, { start_date });
      return (await advance(customer_id, end)).at(-1)!.number;
    };
    // Issued on 30 June at 20:00, which is July in UTC, and on 1 July at 0:00, which is June.
    const in_june = await numberOf('America/Los_Angeles', at('05-31T03:00'), at('07-01T03:00'));
    const in_july = await numberOf('Asia/Tokyo', `${YEAR}-06-01`, at('06-30T15:00'));
    for (const [month, number] of [
      ['06', in_june],
      ['07', in_july],
    ]) {
      const folder = join(out, `printed-${month}`);
      const { code, stdout } = await run('--month', `${YEAR}-${month}`, '--out', folder);
      assert.deepEqual([code, /^1 invoices/.test(stdout)], [0, true]);
      assert.deepEqual(await readdir(join(folder, 'pdf')), [`${number}.pdf`]);
    }
  });

  it('of a month without invoices has header lines alone', async () => {
    const { code, stdout } = await run('--month', `${YEAR}-03`, '--out', join(out, 'march'));
    assert.deepEqual([code, /^0 invoices/.test(stdout)], [0, true]);
    assert.deepEqual(await rowsOf('march/invoices.csv'), []);
    assert.match(await readFile(join(out, 'march/invoices.csv'), 'utf8'), /^day,document_number,/);
  });

  it('fails with 1, and leaves no file with the name of a complete one, if the connection is lost', async () => {
    const server = createServer(({ url }, response) => {
      if (url!.includes('summary')) return response.end('{"data":[]}');
      response.write('id,');
      return setTimeout(() => response.destroy(), 50);
    });
    const TIDEMARK_URL = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
    const folder = join(out, 'lost');
    const settings = { TIDEMARK_URL, TIDEMARK_KEY: stack().test_key };
    const ran = await runCommand(settings, 'invoices', 'export', '--month', MONTH, '--out', folder);
    server.close();
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /^error: .*invoices\.csv is not complete: .*; run the command again$/m);
    assert.deepEqual(await readdir(folder), ['invoices.csv.part']);
  });

  for (const args of [
    ['--month', '2026-13', '--out', 'x'],
    ['--month', '2026-10-01', '--out', 'x'],
    ['--month', MONTH],
    ['--out', 'x'],
  ])
    it(`${args.join(' ')} exits 2`, async () => assert.equal((await run(...args)).code, 2));
});
