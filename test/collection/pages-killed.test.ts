import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { OpenedProvider } from '../../src/collection/opened.ts';
import type { PaymentProvider } from '../../src/collection/provider.ts';
import { ProviderError } from '../../src/collection/provider.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import { closePages, readPage } from '../../src/collection/close-pages.ts';
import { collectNext } from '../../src/collection/collect.ts';
import { findOpenPage } from '../../src/db/collection/payment-pages.ts';
import type { Invoice } from '../../src/objects/invoice.ts';
import * as given from '../support/ledger/billing.ts';
import { useCharges } from '../support/ledger/charges.ts';
import { pagesOn } from '../support/ledger/payment-pages.ts';
import { watchedPool } from '../support/ledger/watched-pool.ts';

class Killed extends Error {}

/** A process that ends at a point: before a statement, before a call, or before its answer. */
type Act =
  | { does: 'ask' | 'read' | 'charge' | 'collect'; killed_at: number; saves_method: boolean }
  | { does: 'pay'; page: number; debit: boolean }
  | { does: 'finish'; succeeds: boolean };

const anAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'ask' as const,
        'ask' as const,
        'read' as const,
        'charge' as const,
        'collect' as const,
      ),
      // Mostly not at all.
      killed_at: fc.oneof(fc.constant(1000), fc.integer({ min: 1, max: 40 })),
      saves_method: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('pay' as const), page: fc.nat(5), debit: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('finish' as const), succeeds: fc.boolean() }) },
);

describe('pages and attempts of an invoice, whatever is killed, lost or repeated', () => {
  const charges = useCharges();
  const pages = pagesOn(charges);

  /** The parts of a process that is killed at a point. */
  const dying = async (killed_at: number) => {
    let points = 0;
    const pass = () => {
      if ((points += 1) >= killed_at) throw new Killed(`at point ${points}`);
    };
    const opened = await pages.opened();
    const provider = new Proxy(opened.provider, {
      get: (target, name: keyof PaymentProvider) => {
        if (!(name in target)) return undefined;
        return async (...parameters: never[]) => {
          pass();
          const answer: unknown = await (target[name] as (...all: never[]) => Promise<unknown>)(
            ...parameters,
          );
          pass();
          return answer;
        };
      },
    });
    const of: OpenedProvider = { ...opened, provider };
    const pool = watchedPool(charges.pool(), async () => pass());
    return { pool, of, charger: { ...charges.charger(), pool, providerOf: async () => of } };
  };

  const act = async (invoice: Invoice, doing: Act): Promise<void> => {
    const key = { environment_id: given.LIVE, invoice_id: invoice.id };
    if (doing.does === 'pay') {
      // A payer pays what it has the address of, at any time.
      const known = (await pages.rows()).filter(({ url }) => url !== null);
      const url = known[doing.page % Math.max(known.length, 1)]?.url;
      const page = charges
        .stripe()
        .state.all('checkout.session')
        .find((one) => one.url !== null && one.url === url);
      if (page?.status === 'open') charges.stripe().payPage(page.id, doing.debit ? 'processing' : 'succeeds');
      return;
    }
    if (doing.does === 'finish') {
      for (const { id, status } of charges.stripe().state.all('payment_intent'))
        if (status === 'processing')
          charges.stripe().finish(id, doing.succeeds ? 'succeeds' : { declined: 'insufficient_funds' });
      return;
    }
    const { pool, of, charger } = await dying(doing.killed_at);
    switch (doing.does) {
      case 'ask':
        await pages.ask(invoice, { saves_method: doing.saves_method, pool, of });
        return;
      case 'read': {
        const page = await findOpenPage(pool, key);
        if (page !== null) await readPage(pool, of, page);
        return;
      }
      case 'charge':
        await closePages(charger, key);
        await charges.begin(invoice);
        return;
      case 'collect':
        return void (await collectNext(charger, key));
    }
  };

  const isExpected = (error: unknown): boolean =>
    error instanceof Killed ||
    (error instanceof BillingError && error.code === 'conflict') ||
    (error instanceof BillingError && error.code === 'rate_limited') ||
    error instanceof ProviderError;

  it('charge it once, and what was charged is booked once', async function () {
    this.timeout(300_000);
    await fc.assert(
      fc.asyncProperty(fc.array(anAct, { minLength: 3, maxLength: 14 }), async (acts) => {
        const { invoice } = await charges.aChargedInvoice();
        for (const doing of acts)
          await act(invoice, doing).catch((error: unknown) => {
            if (!isExpected(error)) throw error;
          });
        // In the end all is read, by processes that live.
        for (let round = 0; round < 3; round++) {
          await act(invoice, { does: 'finish', succeeds: true });
          await pages.read(invoice);
          await charges.collect(invoice);
        }
        const taken = charges.stripe().chargesOf(invoice.id);
        assert.ok(taken.length <= 1, `charged ${taken.length} times`);
        const { rows } = await charges.pool().query<{ reference: string; to_balance: string }>(
          `select reference, to_balance::text as to_balance from payments p
           join invoices i on i.environment_id = p.environment_id and i.customer_id = p.customer_id where i.id = $1`,
          [invoice.id],
        );
        assert.deepEqual(
          rows.map(({ reference, to_balance }) => [reference, to_balance]),
          taken.map(({ intent }) => [intent, '0.00']),
        );
      }),
      { numRuns: 60 },
    );
  });
});
