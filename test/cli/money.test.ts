import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { commandsOf } from '../support/servers/command.ts';
import { useStack } from '../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

describe('npm run tidemark -- items, discounts, payments, balance and invoices list', function () {
  const stack = useStack();
  const { advance, customer, plan, read, subscribe } = testCustomersOn(requestsTo(stack));

  const { run, printed, json } = commandsOf(stack);

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

  it('a discount is created, read, listed and ended', async () => {
    const customer_id = await customer({ timezone: 'Europe/Vienna' });
    const { id: subscription } = await subscribe(customer_id, await plan([FLAT]));
    const create = ['discounts', 'create', customer_id, '12.5', '--name', 'Launch'];
    const span = ['--from', at('02-01').slice(0, 10), '--until', at('07-01').slice(0, 10)];
    const created = await json(
      ...create,
      '--event',
      'seats',
      'api, call',
      '--subscription',
      subscription,
      ...span,
    );
    assert.deepEqual(
      [created.percent, created.event_names, created.subscription_id],
      ['12.5', ['seats', 'api, call'], subscription],
    );
    // Midnight in Vienna, in winter and in summer.
    assert.match(`${created.from} ${created.until}`, /-01-31T23:00:00\.000Z \d{4}-06-30T22:00:00\.000Z$/);
    assert.deepEqual(await json('discounts', 'get', created.id), created);
    assert.match(await printed('discounts', 'get', created.id), /^percent +12\.5 %$/m);
    const loyalty = await json('discounts', 'create', customer_id, '10', '--name', 'Loyalty');
    assert.deepEqual([loyalty.event_names, loyalty.subscription_id, loyalty.until], [null, null, null]);
    const ended = await printed('discounts', 'end', created.id, '--until', at('05-01'));
    assert.match(ended, new RegExp(`^until +${at('05-01')}$`, 'm'));
    assert.match(await printed('discounts', 'end', loyalty.id), /^status +ended$/m);
    const list = ['discounts', 'list', '--customer', customer_id];
    assert.deepEqual(
      (await json(...list, '--subscription', subscription)).data.map(({ id }: Json) => id),
      [created.id],
    );
    const row = new RegExp(`^${created.id} +${customer_id} +active +12\\.5 % +Launch `, 'm');
    assert.match(await printed(...list, '--status', 'active'), row);
    assert.doesNotMatch(await printed(...list, '--status', 'active'), /Loyalty/);
    const rebate = await json('discounts', 'create', customer_id, '--amount', '10', '--name', 'Rebate');
    assert.deepEqual([rebate.percent, rebate.amount], [null, '10.00']);
    assert.match(await printed('discounts', 'get', rebate.id), /^amount +10\.00 USD$/m);
    assert.match(await printed(...list), new RegExp(`^${rebate.id} .* 10\\.00 USD +Rebate `, 'm'));
    for (const reduction of [[], ['10', '--amount', '10'], ['--amount', '10', '--event', 'seats']]) {
      const { code, stderr } = await run('discounts', 'create', customer_id, ...reduction, '--name', 'Both');
      assert.equal(code, 1);
      assert.match(
        stderr,
        reduction.length === 0 ? /percent or amount is required/ : /must not be sent with/,
      );
    }
    const refused = await run('discounts', 'end', loyalty.id);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /has ended/);
    assert.match((await run(...create.with(3, '101'))).stderr, /percent/);
  });

  it('a payment in advance is deposited, an equal one only if it is allowed, and reversed', async () => {
    const customer_id = await customer();
    const deposit = ['payments', 'deposit', customer_id, '100', '--reference', 'Advance 1'];
    const payment = await json(...deposit, '--paid-at', at('01-01'));
    assert.deepEqual([payment.invoice_id, payment.amount, payment.to_balance], [null, '100.00', '100.00']);
    const refused = await run(...deposit);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, new RegExp(payment.id));
    assert.match(await printed(...deposit, '--allow-duplicate'), /^to_balance +100\.00 USD$/m);
    const reversed = await printed('payments', 'reverse', payment.id, '--reason', 'returned');
    assert.match(reversed, /^reversed_at +\d{4}-/m);
    assert.equal((await read(`/v1/customers/${customer_id}`)).balance, '100.00');
    assert.match(await printed('payments', 'list', '--reference', 'Advance 1'), /100\.00 USD +Advance 1/);
  });

  it('a payment of a paid invoice goes to the balance if it may', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    const [invoice] = await advance(customer_id, at('02-01'));
    const record = ['payments', 'record', invoice!.id, '--amount'];
    await printed(...record, '49');
    assert.equal((await run(...record, '1')).code, 1);
    assert.match(await printed(...record, '1', '--to-balance'), /^to_balance +1\.00 USD$/m);
    assert.equal((await read(`/v1/customers/${customer_id}`)).balance, '1.00');
  });

  it('no help shows a deposit as an adjustment', async () => {
    assert.doesNotMatch((await run('balance', 'adjust', '--help')).stdout, /deposit/i);
    assert.match((await run('payments', 'deposit', '--help')).stdout, /payments deposit acme 100\.00/);
    assert.match((await run('payments', 'reverse', '--help')).stdout, /\[invoice\] <payment>/);
  });

  it('the balance is adjusted and listed', async () => {
    const customer_id = await customer();
    await printed('balance', 'adjust', customer_id, '100.00', '--reason', 'Goodwill');
    const taken = await run('balance', 'adjust', customer_id, '--reason', 'Payout', '--', '-40.00');
    assert.match(taken.stdout, /^amount +-40\.00 USD$/m);
    assert.match(await printed('balance', 'list', customer_id), /adjustment +-40\.00 USD +Payout/);
    const refused = await run('balance', 'adjust', customer_id, '--reason', 'Payout', '--', '-60.01');
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /takes more than 60\.00/);
  });
});
