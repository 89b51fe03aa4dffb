import assert from 'node:assert/strict';
import { collectNext } from '../../src/collection/collect.ts';
import type { PaymentProvider } from '../../src/collection/provider.ts';
import { findInvoice } from '../../src/db/invoicing/invoices.ts';
import * as given from '../support/ledger/billing.ts';
import { useCharges } from '../support/ledger/charges.ts';
import { watchedPool } from '../support/ledger/watched-pool.ts';
import type { Behaviour } from '../support/servers/stripe-state.ts';

const POINTS_MAX = 100;

class Killed extends Error {}

describe('a process that is killed while it charges', () => {
  const charges = useCharges();

  /** Stops for ever at the point of that number: before a statement, before a call, or before its answer. */
  const killerAt = (last: number) => {
    let points = 0;
    return () => {
      if ((points += 1) >= last) throw new Killed(`killed at point ${points}`);
    };
  };

  /** Collects an invoice until it is killed at a point; false if it comes to its end before. */
  async function isKilledAt(invoice_id: string, point: number): Promise<boolean> {
    const { pool, providerOf, count } = charges.charger();
    const pass = killerAt(point);
    const dying = (provider: PaymentProvider): PaymentProvider =>
      new Proxy(provider, {
        get: (target, name: keyof PaymentProvider) => {
          // A proxy with a function for each name would be a promise that never resolves.
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
    const killed = {
      pool: watchedPool(pool, async () => pass()),
      providerOf: async (key: Parameters<typeof providerOf>[0]) => {
        const opened = (await providerOf(key))!;
        return { ...opened, provider: dying(opened.provider) };
      },
      count,
    };
    try {
      await collectNext(killed, { environment_id: given.LIVE, invoice_id });
      return false;
    } catch (error) {
      if (error instanceof Killed) return true;
      throw error;
    }
  }

  for (const [behaviour, end] of [
    ['succeeds', 'succeeded'],
    [{ declined: 'insufficient_funds' }, 'declined'],
    ['authentication_required', 'action_required'],
  ] as const satisfies [Behaviour, string][])
    it(`at any statement and call, leaves an attempt that ends as ${end}, charged and paid at most once`, async () => {
      let point = 1;
      for (let is_killed = true; is_killed; point++) {
        assert.ok(point < POINTS_MAX);
        const { invoice } = await charges.aChargedInvoice(behaviour);
        await charges.begin(invoice);
        is_killed = await isKilledAt(invoice.id, point);
        await charges.collect(invoice);
        const attempts = (await charges.attempts()).filter(({ invoice_id }) => invoice_id === invoice.id);
        assert.deepEqual(
          attempts.map(({ status }) => status),
          [end],
          `point ${point}`,
        );
        const times = end === 'succeeded' ? 1 : 0;
        assert.equal(charges.stripe().chargesOf(invoice.id).length, times, `point ${point}`);
        const { payments } = (await findInvoice(charges.pool(), given.LIVE, invoice.id))!;
        assert.equal(payments.length, times, `point ${point}`);
      }
      assert.ok(point > 20, `${point} points`);
    });
});
