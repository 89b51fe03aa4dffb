import assert from 'node:assert/strict';
import { compareDue, type Difference } from '../../../src/collection/compare.ts';
import type { Collector } from '../../../src/collection/opened.ts';
import { sealedOf } from '../../../src/collection/provider-secrets.ts';
import { readDue } from '../../../src/collection/read-due.ts';
import { refundPayment } from '../../../src/collection/refund.ts';
import { insertProviderEvent } from '../../../src/db/collection/provider-events.ts';
import { readOnly, transaction, type Pool } from '../../../src/db/connection/pool.ts';
import { findInvoice } from '../../../src/db/invoicing/invoices.ts';
import { listPayments } from '../../../src/db/invoicing/payments.ts';
import { newId } from '../../../src/keys/ids.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import type { Payment } from '../../../src/objects/payment.ts';
import type { SigningSecrets } from '../../../src/settings/signing-secrets.ts';
import { LIVE_KEY } from '../servers/stripe-stand-in.ts';
import * as given from './billing.ts';
import { useCharges } from './charges.ts';
import { assertBooks } from './books.ts';
import { breachesOf } from './sound.ts';

const SECRETS: SigningSecrets = ['the secret of a test of refunds'];
const PROVIDER = 'pp_acme';
const FILTER = { customer_id: null, reference: null, from: null, to: null, before: null, limit: 100 };

/** An invoice that a charge has paid, with its charge at Stripe. */
export type Paid = { invoice: Invoice; payment: Payment; charge: string };

/** A ledger whose invoices are charged and refunded, for the tests of one file. Nothing runs by itself. */
export function useRefunds() {
  // Before the hook that ends the pool.
  afterEach(async () => {
    // The next period is not closed, which no test here is about.
    const breaches = await readOnly(charges.pool(), (db) => breachesOf(db));
    assert.deepEqual(
      breaches.filter(({ invariant }) => invariant !== 'I12'),
      [],
    );
    await assertBooks(charges.pool());
  });
  const charges = useCharges();
  const differences: Difference[] = [];
  const faults: unknown[] = [];
  beforeEach(async () => {
    differences.length = 0;
    faults.length = 0;
    await charges
      .pool()
      .query('update payment_providers set secret_key = $1', [
        sealedOf(LIVE_KEY, { id: PROVIDER, use: 'key', secrets: SECRETS }),
      ]);
  });

  const collector = (pool: Pool = charges.pool()): Collector => ({
    pool,
    secrets: SECRETS,
    stripe_api_url: charges.stripe().url,
  });
  const { signal } = new AbortController();
  const report = (error: unknown) => void faults.push(error);

  const paymentsOf = async ({ id }: Pick<Invoice, 'id'>): Promise<Payment[]> =>
    (await listPayments(charges.pool(), given.LIVE, { ...FILTER, invoice_id: id })).toReversed();

  /** An invoice of 100.00 that is charged. */
  const aPaidInvoice = async (amount = '100'): Promise<Paid> => {
    const { invoice } = await charges.aChargedInvoice('succeeds', { amount });
    await charges.charge(invoice);
    const [payment] = await paymentsOf(invoice);
    return { invoice, payment: payment!, charge: payment!.reference! };
  };

  /** Reads at the provider all that waits to be read, whether its turn has come or not. */
  const readAll = async (of: Collector = collector()): Promise<void> => {
    for (const table of ['payment_refunds', 'payment_disputes', 'provider_events'])
      await charges
        .pool()
        .query(`update ${table} set next_read_at = now() - interval '1 s' where next_read_at is not null`);
    await readDue(of, { signal, report });
  };

  return {
    ...charges,
    collector,
    differences,
    faults,
    aPaidInvoice,
    paymentsOf,
    readAll,
    refund: (
      { id }: Pick<Payment, 'id'>,
      amount: string | null,
      { request_key = null, of = collector() }: { request_key?: string | null; of?: Collector } = {},
    ) => {
      const request = { payment_id: id, amount, reason: 'goodwill', request_key };
      return refundPayment(of, { environment_id: given.LIVE, act: {}, by: 'key_1' }, request);
    },
    /** Takes an event of Stripe, which only says what to read. */
    post: (object_type: 'refund' | 'dispute', object_reference: string) =>
      transaction(charges.pool(), (db) =>
        insertProviderEvent(
          db,
          { environment_id: given.LIVE, provider_id: PROVIDER },
          { id: newId('aud'), type: object_type, object_type, object_reference },
        ),
      ),
    /** A whole night: everything at the provider is compared. */
    compare: async (): Promise<void> => {
      for (let pages = 0; pages < 20; pages++) {
        if (pages === 0) {
          await compareDue(collector(), { signal, report, differs: () => undefined });
          await charges.pool().query('update provider_comparisons set next_at = now()');
        }
        await compareDue(collector(), { signal, report, differs: (found) => differences.push(found) });
      }
    },
    stateOf: async ({ id }: Pick<Invoice, 'id'>) => {
      const { status, amount_due, collection_pause } = (await findInvoice(charges.pool(), given.LIVE, id))!;
      const standing = (await paymentsOf({ id })).filter(({ reversed_at }) => reversed_at === null);
      return {
        status,
        amount_due,
        paused: collection_pause?.reason ?? null,
        standing: standing.map(({ amount }) => amount),
      };
    },
  };
}
