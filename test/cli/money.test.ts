import assert from 'node:assert/strict';
import type { Json } from '../support/api.ts';
import { runCommand, type Ran } from '../support/command.ts';
import { useStack } from '../support/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../support/test-customer.ts';

describe('npm run tidemark -- items, payments, balance and invoices list', function () {
  const stack = useStack();
  const { advance, customer, plan, read, subscribe } = testCustomersOn(requestsTo(stack));

  const run = (...args: string[]): Promise<Ran> => {
    const { api_url, test_key } = stack();
    return runCommand({ TIDEMARK_URL: api_url, TIDEMARK_KEY: test_key }, ...args);
  };
  async function printed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stderr], [0, ''], stderr);
    return stdout;
  }
  const json = async (...args: string[]): Promise<Json> => JSON.parse(await printed(...args, '--json'));

  it('an item is added, listed, deleted, and another is billed and paid', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    const added = await printed(
      'items',
      'add',
      customer_id,
      '80',
      '--quantity',
      '2.5',
      '--description',
      'Work',
    );
    assert.match(added, /^amount +200\.00 USD$/m);
    const { stdout } = await run('items', 'add', customer_id, '--description', 'Outage', '--', '-10');
    assert.match(stdout, /^unit_amount +-10$/m);
    const listed = await printed('items', 'list', '--customer', customer_id);
    assert.match(listed, /pending +Work +200\.00 USD +-$/m);
    const [outage] = (await json('items', 'list', '--customer', customer_id)).data;
    assert.equal((await printed('items', 'delete', outage.id)).trim(), `deleted ${outage.id}`);
    const [invoice] = await advance(customer_id, at('02-01'));
    const row = await printed('invoices', 'list', '--customer', customer_id, '--status', 'open');
    assert.match(
      row,
      new RegExp(`^${invoice!.id} +INV-\\d+ +${customer_id} +open +249\\.00 USD +249\\.00`, 'm'),
    );
    const payment = await json(
      'payments',
      'record',
      invoice!.id,
      '--amount',
      '49',
      '--reference',
      'Transfer 1',
    );
    assert.match(await printed('payments', 'list', '--reference', 'Transfer 1'), /49\.00 USD +Transfer 1/);
    const reversed = await printed('payments', 'reverse', invoice!.id, payment.id, '--reason', 'by mistake');
    assert.match(reversed, /^reversed_at +\d{4}-/m);
    await printed('payments', 'record', invoice!.id);
    assert.equal((await read(`/v1/invoices/${invoice!.id}`)).status, 'paid');
    assert.equal((await run('payments', 'record', invoice!.id)).code, 1);
  });

  it('the balance is adjusted and listed', async () => {
    const customer_id = await customer();
    await printed('balance', 'adjust', customer_id, '100.00', '--reason', 'Deposit');
    const taken = await run('balance', 'adjust', customer_id, '--reason', 'Payout', '--', '-40.00');
    assert.match(taken.stdout, /^amount +-40\.00 USD$/m);
    assert.match(await printed('balance', 'list', customer_id), /adjustment +-40\.00 USD +Payout/);
    const refused = await run('balance', 'adjust', customer_id, '--reason', 'Payout', '--', '-60.01');
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /takes more than 60\.00/);
  });
});
