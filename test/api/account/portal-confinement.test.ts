import assert from 'node:assert/strict';
import { hiddenOf } from '../../../api/access/payer-view.ts';
import { permissionOf } from '../../../api/access/permissions.ts';
import type { Route } from '../../../api/routing/route.ts';
import { routes } from '../../../api/routes.ts';
import type { Json, Received } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';
import { aStoredMethod, aStoredPage } from '../../support/ledger/payment-method.ts';
import { holdingsOf, type Holdings } from '../../support/ledger/holdings.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const READ_BY_LINKS = routes.filter((route) => route.method === 'get' && permissionOf(route).portal !== null);
const BY_ID = READ_BY_LINKS.filter(({ path }) => path.includes('{id}'));
const LISTS = READ_BY_LINKS.filter((route) => permissionOf(route).portal === 'list');
/** The holdings that each path is about. */
const ID_IN: Readonly<Record<string, string>> = {
  customers: 'customer',
  subscriptions: 'subscription',
  invoices: 'invoice',
  payments: 'payment',
  'credit-notes': 'credit_note',
  'credit-grants': 'credit_grant',
  'payment-methods': 'payment_method',
  'payment-sessions': 'payment_session',
  'pricing-plans': 'plan',
  'portal-sessions': 'link',
};

/** Numbers and totals of invoices by status, as the summary says them. */
function sumsOf(invoices: Json[]): Json[] {
  return ['open', 'paid', 'void'].flatMap((status) => {
    const of_status = invoices.filter((invoice) => invoice.status === status);
    if (of_status.length === 0) return [];
    const sumOf = (amountOf: (invoice: Json) => string) =>
      (
        of_status.reduce((cents, invoice) => cents + Math.round(Number(amountOf(invoice)) * 100), 0) / 100
      ).toFixed(2);
    return [
      {
        ...{ status, currency: of_status[0].currency, count: of_status.length },
        ...{ total: sumOf(({ total }) => total), tax: sumOf(({ tax }) => tax.amount) },
        amount_due: sumOf(({ amount_due }) => amount_due),
        amount_paid: sumOf(({ amount_paid }) => amount_paid),
      },
    ];
  });
}

