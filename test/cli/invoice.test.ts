import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { commandsOf } from '../support/servers/command.ts';
import { at, testCustomersOn, requestsTo } from '../support/ledger/test-customer.ts';
import { useStack } from '../support/servers/stack.ts';

const TIERS = [
  { up_to: 2, unit_amount: '0.10' },
  { up_to: null, unit_amount: '0.05', flat_amount: '1.00' },
];

describe('npm run tidemark -- invoice', function () {
  const stack = useStack();
  const { advance, customer, grant, plan, read, subscribe, use } = testCustomersOn(requestsTo(stack));

  const { run } = commandsOf(stack, 'invoice');

  /** January's invoice: 5 calls less 1 of credit; 2 x 0.10 + 2 x 0.05 + 1.00 = 1.30; plus 20 % tax. */
  async function anInvoice(): Promise<Json> {
    const customer_id = await customer({ tax_rate: '20' });
    const charges = [{ event_name: 'api_call', pricing_model: 'graduated', tiers: TIERS }];
    await subscribe(customer_id, await plan(charges));
    await grant(customer_id, 1);
    await use(customer_id, Array(5).fill({}));
    const [made] = await advance(customer_id, at('02-01'));
    return made;
  }

  it('show: the lines with their credit and tiers, and the totals', async () => {
    const invoice = await anInvoice();
    const { code, stdout } = await run('show', invoice.id);
    assert.equal(code, 0);
    const rows = [
      /^ {2}INV-\d+ · open · inv_\w+$/,
      /5 events.* 1\.30$/,
      /less 1 of credit, 4 to pay$/,
      /up to 2 +2 x 0\.1 +\(0\.20\)$/,
      /beyond +2 x 0\.05 \+ 1\.00 +\(1\.10\)$/,
      /Subtotal +1\.30$/,
      /Tax 20 % +0\.26$/,
      /Total USD +1\.56$/,
      /Due +1\.56$/,
    ];
    for (const row of rows) assert.match(stdout, new RegExp(row.source, 'm'));
    assert.deepEqual(JSON.parse((await run('show', invoice.id, '--json')).stdout), invoice);
  });

  it('regenerate: shows the changes, and without a terminal needs --yes', async () => {
    const invoice = await anInvoice();
    await use(invoice.customer_id, [{ timestamp: at('01-10') }]);
    const shown = await run('regenerate', invoice.id);
    assert.equal(shown.code, 2);
    assert.match(shown.stderr, /^error: nothing was changed: without a terminal/);
    // A sixth call costs 0.05, with tax 0.06.
    assert.match(shown.stdout, /^invoice +total +1\.56 +1\.62$/m);
    assert.match(shown.stdout, /^api_call, usage from \d{4}-01-01 +quantity +5 +6$/m);
    assert.match(shown.stdout, /^1 additional events of chg_/m);
    assert.equal((await read(`/v1/invoices/${invoice.id}`)).status, 'open');

    const done = await run('regenerate', invoice.id, '--yes', '--reason', 'one came late');
    assert.deepEqual([done.code, done.stderr], [0, '']);
    assert.match(done.stdout, new RegExp(`^ {2}Replaces ${invoice.id}$[^]*Total USD +1\\.62$`, 'm'));
    const old = await read(`/v1/invoices/${invoice.id}`);
    assert.deepEqual([old.status, old.void_reason], ['void', 'one came late']);
    const { stdout } = await run('show', invoice.id);
    assert.match(stdout, /· VOID ·[^]*Void since .*: one came late\n +Replaced by inv_/);
    const again = await run('regenerate', invoice.id, '--yes');
    assert.deepEqual([again.code, again.stdout], [1, '']);
    assert.match(again.stderr, /is void and cannot be regenerated\n +409, request req_/);
  });

  it('regenerate --json: one document, the changes or with --yes the new invoice', async () => {
    const invoice = await anInvoice();
    const shown = await run('regenerate', invoice.id, '--json');
    assert.deepEqual([shown.code, JSON.parse(shown.stdout).object], [2, 'regeneration_preview']);
    const done = await run('regenerate', invoice.id, '--json', '--yes');
    assert.deepEqual([done.code, JSON.parse(done.stdout).replaces], [0, invoice.id]);
  });
});
