import assert from 'node:assert/strict';
import { payersOn } from '../support/ledger/emails.ts';
import { startApi, type TestApi } from '../support/servers/api.ts';
import { commandsOf } from '../support/servers/command.ts';

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
