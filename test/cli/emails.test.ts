import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../support/servers/api.ts';
import { commandsOf } from '../support/servers/command.ts';
import { payersOn } from '../support/ledger/emails.ts';

describe('emails on the command line', function () {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  const { run, printed, json } = commandsOf(() => api);
  const { anInvoice } = payersOn(() => api);
  const live = (): string[] => ['--live', '--key', api.live_key];

  it('sends, shows, cancels, sends again and lists emails', async () => {
    const invoice = await anInvoice();
    const email = await json('emails', 'send', invoice.id, ...live());
    assert.deepEqual([email.object_id, email.status], [invoice.id, 'queued']);
    const shown = await printed('emails', 'show', email.id, ...live());
    assert.match(shown, /^status +queued$/m);
    assert.match(shown, /^to +ada@acme\.com$/m);
    assert.match(shown, new RegExp(`^files +${invoice.number}\\.pdf$`, 'm'));
    assert.match(shown, /\[link\]/);
    assert.match(await printed('emails', 'cancel', email.id, ...live()), /^reason +by_hand$/m);
    const resent = await json('emails', 'resend', email.id, '--to', 'eva@acme.com,ida@acme.com', ...live());
    assert.equal(resent.resend_of, email.id);
    const list = await printed('emails', 'list', '--invoice', invoice.id, '--status', 'queued', ...live());
    assert.match(list, new RegExp(`^${resent.id} +invoice .* queued .* eva@acme\\.com,ida@acme\\.com`, 'm'));
    assert.doesNotMatch(list, new RegExp(email.id));
  });

  it('refuses what is no document, and says why a document is not sent', async () => {
    const nothing = await run('emails', 'send', 'cus_1', ...live());
    assert.deepEqual([nothing.code, nothing.stderr.includes('cus_1 is no invoice')], [2, true]);
    const invoice = await anInvoice({ email: null });
    const refused = await run('emails', 'send', invoice.id, ...live());
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /the customer has no address/);
  });
});
