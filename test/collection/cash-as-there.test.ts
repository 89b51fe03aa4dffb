import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BillingError } from '../../src/domain/money/errors.ts';
import { useRefunds, type Paid } from '../support/ledger/refunds.ts';
import { Refused } from '../support/servers/stripe-objects.ts';

const LIVES = 12;

/** Acts of a person here, of people and banks at the provider, and of the worker. Amounts are whole. */
type Act =
  | { does: 'refund' | 'refund_there' | 'dispute'; amount: number }
  | { does: 'fail_refund' | 'move_dispute'; place: number; to: 'won' | 'lost' | 'under_review' }
  | { does: 'lose_answer' | 'forget_keys' | 'read' | 'compare' | 'be_pending' | 'be_done' };

const anAct: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    does: fc.constantFrom('refund' as const, 'refund' as const, 'refund_there' as const, 'dispute' as const),
    amount: fc.integer({ min: 1, max: 60 }),
  }),
  fc.record({
    does: fc.constantFrom('fail_refund' as const, 'move_dispute' as const),
    place: fc.nat(5),
    to: fc.constantFrom('won' as const, 'lost' as const, 'under_review' as const),
  }),
  fc.record({
    does: fc.constantFrom(
      ...(['lose_answer', 'forget_keys', 'read', 'read', 'compare', 'be_pending', 'be_done'] as const),
    ),
  }),
);

describe('the cash at the provider', () => {
  const refunds = useRefunds();
  const stripe = () => refunds.stripe();

  it('is what stands here, after any refunds and disputes in any order', async function () {
    this.timeout(600_000);
    const lives = fc.asyncProperty(fc.array(anAct, { minLength: 3, maxLength: 12 }), async (acts) => {
      const paid = await refunds.aPaidInvoice();
      for (const act of acts) await play(paid, act);
      await refunds.readAll();
      await refunds.compare();
      await readAllOfProvider(paid.charge);
      const { standing } = await refunds.stateOf(paid.invoice);
      const sum = standing.reduce((all, amount) => all + Math.round(Number(amount) * 100), 0);
      assert.equal(sum, stripe().cashOf(paid.charge), 'payments that stand');
    });
    await fc.assert(lives, { numRuns: LIVES, endOnFailure: true });
  });

  /** Events about everything, as a provider posts them late. */
  async function readAllOfProvider(charge: string): Promise<void> {
    for (const { id } of stripe().refundsOf(charge)) await refunds.post('refund', id);
    for (const { id } of stripe().state.all('dispute')) await refunds.post('dispute', id);
    await refunds.readAll();
  }

  async function play(paid: Paid, act: Act): Promise<void> {
    try {
      await done(paid, act);
    } catch (error) {
      // What nobody may do is refused, here or there.
      if (!(error instanceof BillingError) && !(error instanceof Refused)) throw error;
    }
  }

  async function done({ invoice, charge }: Paid, act: Act): Promise<void> {
    switch (act.does) {
      case 'refund': {
        const standing = (await refunds.paymentsOf(invoice)).filter(
          ({ reversed_at }) => reversed_at === null,
        );
        const payment = standing.at(-1);
        if (payment !== undefined) await refunds.refund(payment, `${act.amount}`);
        return;
      }
      case 'refund_there':
        return void stripe().refund(charge, `${act.amount}`);
      case 'dispute':
        if (stripe().cashOf(charge) >= act.amount * 100)
          stripe().dispute(charge, 'needs_response', `${act.amount}`);
        return;
      case 'fail_refund': {
        const refund = stripe().refundsOf(charge)[act.place];
        if (refund !== undefined) stripe().endRefund(refund.id, 'failed');
        return;
      }
      case 'move_dispute': {
        const dispute = stripe().state.all('dispute')[act.place];
        if (dispute?.payment_intent === charge) stripe().moveDispute(dispute.id, act.to);
        return;
      }
      case 'lose_answer':
        return stripe().faultNext(/POST .*refunds$/, 'lose_answer');
      case 'forget_keys':
        return stripe().passTime(2 * 86_400_000);
      case 'read':
        return refunds.readAll();
      case 'compare':
        return refunds.compare();
      case 'be_pending':
        return stripe().refundsAre('pending');
      case 'be_done':
        return stripe().refundsAre('succeeded');
    }
  }
});