describe('a portal link', function () {
  this.timeout(120_000);
  const stack = useStack();
  const request = requestsTo(stack);
  const actions = testCustomersOn(request);
  const { done, plan, read } = actions;
  let mine: Holdings;
  let other: Holdings;
  let live: string[];
  let token: string;
  const ask = (path: string): Promise<Received> => request(path, { key: token });

  before(async () => {
    mine = await holdingsOf(actions, 'mine');
    other = await holdingsOf(actions, 'other');
    for (const { ids } of [mine, other]) {
      ids['payment_method'] = await aStoredMethod(stack().pool, ids['external_id']!);
      ids['payment_session'] = await aStoredPage(stack().pool, ids['invoice']!);
    }
    const create = (path: string, body: object) => stack().done<Json>(stack().live_key, 'POST', path, body);
    const bought = await create('/v1/customers', { external_id: 'customer-live' });
    const plan_id = (await create('/v1/pricing-plans', { name: 'Live', charges: [FLAT] })).id;
    const subscription = await create('/v1/subscriptions', { customer_id: bought.id, plan_id });
    const granted = await create('/v1/credit-grants', { customer_id: bought.id, amount: 1, rollover: true });
    live = [bought.id, 'customer-live', plan_id, subscription.id, granted.id];
    const link = await done('/v1/portal-sessions', { customer_id: mine.ids['customer'] });
    const of_other = await done('/v1/portal-sessions', { customer_id: other.ids['customer'] });
    mine = { ...mine, ids: { ...mine.ids, link: link.id } };
    other = { ...other, ids: { ...other.ids, link: of_other.id } };
    token = tokenOf(link.url);
  });

  const pathOf = ({ path }: Route, id: string, line: string): string =>
    path.replace('{id}', encodeURIComponent(id)).replace('{line_item_id}', line);
  /** The body of a refusal without the id of its request. */
  const refusalOf = ({ status, body }: Received) => ({ status, error: { ...body.error, request_id: '' } });

  it('reads all that is its own', async () => {
    for (const route of BY_ID) {
      const id = mine.ids[ID_IN[route.path.split('/')[2]!]!]!;
      // The only other invoice is void, and none comes before this one.
      const query = route.operation_id === 'getInvoiceComparison' ? `?with=${mine.ids['void_invoice']}` : '';
      const { status, body } = await ask(pathOf(route, id, mine.ids['line']!) + query);
      // The seller of this account lacks what an e-invoice needs.
      const expected = route.path.endsWith('.xml') ? 409 : 200;
      assert.equal(status, expected, `${route.path}: ${JSON.stringify(body)}`);
    }
    for (const name of ['self', mine.ids['customer'], mine.ids['external_id']])
      assert.equal((await ask(`/v1/customers/${name}`)).body.external_id, mine.ids['external_id']);
    assert.equal((await ask(`/v1/invoices/${mine.ids['void_invoice']}`)).body.status, 'void');
  });

  it('gets for the ids of others, of the other environment and of drafts what it gets for nothing', async () => {
    const { plan: own_plan, key, ...own } = mine.ids;
    const foreign = [...Object.values(other.ids), ...other.drafts, ...mine.drafts, ...live];
    for (const route of BY_ID) {
      const nothing = refusalOf(await ask(pathOf(route, 'nothing', 'nothing')));
      assert.equal(nothing.status, 404, route.path);
      const lines = route.path.includes('{line_item_id}')
        ? [own['line']!, own['draft_line']!, other.ids['line']!]
        : [''];
      for (const id of foreign)
        for (const line of lines)
          assert.deepEqual(refusalOf(await ask(pathOf(route, id, line))), nothing, `${route.path} ${id}`);
    }
    const [line_events] = BY_ID.filter(({ path }) => path.includes('{line_item_id}'));
    for (const line of [other.ids['line']!, own['draft_line']!])
      assertRefused(await ask(pathOf(line_events!, own['invoice']!, line)), { code: 'not_found' });
    assert.ok(own_plan !== undefined);
    assertRefused(await ask(`/v1/pricing-plans/${key}`), { code: 'not_found' });
  });

  it('gets in a list its own alone, whatever the filters, and no drafts', async () => {
    const numbers = await read(`/v1/invoices/${other.ids['invoice']}`);
    const filters = [
      ...['', 'limit=1', `customer_id=${other.ids['customer']}`, `customer_id=${other.ids['external_id']}`],
      ...[
        'customer_id=customer-live',
        `subscription_id=${other.ids['subscription']}`,
        'status=draft',
        'status=void',
      ],
      ...[`number=${numbers.number}`, `invoice_id=${other.ids['invoice']}`, `plan_id=${other.ids['plan']}`],
      ...[`issued_month=${at('02-01').slice(0, 7)}`, `period_month=${at('03-31').slice(0, 7)}`],
      ...['overdue=true', 'overdue=false', 'attention=true', 'attention=false'],
    ];
    for (const { path } of LISTS)
      for (const filter of filters) {
        const { status, body } = await ask(`${path}?${filter}`);
        if (status === 400) continue;
        assert.equal(status, 200);
        if (body.object === 'invoice_summary') {
          assert.deepEqual(body.data, sumsOf((await ask(`/v1/invoices?${filter}`)).body.data), filter);
          continue;
        }
        for (const item of body.data) {
          assert.equal(item.customer_id, mine.ids['external_id'], `${path}?${filter}`);
          if (item.object === 'invoice') assert.notEqual(item.issued_at, null);
        }
      }
    const { body } = await ask('/v1/invoices');
    assert.deepEqual(
      body.data.map(({ id }: Json) => id),
      [mine.ids['void_invoice'], mine.ids['invoice']],
    );
    const lengths = [];
    for (const { path } of LISTS) lengths.push((await ask(path)).body.data.length);
    // Subscriptions, invoices, their sums (of a void one and of one that is open), payments, credit notes, grants, payment methods,
    // payment sessions.
    assert.deepEqual(lengths, [1, 2, 2, 2, 2, 1, 1, 1]);
  });

  it('follows its own pages, and no cursor leads elsewhere', async () => {
    const first = (await ask('/v1/invoices?limit=1')).body;
    const second = (await ask(`/v1/invoices?limit=1&cursor=${first.next_cursor}`)).body;
    assert.deepEqual([second.data[0].id, second.has_more], [mine.ids['invoice'], false]);
    const of_staff = await read(`/v1/invoices?limit=1&customer_id=${other.ids['customer']}`);
    assertRefused(await ask(`/v1/invoices?limit=1&cursor=${of_staff.next_cursor}`), {
      code: 'invalid_request',
      reason: 'bad_cursor',
    });
  });

  it('has no other way in: unknown parameters, search, other methods', async () => {
    for (const query of ['expand=customer', 'search=a', 'include=draft'])
      for (const path of [`/v1/invoices/${mine.ids['invoice']}`, '/v1/invoices'])
        assertRefused(await ask(`${path}?${query}`), { code: 'invalid_request' });
    assertRefused(await ask(`/v1/invoices?customer_id=a&customer_id=b`), { code: 'invalid_request' });
    for (const path of [
      '/v1/search?q=mine',
      '/v1/customers',
      '/v1/invoices.csv',
      '/v1/changes',
      '/v1/events',
    ])
      assertRefused(await ask(path), { code: 'unauthorized', reason: 'not_permitted' });
    assertRefused(await request('/v1/customers/self', { method: 'PATCH', body: {}, key: token }), {
      code: 'unauthorized',
      reason: 'not_permitted',
    });
    assertRefused(await ask('/v1/nothing'), { code: 'not_found' });
    assertRefused(await request('/v1/events', { method: 'POST', body: '{', key: token }), {
      code: 'unauthorized',
      reason: 'not_permitted',
    });
    assertRefused(await request(`/v1/customers/self`), { code: 'not_found' });
  });

  it('gets the same as a key, but for what staff write for themselves', async () => {
    const TITLES: Readonly<Record<string, string>> = {
      ...{ customer: 'Customer', subscription: 'Subscription', invoice: 'Invoice', payment: 'Payment' },
      ...{ credit_note: 'CreditNote', credit_grant: 'CreditGrant', pricing_plan: 'PricingPlan' },
    };
    /** An object as a payer sees it: null, or {} for metadata, where something is hidden. */
    const asSeen = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(asSeen);
      if (typeof value !== 'object' || value === null) return value;
      const hidden = hiddenOf(TITLES[value.object] ?? '');
      return Object.fromEntries(
        Object.entries<Json>(value).map(([name, member]) => {
          if (!hidden.includes(name)) return [name, asSeen(member)];
          return [name, name === 'metadata' ? {} : null];
        }),
      );
    };
    const { customer: id, subscription, invoice, void_invoice, credit_note, void_note, ...rest } = mine.ids;
    const paths = [
      ...[`customers/${id}`, `customers/${id}/usage`, `subscriptions/${subscription}`],
      ...[
        `subscriptions/${subscription}/upcoming-invoice`,
        `invoices/${void_invoice}/comparison?with=${invoice}`,
        `invoices/${invoice}`,
        `invoices/${void_invoice}`,
      ],
      ...[`invoices/${invoice}/line-items/${rest['line']}/events`, `credit-notes/${credit_note}`],
      ...[
        `credit-notes/${void_note}`,
        `credit-grants/${rest['credit_grant']}`,
        `pricing-plans/${rest['plan']}`,
      ],
      ...[
        `subscriptions?customer_id=${id}`,
        `credit-notes?customer_id=${id}`,
        `credit-grants?customer_id=${id}`,
      ],
    ];
    let hidden = 0;
    for (const path of paths) {
      const [of_key, of_link] = [await read(`/v1/${path}`), (await ask(`/v1/${path}`)).body];
      assert.deepEqual(of_link, asSeen(of_key), path);
      if (JSON.stringify(of_link) !== JSON.stringify(of_key)) hidden++;
    }
    assert.equal(hidden, 11);
    const all = [];
    for (const path of paths) all.push((await ask(`/v1/${path}`)).body);
    const text = JSON.stringify(all);
    for (const word of [
      ...['pays late', 'margin', 'to keep them', 'SEPA', 'wrong customer', 'too generous', 'angry'],
      ...['key_', 'usr_', 'subscription-sub'],
    ])
      assert.equal(text.includes(word), false, word);
    assert.match(text, /Outage/);
  });

  it('reads of a plan that a subscription had, has or will have, and of no later version', async () => {
    const { plan: first, key, subscription } = mine.ids;
    const second = await plan([FLAT], { key });
    const third = await plan([FLAT], { key });
    const statusOf = async (id: string) => (await ask(`/v1/pricing-plans/${id}`)).status;
    assert.deepEqual(
      [await statusOf(second), await statusOf(third), await statusOf(first!)],
      [404, 404, 200],
    );
    await done(`/v1/subscriptions/${subscription}/change`, { plan_id: second, at: 'period_end' });
    assert.deepEqual(
      [await statusOf(second), await statusOf(third), await statusOf(first!)],
      [200, 404, 200],
    );
    await request(`/v1/subscriptions/${subscription}/change`, { method: 'DELETE' });
    assert.equal(await statusOf(second), 404);
  });

  it('of live data reads live data alone', async () => {
    const { url } = await stack().done<Json>(stack().live_key, 'POST', '/v1/portal-sessions', {
      customer_id: 'customer-live',
    });
    const key = tokenOf(url);
    const { body } = await request('/v1/customers/self', { key });
    assert.deepEqual([body.external_id, body.livemode], ['customer-live', true]);
    assert.equal((await request('/v1/subscriptions', { key })).body.data.length, 1);
    for (const id of Object.values(mine.ids))
      assertRefused(await request(`/v1/customers/${id}`, { key }), { code: 'not_found' });
    assertRefused(await request('/v1/test-clock/advance', { key, method: 'POST', body: {} }), {
      code: 'not_found',
    });
  });
});
