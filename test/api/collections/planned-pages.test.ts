import assert from 'node:assert/strict';
import { usePlannedCharges } from '../../support/ledger/planned-charges.ts';
import { at } from '../../support/ledger/test-customer.ts';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';

/** billing.md 21 and 22: what is planned, beside a page and beside a change of the mode. */
describe('a planned charge', function () {
  this.timeout(120_000);

  const charges = usePlannedCharges();
  const { advance, aMethod, aPayer, attemptsOf, done, invoiceOf, once, patch, stripe, until } = charges;

  /** A payer whose charge is planned for 8:00 on 1 February, and the page on which its invoice is paid. */
  const aPage = async (): Promise<{ id: string; invoice: Json; page: Json }> => {
    const id = await aPayer('succeeds');
    const invoice = await until(id, at('02-01'), 'scheduled');
    return { id, invoice, page: await done(`/v1/invoices/${invoice.id}/payment-sessions`) };
  };
  const sessionOf = ({ id }: Json) => charges.read(`/v1/payment-sessions/${id}`);

  it('closes the page of its invoice first', async () => {
    const { id, page } = await aPage();
    await until(id, at('02-01T08:00'), 'done');
    assert.equal((await sessionOf(page)).status, 'expired');
    assert.throws(() => stripe().payPage(page.url), /is expired/);
    assert.deepEqual(await attemptsOf(id), [[at('02-01T08:00'), 'succeeded']]);
  });

  it('charges nothing where the page was paid', async () => {
    const { id, invoice, page } = await aPage();
    stripe().payPage(page.url);
    await until(id, at('02-01T08:00'), 'done');
    assert.equal((await sessionOf(page)).status, 'paid');
    assert.equal(stripe().chargesOf(invoice.id).length, 1);
    assert.deepEqual(await attemptsOf(id), []);
  });

  it('waits for a debit that the page has begun, and is made if that fails', async () => {
    const { id, page } = await aPage();
    const intent = stripe().payPage(page.url, 'processing');
    const { workflow_id } = (await until(id, at('02-01T08:00'), 'scheduled')).collection;
    await eventually(
      async () =>
        (await charges.stack().temporal.client.workflow.getHandle(workflow_id).describe()).searchAttributes,
      (attributes) => String(attributes['CollectionState']) === 'processing',
    );
    assert.deepEqual(await attemptsOf(id), []);
    stripe().finish(intent, { declined: 'insufficient_funds' });
    await done(`/v1/payment-sessions/${page.id}/refresh`);
    await once(id, 'done');
    assert.equal((await attemptsOf(id)).length, 1);
  });

  it('is made of nothing that was issued, and by no method that became the default, before the mode was automatic', async () => {
    const id = await aPayer('succeeds', { charge_mode: 'manual', net_days: 1 });
    await advance(id, at('02-10'));
    await aMethod(id, 'succeeds').then(({ id: method }) => done(`/v1/payment-methods/${method}/default`));
    await patch(`/v1/customers/${id}`, { charge_mode: 'automatic' });
    await advance(id, at('02-20'));
    const other = await aPayer('succeeds', { net_days: 1 });
    await until(other, at('02-20'), 'done');
    assert.equal((await invoiceOf(id)).collection.status, 'none');
    assert.deepEqual(await attemptsOf(id), []);
  });

  it('rests while its invoice is paid, and goes on if something is due again before its time', async () => {
    const [before, after] = [await aPayer('succeeds'), await aPayer('succeeds')];
    for (const [id, to] of [
      [before, at('02-01')],
      [after, at('02-02')],
    ] as const) {
      const { id: invoice } = await until(id, at('02-01'), 'scheduled');
      const { payments } = await done(`/v1/invoices/${invoice}/pay`);
      await until(id, to, 'done');
      if (id === after)
        await eventually(
          () =>
            charges.stack().pool.query('select first_at from collections where invoice_id = $1', [invoice]),
          ({ rows }) => rows[0].first_at === null,
        );
      await done(`/v1/payments/${payments[0].id}/reverse`, { reason: 'bounced' });
    }
    await until(before, at('02-05'), 'done');
    assert.equal((await attemptsOf(before)).length, 1);
    await advance(after, at('03-01'));
    await charges.quiet();
    assert.equal((await invoiceOf(after)).collection.status, 'none');
    assert.deepEqual(await attemptsOf(after), []);
  });

  it('rests after a charge by a person, and goes on once that is refunded and the pause ends', async () => {
    const id = await aPayer('succeeds');
    const { id: invoice } = await until(id, at('02-01'), 'scheduled');
    await done(`/v1/invoices/${invoice}/charge`);
    const { payments } = await once(id, 'done');
    await done(`/v1/payments/${payments[0].id}/refund`, { reason: 'goodwill' });
    assert.equal((await once(id, 'paused')).collection.next_attempt_at, at('02-01T08:00'));
    await done(`/v1/invoices/${invoice}/resume-collection`);
    await until(id, at('02-01T08:00'), 'done');
    assert.equal(stripe().chargesOf(invoice).length, 2);
  });
});
