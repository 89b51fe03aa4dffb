import assert from 'node:assert/strict';
import { usePlannedCharges } from '../../support/ledger/planned-charges.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { RECONCILE_SCHEDULE } from '../../../workflows/messages.ts';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';

const DECLINED = { declined: 'insufficient_funds' };
const eights = (...days: string[]) => days.map((day) => at(`${day}T08:00`));

describe('an invoice that is charged by itself', () => {
  const charges = usePlannedCharges();
  const { advance, aMethod, aPayer, attemptsOf, done, emailsOf, invoiceOf, once, read, until } = charges;
  const declined = (...days: string[]) => eights(...days).map((day) => [day, 'declined']);

  it('is planned at its issue within the hours, and paid then', async () => {
    const id = await aPayer('succeeds');
    const planned = await until(id, at('02-01T07:59'), 'scheduled');
    assert.deepEqual(planned.collection, {
      status: 'scheduled',
      attempts: 0,
      next_attempt_at: at('02-01T08:00'),
      workflow_id: `collect-${planned.id}`,
    });
    const listed = await read('/v1/invoices?collection=scheduled');
    assert.deepEqual(
      listed.data.map((invoice: Json) => invoice.id),
      [planned.id],
    );
    const paid = await until(id, at('02-01T08:00'), 'done');
    assert.equal(paid.status, 'paid');
    assert.deepEqual(paid.collection, {
      ...{ status: 'done', attempts: 1, next_attempt_at: null },
      workflow_id: `collect-${planned.id}`,
    });
    assert.deepEqual(await attemptsOf(id), [[at('02-01T08:00'), 'succeeded']]);
    const { data } = await read(`/v1/payment-attempts?invoice_id=${planned.id}`);
    assert.equal(data[0].by, 'schedule');
    const handle = charges.stack().temporal.client.workflow.getHandle(paid.collection.workflow_id);
    await handle.result();
  });

  it('and declined four times is exhausted; its payer hears of the first one and the last one', async () => {
    const id = await aPayer(DECLINED);
    const invoice = await until(id, at('03-01'), 'exhausted');
    assert.deepEqual(await attemptsOf(id), declined('02-01', '02-04', '02-08', '02-15'));
    assert.equal(invoice.collection.attempts, 4);
    const emails = await eventually(
      () => emailsOf(id),
      (all) => all.length === 2,
    );
    assert.deepEqual(
      emails.map(({ send_at }) => send_at),
      eights('02-01', '02-15'),
    );
    for (const { invoice_ids, object_id, text } of emails) {
      assert.deepEqual([invoice_ids, object_id.slice(0, 4)], [[invoice.id], 'pat_']);
      assert.match(text, /Visa 4242/);
      assert.doesNotMatch(text, /insufficient/);
    }
    const { data } = await read(`/v1/changes?limit=200`);
    const exhausted = data.filter(
      ({ type, data: changed }: { type: string; data: { id: string; collection?: { status: string } } }) =>
        type === 'invoice.updated' && changed.id === invoice.id && changed.collection?.status === 'exhausted',
    );
    assert.ok(exhausted.length > 0);
  });

  it('with a new default method is charged at once, and its days count from then', async () => {
    const id = await aPayer(DECLINED);
    await until(id, at('02-20T03:00'), 'exhausted');
    const method = await aMethod(id, DECLINED);
    await done(`/v1/payment-methods/${method.id}/default`);
    const again = await eventually(
      () => invoiceOf(id),
      ({ collection }) => collection.attempts === 5 && collection.status === 'scheduled',
    );
    assert.equal((await attemptsOf(id)).at(-1)![0], at('02-20T03:00'));
    assert.equal(again.collection.next_attempt_at, at('02-23T08:00'));
    await eventually(
      () => emailsOf(id),
      (emails) => emails.length === 3,
    );
  });

  it('is tried the next day where the bank says later', async () => {
    const id = await aPayer({ declined: 'try_again_later' });
    const invoice = await until(id, at('02-01T08:00'), 'scheduled').then(() =>
      eventually(
        () => invoiceOf(id),
        ({ collection }) => collection.attempts === 1 && collection.status === 'scheduled',
      ),
    );
    assert.equal(invoice.collection.next_attempt_at, at('02-02T08:00'));
  });

  it('with a stolen card is charged once, and tells its payer once', async () => {
    const id = await aPayer({ declined: 'stolen_card' });
    await until(id, at('03-01'), 'exhausted');
    assert.deepEqual(await attemptsOf(id), declined('02-01'));
    const { data } = await read(`/v1/payment-methods?customer_id=${id}`);
    assert.equal(data[0].status, 'failing');
    await eventually(
      () => emailsOf(id),
      (emails) => emails.length === 1,
    );
  });

  it('that its payer has to confirm waits for a new default method', async () => {
    const id = await aPayer('authentication_required');
    const waiting = await until(id, at('02-10'), 'action_required');
    assert.equal(waiting.collection.next_attempt_at, null);
    await eventually(
      () => emailsOf(id),
      (emails) => emails.length === 1,
    );
    const method = await aMethod(id, 'succeeds');
    await done(`/v1/payment-methods/${method.id}/default`);
    await once(id, 'done');
    assert.deepEqual(
      (await attemptsOf(id)).map(([, status]) => status),
      ['action_required', 'succeeded'],
    );
  });

  it('without a method is charged within the hours with the first one', async () => {
    const id = await aPayer(null, { net_days: 14 });
    await advance(id, at('02-02T22:00'));
    await eventually(
      () => invoiceOf(id),
      ({ collection }) => collection.status === 'none' && collection.workflow_id !== null,
    );
    await aMethod(id, 'succeeds');
    const planned = await once(id, 'scheduled');
    assert.equal(planned.collection.next_attempt_at, at('02-03T08:00'));
    await until(id, at('02-03T08:00'), 'done');
  });

  it('that is paused is charged when the pause ends, within the hours', async () => {
    const id = await aPayer('succeeds');
    const { id: invoice } = await until(id, at('02-01'), 'scheduled');
    await done(`/v1/invoices/${invoice}/pause-collection`, {
      reason: 'promised',
      until: at('02-09').slice(0, 10),
    });
    const paused = await until(id, at('02-08'), 'paused');
    assert.equal(paused.collection.next_attempt_at, at('02-01T08:00'));
    await until(id, at('03-01'), 'done');
    assert.deepEqual(await attemptsOf(id), [[at('02-10T08:00'), 'succeeded']]);
  });

  it('that is paid, void or of another mode by then is not charged', async () => {
    const [paid, switched, own] = [
      await aPayer('succeeds'),
      await aPayer('succeeds'),
      await aPayer('succeeds', { charge_mode: 'manual' }),
    ];
    const { id: invoice } = await until(paid, at('02-01'), 'scheduled');
    await until(switched, at('02-01'), 'scheduled');
    await advance(own, at('02-01'));
    await done(`/v1/invoices/${invoice}/pay`);
    await charges.patch(`/v1/customers/${switched}`, { charge_mode: 'manual' });
    assert.equal((await invoiceOf(switched)).collection.status, 'none');
    await advance(switched, at('02-02'));
    await advance(paid, at('02-02'));
    await eventually(
      async () =>
        (
          await charges.stack().pool.query(
            `select from collections where status = 'scheduled'
          and invoice_id = any($1)`,
            [[invoice, (await invoiceOf(switched)).id]],
          )
        ).rowCount,
      (count) => count === 0,
    );
    await charges.patch(`/v1/customers/${switched}`, { charge_mode: 'automatic' });
    for (const [id, status] of [
      [paid, 'done'],
      [switched, 'none'],
      [own, 'none'],
    ] as const) {
      await advance(id, at('03-01'));
      assert.equal((await invoiceOf(id)).collection.status, status);
      assert.deepEqual(await attemptsOf(id), []);
    }
    assert.equal((await invoiceOf(own)).collection.workflow_id, null);
  });

  it('that is overdue and had no plan is charged with a new default method', async () => {
    const id = await aPayer(null, { charge_mode: 'manual' });
    await advance(id, at('02-20T03:00'));
    await charges.quiet();
    await charges.patch(`/v1/customers/${id}`, { charge_mode: 'automatic' });
    await aMethod(id, 'succeeds');
    await once(id, 'done');
    assert.deepEqual(await attemptsOf(id), [[at('02-20T03:00'), 'succeeded']]);
  });

  it('has its workflow started again where it is lost', async () => {
    const id = await aPayer('succeeds');
    const { collection } = await until(id, at('02-01'), 'scheduled');
    const { client } = charges.stack().temporal;
    const handle = client.workflow.getHandle(collection.workflow_id);
    await eventually(
      async () => (await handle.describe().catch(() => null))?.status.name,
      (status) => status === 'RUNNING',
    );
    await handle.terminate();
    await client.schedule.getHandle(RECONCILE_SCHEDULE).trigger();
    await eventually(
      async () => (await handle.describe()).status.name,
      (status) => status === 'RUNNING',
    );
    await until(id, at('02-01T08:00'), 'done');
  });

  it('and resumed by a person at night is charged within the hours', async () => {
    const id = await aPayer('succeeds');
    const { id: invoice } = await until(id, at('02-01'), 'scheduled');
    await done(`/v1/customers/${id}/pause-collection`, { reason: 'other' });
    await until(id, at('02-02T22:00'), 'paused');
    await done(`/v1/customers/${id}/resume-collection`);
    await once(id, 'scheduled');
    const listed = async (status: string) =>
      (await read(`/v1/invoices?collection=${status}&customer_id=${id}`)).data.map(
        ({ id: one }: Json) => one,
      );
    assert.deepEqual([await listed('scheduled'), await listed('done')], [[invoice], []]);
    await until(id, at('02-03T08:00'), 'done');
    assert.deepEqual(await attemptsOf(id), [[at('02-03T08:00'), 'succeeded']]);
    assert.deepEqual(
      [await listed('scheduled'), await listed('none'), await listed('done')],
      [[], [], [invoice]],
    );
  });

  it('is charged by a person beside its plan, which stays as it is', async () => {
    const id = await aPayer(DECLINED);
    const { id: invoice } = await until(id, at('02-01'), 'scheduled');
    assert.equal((await done(`/v1/invoices/${invoice}/charge`)).status, 'declined');
    const planned = await once(id, 'scheduled');
    assert.deepEqual(
      [planned.collection.attempts, planned.collection.next_attempt_at],
      [1, at('02-01T08:00')],
    );
    assert.deepEqual(await emailsOf(id), []);
  });
});
