import { textIn, textsIn, type Form } from './stripe-form.ts';
import {
  invalidRequest,
  type Card,
  type IntentAt,
  type MethodAt,
  type PageAt,
  type SetupAt,
} from './stripe-objects.ts';
import { nowSeconds, type Behaviour, type StripeState } from './stripe-state.ts';

const DAY_SECONDS = 86_400;
const HALF_AN_HOUR_SECONDS = 1800;
const VISA: Card = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2028 };

export function createPage(state: StripeState, form: Form, livemode: boolean): PageAt {
  const customer = textIn(form, 'customer') ?? '';
  state.get('customer', customer);
  const is_payment = textIn(form, 'mode') === 'payment';
  const page = state.add<PageAt>(
    {
      ...{ object: 'checkout.session', livemode, mode: is_payment ? 'payment' : 'setup', customer },
      currency: textIn(form, 'currency') ?? '',
      url: null,
      success_url: textIn(form, 'success_url') ?? '',
      cancel_url: textIn(form, 'cancel_url') ?? '',
      expires_at: expiryIn(form),
      status: 'open',
      setup_intent: is_payment ? null : setupFor(state, customer, livemode).id,
      payment_intent: null,
      payment_status: is_payment ? 'unpaid' : 'no_payment_required',
      amount_total: null,
      metadata: textsIn(form, 'metadata'),
    },
    'cs_test',
  );
  page.url = `https://checkout.stripe.com/c/pay/${page.id}`;
  if (is_payment) {
    const { amount, currency } = priceIn(form);
    Object.assign(page, { amount_total: amount, currency });
    const intent = formIn(form, 'payment_intent_data');
    const saves = textIn(intent, 'setup_future_usage') === 'off_session';
    state.paying.set(page.id, { amount, metadata: textsIn(intent, 'metadata'), saves });
  }
  return page;
}

function setupFor(state: StripeState, customer: string, livemode: boolean): SetupAt {
  return state.add<SetupAt>(
    {
      ...{ object: 'setup_intent', livemode, customer, payment_method: null, usage: 'off_session' },
      status: 'requires_payment_method',
    },
    'seti',
  );
}

function expiryIn(form: Form): number {
  const sent = textIn(form, 'expires_at');
  if (sent === null) return nowSeconds() + DAY_SECONDS;
  const seconds = Number(sent) - nowSeconds();
  if (seconds < HALF_AN_HOUR_SECONDS || seconds > DAY_SECONDS)
    throw invalidRequest(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      undefined,
      { param: 'expires_at' },
    );
  return Number(sent);
}

function priceIn(form: Form): { amount: number; currency: string } {
  const price = formIn(formIn(formIn(form, 'line_items'), '0'), 'price_data');
  const [amount, currency] = [textIn(price, 'unit_amount'), textIn(price, 'currency')];
  if (amount === null || currency === null)
    throw invalidRequest('Missing required param: line_items[0][price_data][unit_amount].');
  return { amount: Number(amount), currency };
}

function formIn(form: Form, member: string): Form {
  const { [member]: value } = form;
  return typeof value === 'object' ? value : {};
}

export function readPage(state: StripeState, form: Form, id: string): object {
  const page = state.get('checkout.session', id);
  const { setup_intent, payment_intent } = page;
  const expanded = Object.values(textsIn(form, 'expand'));
  return {
    ...page,
    ...(expanded.includes('setup_intent') && setup_intent !== null
      ? { setup_intent: state.get('setup_intent', setup_intent) }
      : {}),
    ...(expanded.includes('payment_intent') && payment_intent !== null
      ? { payment_intent: state.get('payment_intent', payment_intent) }
      : {}),
  };
}

/** Ends an open page; its intent, if the payer has tried to pay, is canceled. */
export function expirePage(state: StripeState, id: string): PageAt {
  const page = state.get('checkout.session', id);
  if (page.status !== 'open') {
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${page.status}.`;
    throw invalidRequest(message);
  }
  Object.assign(page, { status: 'expired', url: null });
  if (page.payment_intent !== null) {
    const intent = state.get('payment_intent', page.payment_intent);
    Object.assign(intent, { status: 'canceled', canceled_at: nowSeconds(), last_payment_error: null });
    state.tell('payment_intent.canceled', intent);
  }
  state.tell('checkout.session.expired', page);
  return page;
}

/**
 * Pays a page with a card or a debit of this behaviour, as its payer does; one that is declined leaves it open. Throws an
 * Error for a page that nobody can pay any more.
 */
export function payPage(
  state: StripeState,
  { page, behaviour, card }: { page: PageAt; behaviour: Behaviour; card: Partial<Card> },
): IntentAt {
  const paying = state.paying.get(page.id);
  if (page.status !== 'open' || paying === undefined)
    throw new Error(`the page ${page.id} is ${page.status}`);
  const { livemode } = page;
  const customer = paying.saves ? page.customer : null;
  const method = state.add<MethodAt>(
    { object: 'payment_method', livemode, type: 'card', customer, card: { ...VISA, ...card } },
    'pm',
  );
  state.behaviours.set(method.id, behaviour);
  const intent = intentOf(state, page);
  intent.payment_method = method.id;
  if (typeof behaviour === 'object') {
    state.decline(intent, { code: behaviour.declined });
    return intent;
  }
  Object.assign(page, { status: 'complete', url: null });
  if (behaviour === 'processing') {
    intent.status = 'processing';
    state.tell('payment_intent.processing', intent);
  } else {
    page.payment_status = 'paid';
    state.charge(intent);
  }
  state.tell('checkout.session.completed', page);
  return intent;
}

/** The intent of a page, which is made as the payer pays first. */
function intentOf(state: StripeState, page: PageAt): IntentAt {
  if (page.payment_intent !== null) return state.get('payment_intent', page.payment_intent);
  const { amount, metadata } = state.paying.get(page.id)!;
  const { livemode, currency, customer } = page;
  const intent = state.add<IntentAt>(
    {
      ...{ object: 'payment_intent', livemode, amount, amount_received: 0, currency, customer, metadata },
      payment_method: null,
      status: 'requires_payment_method',
      description: null,
      last_payment_error: null,
      latest_charge: null,
      canceled_at: null,
    },
    'pi',
  );
  page.payment_intent = intent.id;
  return intent;
}
