import assert from 'node:assert/strict';
import { collectNext } from '../../src/collection/collect.ts';
import type { PaymentProvider } from '../../src/collection/provider.ts';
import { recordPayment } from '../../src/billing/owed/pay.ts';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { transaction, type Db } from '../../src/db/connection/pool.ts';
import { markProviderDeleted } from '../../src/db/collection/providers.ts';
import { findInvoice } from '../../src/db/invoicing/invoices.ts';
import type { Invoice } from '../../src/objects/invoice.ts';
import * as given from '../support/ledger/billing.ts';
import { useCharges } from '../support/ledger/charges.ts';
import { untilSomebodyWaits } from '../support/ledger/locks.ts';

type Call = 'intentsOf' | 'prepareIntent' | 'readIntent' | 'setIntentAmount' | 'confirmIntent';

describe('what happens to an invoice while it is charged', () => {
  const charges = useCharges();
  const { aChargedInvoice, begin, collect, attempts, payments } = charges;

  /** Collects an invoice; `act` is done when the provider has done a call, before its answer is stored. */
  const collectWith = async (invoice: Invoice, after: Call, act: () => Promise<unknown>): Promise<void> => {
    const { providerOf, ...charger } = charges.charger();
    const opened = (await providerOf({ environment_id: given.LIVE, provider_id: 'pp_acme' }))!;
    let is_done = false;
    const acting = new Proxy(opened.provider, {
      get: (target, name: keyof PaymentProvider) => {
        if (name !== after) return target[name];
        return async (...parameters: never[]) => {
          const answer: unknown = await (target[name] as (...all: never[]) => Promise<unknown>)(
            ...parameters,
          );
          if (!is_done) await act();
          is_done = true;
          return answer;
        };
      },
    });
    const key = { environment_id: given.LIVE, invoice_id: invoice.id };
    await collectNext({ ...charger, providerOf: async () => ({ ...opened, provider: acting }) }, key);
    assert.ok(is_done, `${after} was called`);
  };
  const chargeWith = async (invoice: Invoice, after: Call, act: () => Promise<unknown>): Promise<void> => {
    await begin(invoice);
    await collectWith(invoice, after, act);
  };
  const inLedger =
    <T>(work: (db: Db) => Promise<T>) =>
    () =>
      transaction(charges.pool(), work);
  const payOf = (invoice: Invoice, amount: string) =>
    inLedger((db) =>
      recordPayment(db, given.LIVE, invoice.id, {
        amount,
        paid_at: null,
        reference: 'bank',
        excess: 'refused',
        allow_duplicate: false,
        by: 'key_1',
      }),
    );
  const voidOf = (invoice: Invoice) => inLedger((db) => voidInvoice(db, given.LIVE, invoice.id, null));
  const stateOf = async (invoice: Invoice) => {
    const { rows } = await charges
      .pool()
      .query<{ balance: string }>(
        'select c.balance::text as balance from customers c join invoices i on i.customer_id = c.id where i.id = $1',
        [invoice.id],
      );
    const { status, amount_due } = (await findInvoice(charges.pool(), given.LIVE, invoice.id))!;
    return { status, amount_due, balance: rows[0]!.balance };
  };
  const charged = (invoice: Invoice) =>
    charges
      .stripe()
      .chargesOf(invoice.id)
      .map(({ amount }) => amount);
  const ends = async () => (await attempts()).map(({ status, amount }) => `${status} ${amount}`);

  it('a part is paid before it is confirmed: the rest is charged', async () => {
    const { invoice } = await aChargedInvoice();
    await chargeWith(invoice, 'prepareIntent', payOf(invoice, '30.00'));
    assert.deepEqual([charged(invoice), await ends()], [[7000], ['succeeded 70.00']]);
    assert.deepEqual(await stateOf(invoice), { status: 'paid', amount_due: '0.00', balance: '0' });
  });

  it('a part is paid while the amount is set: the rest of then is charged', async () => {
    const { invoice } = await aChargedInvoice();
    await begin(invoice);
    charges.stripe().faultNext(/confirm$/, { status: 500, error: { type: 'api_error', message: 'no' } });
    await collect(invoice);
    await payOf(invoice, '20.00')();
    await collectWith(invoice, 'setIntentAmount', payOf(invoice, '10.00'));
    assert.deepEqual([charged(invoice), await ends()], [[7000], ['succeeded 70.00']]);
  });

  it('a part is paid after it is confirmed: what was charged too much goes to the balance', async () => {
    const { invoice } = await aChargedInvoice();
    await chargeWith(invoice, 'confirmIntent', payOf(invoice, '30.00'));
    assert.deepEqual(charged(invoice), [10000]);
    assert.deepEqual(
      (await payments()).map(({ amount, to_balance }) => [amount, to_balance]),
      [['100.00', '30.00']],
    );
    assert.deepEqual(await stateOf(invoice), { status: 'paid', amount_due: '0.00', balance: '30.00' });
  });

  for (const after of ['intentsOf', 'prepareIntent'] as const) {
    it(`paid by hand after ${after}: canceled`, async () => {
      const { invoice } = await aChargedInvoice();
      await chargeWith(invoice, after, payOf(invoice, '100.00'));
      assert.deepEqual([charged(invoice), await ends()], [[], ['canceled 100.00']]);
      for (const { status } of charges.stripe().state.all('payment_intent')) assert.equal(status, 'canceled');
    });

    it(`void after ${after}: canceled`, async () => {
      const { invoice } = await aChargedInvoice();
      await chargeWith(invoice, after, voidOf(invoice));
      assert.deepEqual([charged(invoice), await ends()], [[], ['canceled 100.00']]);
    });
  }

  it('paused before it is confirmed: canceled', async () => {
    const { invoice } = await aChargedInvoice();
    const pause = {
      reason: 'promised',
      until: null,
      created_at: '2026-01-01T00:00:00Z',
      created_by: 'key_1',
    };
    await chargeWith(invoice, 'prepareIntent', () =>
      charges
        .pool()
        .query('update invoices set collection_pause = $2 where id = $1', [
          invoice.id,
          JSON.stringify(pause),
        ]),
    );
    assert.deepEqual([charged(invoice), await ends()], [[], ['canceled 100.00']]);
    await assert.rejects(begin(invoice), { message: /paused/ });
  });

  it('void after it is confirmed: the money goes to the balance, as a payment in advance', async () => {
    const { invoice } = await aChargedInvoice();
    await chargeWith(invoice, 'confirmIntent', voidOf(invoice));
    assert.deepEqual(
      (await payments()).map(({ reference: _, ...payment }) => payment),
      [{ invoice_id: null, amount: '100.00', to_balance: '100.00' }],
    );
    assert.deepEqual(await stateOf(invoice), { status: 'void', amount_due: '0.00', balance: '100.00' });
  });

  it('paid by hand after it is confirmed: the money goes to the balance', async () => {
    const { invoice } = await aChargedInvoice();
    await chargeWith(invoice, 'confirmIntent', payOf(invoice, '100.00'));
    assert.deepEqual(await stateOf(invoice), { status: 'paid', amount_due: '0.00', balance: '100.00' });
  });

  it('webhook before the answer: another process settles, the first one finds the payment', async () => {
    const { invoice } = await aChargedInvoice();
    await chargeWith(invoice, 'confirmIntent', () => collect(invoice));
    assert.deepEqual([charged(invoice), await ends()], [[10000], ['succeeded 100.00']]);
    assert.equal((await payments()).length, 1);
  });

  it('the provider is deleted as a charge begins: the charge waits, and there is no attempt that nobody ends', async () => {
    const { invoice } = await aChargedInvoice();
    const deletion = await charges.pool().connect();
    await deletion.query('begin');
    await markProviderDeleted(deletion, given.LIVE, 'pp_acme');
    const beginning = assert.rejects(begin(invoice), { code: 'conflict' });
    await untilSomebodyWaits(charges.pool());
    await deletion.query('commit');
    deletion.release();
    await beginning;
    assert.deepEqual(await attempts(), []);
  });
});
