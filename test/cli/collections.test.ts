import assert from 'node:assert/strict';
import { payersOn } from '../support/ledger/emails.ts';
import { savedCardsOn } from '../support/ledger/saved-cards.ts';
import { requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';
import { startApi, type TestApi } from '../support/servers/api.ts';
import { commandsOf } from '../support/servers/command.ts';
import { useStack } from '../support/servers/stack.ts';
import { TEST_KEY } from '../support/servers/stripe-stand-in.ts';
import { useStripe } from '../support/servers/use-stripe.ts';

describe('collections on the command line', function () {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  const { run, printed, json } = commandsOf(() => api);
  const { anInvoice } = payersOn(() => api);
  const live = (): string[] => ['--live', '--key', api.live_key];

  it('pauses and resumes an invoice and a customer, and lists what is paused', async () => {
    const invoice = await anInvoice();
    const pause = [
      '--reason',
      'promised',
      '--until',
      new Date().toISOString().slice(0, 10),
      '--note',
      'Called',
    ];
    for (const object of [invoice.id, invoice.customer_id]) {
      const shown = await printed('collections', 'pause', object, ...pause, ...live());
      assert.match(shown, /^paused +promised until \d{4}-\d\d-\d\d$/m);
      assert.match(shown, /^note +Called$/m);
      const list = await printed('collections', 'list', '--paused', ...live());
      assert.match(
        list,
        new RegExp(`^${invoice.id} +${invoice.number} .* 2\\.00 USD .* promised until`, 'm'),
      );
      assert.match(await printed('collections', 'resume', object, ...live()), /^paused +-$/m);
    }
    assert.equal((await json('collections', 'list', '--paused', ...live())).data.length, 0);
  });

  it('shows what a customer owes', async () => {
    const invoice = await anInvoice();
    const shown = await printed('collections', 'statement', invoice.customer_id, ...live());
    assert.match(shown, /^due +2\.00 USD$/m);
    assert.match(shown, new RegExp(`^${invoice.number} +${invoice.due_date} +\\d+ +2\\.00 USD +-$`, 'm'));
  });

  it('says why nothing is resumed, and needs a reason for a pause', async () => {
    const { id } = await anInvoice();
    const refused = await run('collections', 'resume', id, ...live());
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /is not paused/);
    assert.equal((await run('collections', 'pause', id, ...live())).code, 2);
  });
});

describe('charges on the command line', function () {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const customers = testCustomersOn(requestsTo(stack));
  const { saveCard, anOpenInvoice } = savedCardsOn(customers, { stack, stripe });
  const { run, printed } = commandsOf(stack, 'collections');

  it('charge says how an attempt ended, and attempts lists them', async () => {
    await customers.done('/v1/payment-providers', { kind: 'stripe', secret_key: TEST_KEY });
    const id = await customers.customer({}, null);
    const invoice = await anOpenInvoice(id);
    const refused = await run('charge', invoice);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /no default payment method/);
    await saveCard(id, '0002', { declined: 'insufficient_funds' });
    await saveCard(id, '1881', 'succeeds');
    const declined = await printed('charge', invoice);
    assert.match(declined, /^status +declined$/m);
    assert.match(declined, /^decline code +insufficient_funds$/m);
    const { data } = await customers.read(`/v1/payment-methods?customer_id=${id}`);
    const method: string = data.find(({ label }: { label: string }) => label === 'Visa 1881').id;
    const succeeded = await printed('charge', invoice, '--method', method);
    assert.match(succeeded, /^status +succeeded$/m);
    assert.match(succeeded, /^payment +pay_/m);
    for (const filter of [['--invoice', invoice], ['--customer', id], []]) {
      const list = await printed('attempts', ...filter);
      assert.match(
        list,
        new RegExp(`^pat_\\w+ +${invoice} +2 +49.00 USD +${method} +succeeded +- +pay_`, 'm'),
      );
      assert.match(list, /declined +insufficient_funds +-$/m);
    }
    const only_declined = await printed('attempts', '--status', 'declined');
    assert.doesNotMatch(only_declined, /succeeded/);
    assert.match(only_declined, /insufficient_funds/);
    assert.equal((await run('attempts', '--status', 'failed')).code, 2);
  });

  it('payments refund gives a part of a charge back', async () => {
    const id = await customers.customer({}, null);
    await saveCard(id, '4242', 'succeeds');
    await printed('charge', await anOpenInvoice(id));
    const { data } = await customers.read(`/v1/payments?customer_id=${id}`);
    const payments = commandsOf(stack, 'payments');
    const refunded = await payments.printed('refund', data[0].id, '--amount', '9', '--reason', 'goodwill');
    assert.match(refunded, /^reversed_at +\d/m);
    const above = await payments.run('refund', data[0].id, '--amount', '9', '--reason', 'again');
    assert.equal(above.code, 1);
    assert.match(above.stderr, /is reversed/);
  });

  it('link makes a page on which the payer pays, until the invoice is paid', async () => {
    const invoice = await anOpenInvoice(await customers.customer({}, null));
    const made = await printed('link', invoice);
    assert.match(made, /^amount +49\.00 USD$/m);
    const [url = ''] = /https:\/\/checkout\.stripe\.com\S+/.exec(made) ?? [];
    stripe().payPage(url);
    const refused = await run('link', invoice, '--save');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /is paid/);
  });
});
