import { textIn, textsIn, type Form } from './stripe-form.ts';
import { invalidRequest, type DisputeAt, type IntentAt, type RefundAt } from './stripe-objects.ts';
import { nowSeconds, type StripeState } from './stripe-state.ts';

const PAGE = 10;

/** Statuses of a dispute that takes the money of its charge. */
const TAKING: readonly DisputeAt['status'][] = ['needs_response', 'under_review', 'lost'];

/** Statuses of a dispute that leaves its charge as it was. */
const GIVEN_BACK: readonly DisputeAt['status'][] = ['won', 'warning_closed'];

/** Refunds, disputes and lists of what was made when, as Stripe answers them. */
export function createRefund(state: StripeState, form: Form): RefundAt {
  const intent = state.get('payment_intent', textIn(form, 'payment_intent') ?? '');
  const amount = Number(textIn(form, 'amount') ?? leftOf(state, intent));
  if (intent.status !== 'succeeded')
    throw invalidRequest('This PaymentIntent does not have a successful charge to refund.');
  if (
    state
      .all('dispute')
      .some(({ payment_intent, status }) => payment_intent === intent.id && !GIVEN_BACK.includes(status))
  )
    throw invalidRequest(
      `Charge ${intent.latest_charge} has been charged back; cannot issue a refund.`,
      'charge_disputed',
    );
  if (leftOf(state, intent) === 0)
    throw invalidRequest(
      `Charge ${intent.latest_charge} has already been refunded.`,
      'charge_already_refunded',
    );
  if (amount > leftOf(state, intent))
    throw invalidRequest(`Refund amount (${amount}) is greater than unrefunded amount on charge`, undefined, {
      param: 'amount',
    });
  const refund = state.add<RefundAt>(
    {
      object: 'refund',
      livemode: intent.livemode,
      amount,
      currency: intent.currency,
      charge: intent.latest_charge!,
      payment_intent: intent.id,
      reason: null,
      status: state.refund_status,
      metadata: textsIn(form, 'metadata'),
    },
    're',
  );
  state.tell('refund.created', refund);
  return refund;
}

/** The rest of a charge: no refund that has failed counts. */
function leftOf(state: StripeState, { id, amount_received }: IntentAt): number {
  return (
    amount_received -
    state
      .all('refund')
      .filter(countsFor(id))
      .reduce((all, { amount }) => all + amount, 0)
  );
}

const countsFor = (intent: string) => (refund: RefundAt) =>
  refund.payment_intent === intent && refund.status !== 'failed' && refund.status !== 'canceled';

/** Money of an intent that the account has: what came, less refunds, less what disputes have taken. */
export function cashOf(state: StripeState, intent: IntentAt): number {
  const disputed = state
    .all('dispute')
    .filter(({ payment_intent, status }) => payment_intent === intent.id && TAKING.includes(status))
    .reduce((all, { amount }) => all + amount, 0);
  return leftOf(state, intent) - disputed;
}

/** A page of objects, the newest first, that pass the filters of a form. */
export function listOf<At extends { id: string; created: number }>(
  all: readonly At[],
  form: Form,
  url: string,
): object {
  const since = Number(textsIn(form, 'created')['gte'] ?? 0);
  const passing = all.filter(({ created }) => created >= since);
  const after = textIn(form, 'starting_after');
  const start = after === null ? 0 : passing.findIndex(({ id }) => id === after) + 1;
  const end = start + Number(textIn(form, 'limit') ?? PAGE);
  return { object: 'list', url, has_more: end < passing.length, data: passing.slice(start, end) };
}

export function listRefunds(state: StripeState, form: Form): object {
  const intent = textIn(form, 'payment_intent');
  if (intent !== null) state.get('payment_intent', intent);
  const all = state
    .all('refund')
    .filter(({ payment_intent }) => intent === null || payment_intent === intent);
  return listOf(all, form, '/v1/refunds');
}

/** Acts of banks, and of people at Stripe. Amounts are in units of the currency. */
export function refundControls(state: StripeState) {
  return {
    /** How refunds begin from now on. */
    refundsAre: (status: RefundAt['status']) => void (state.refund_status = status),
    /** A refund that a person makes at Stripe; returns its id. */
    refund: (intent: string, amount: string, metadata: Record<string, string> = {}) =>
      createRefund(state, { payment_intent: intent, amount: minor(amount), metadata }).id,
    /** Ends a refund, also one that has succeeded before. */
    endRefund: (id: string, status: 'succeeded' | 'failed') => {
      const refund = state.get('refund', id);
      refund.status = status;
      state.tell(status === 'failed' ? 'refund.failed' : 'refund.updated', refund);
    },
    refundsOf: (intent: string) =>
      state.all('refund').filter(({ payment_intent }) => payment_intent === intent),
    /** Opens a dispute of a charge; returns its id. */
    dispute: (intent: string, status: DisputeAt['status'], amount: string) => {
      const { livemode, currency, latest_charge } = state.get('payment_intent', intent);
      const dispute = state.add<DisputeAt>(
        {
          object: 'dispute',
          livemode,
          amount: Number(minor(amount)),
          currency,
          charge: latest_charge!,
          payment_intent: intent,
          reason: 'fraudulent',
          status,
        },
        'dp',
      );
      state.tell('charge.dispute.created', dispute);
      return dispute.id;
    },
    moveDispute: (id: string, status: DisputeAt['status']) => {
      const dispute = state.get('dispute', id);
      dispute.status = status;
      const is_closed = ['won', 'lost', 'warning_closed'].includes(status);
      state.tell(is_closed ? 'charge.dispute.closed' : 'charge.dispute.updated', dispute);
    },
    /** Money of a charge that the account has, in smallest units. */
    cashOf: (intent: string) => cashOf(state, state.get('payment_intent', intent)),
    /** Has an object be made some hours ago. */
    age: (id: string, hours: number) => void (state.objects.get(id)!.created = nowSeconds() - hours * 3600),
  };
}

function minor(amount: string): string {
  const [whole = '', digits = ''] = amount.split('.');
  return `${Number(`${whole}${digits.padEnd(2, '0')}`)}`;
}
