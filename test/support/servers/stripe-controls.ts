import type { Card, MethodAt } from './stripe-objects.ts';
import { expirePage, payPage } from './stripe-pages.ts';
import type { StripeStandIn } from './stripe-stand-in.ts';
import type { Behaviour, StripeState } from './stripe-state.ts';

const VISA: Card = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2028 };

/** Acts of payers, banks and time at Stripe, without a request of ours. */
export function stripeControls(state: StripeState) {
  const addMethod = (
    customer: string,
    behaviour: Behaviour = 'succeeds',
    card: Partial<Card> = {},
  ): string => {
    const { livemode } = state.get('customer', customer);
    const method = state.add<MethodAt>(
      { object: 'payment_method', livemode, type: 'card', customer, card: { ...VISA, ...card } },
      'pm',
    );
    state.behaviours.set(method.id, behaviour);
    state.tell('payment_method.attached', method);
    return method.id;
  };
  return {
    addMethod,
    behave: (method, behaviour) => void state.behaviours.set(method, behaviour),
    index: () => {
      for (const { id } of state.all('customer')) state.searchable.add(id);
    },
    completePage: (reference_or_url, behaviour, card) => {
      const page = state.page(reference_or_url);
      const method = addMethod(page.customer, behaviour, card);
      Object.assign(state.get('setup_intent', page.setup_intent!), {
        status: 'succeeded',
        payment_method: method,
      });
      Object.assign(page, { status: 'complete', url: null });
      state.tell('checkout.session.completed', page);
      return method;
    },
    payPage: (reference_or_url, behaviour = 'succeeds', card = {}) =>
      payPage(state, { page: state.page(reference_or_url), behaviour, card }).id,
    expirePage: (reference_or_url) => void expirePage(state, state.page(reference_or_url).id),
    removeMethod: (method) => state.detach(state.get('payment_method', method)),
    finish: (reference, outcome) => {
      const intent = state.get('payment_intent', reference);
      if (intent.status !== 'processing') throw new Error(`${reference} is ${intent.status}`);
      const page = state.pageOfIntent(reference);
      if (outcome === 'succeeds') {
        state.charge(intent);
        if (page !== undefined) page.payment_status = 'paid';
      } else state.decline(intent, { code: outcome.declined });
      const told = outcome === 'succeeds' ? 'succeeded' : 'failed';
      if (page !== undefined) state.tell(`checkout.session.async_payment_${told}`, page);
    },
    chargesOf: (invoice_id) => state.charges.filter((charge) => charge.invoice_id === invoice_id),
  } satisfies Partial<StripeStandIn>;
}
