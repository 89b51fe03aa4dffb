import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { signIn, type SignedIn } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const PATH = '/dashboard/api/names';

describe('the names of objects', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { done, post, advance, subscribe } = testCustomersOn(request);
  let me: SignedIn;
  let plan: Json;
  let invoice: Json;
  let note: Json;
  let draft_id: string;
  let discount: Json;
  before(async () => {
    const { pool, api_url: url } = stack();
    me = await signIn({
      ...{ pool, url, request },
      post: (path, body, sent) => request(path, { method: 'POST', body, ...sent }),
    });
    const customer_id = 'acme';
    plan = await done('/v1/pricing-plans', {
      ...{ name: 'Pro', key: 'pro' },
      charges: [{ ...FLAT, name: 'Platform' }, FLAT],
    });
    await done('/v1/customers', { external_id: customer_id, name: 'Acme, Inc.' });
    await advance(customer_id, at('01-01'));
    await done('/v1/customers', { external_id: 'nameless' });
    await done('/v1/customers', { external_id: '__proto__', name: 'Prototype' });
    await subscribe(customer_id, plan.id);
    [invoice] = await advance(customer_id, at('02-01'));
    discount = await done('/v1/discounts', { customer_id, name: 'Loyalty', percent: '10' });
    note = await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines: 'all', reason: 'Wrong plan' });
    const [draft] = await advance(customer_id, at('03-01'), { hold_drafts: true });
    draft_id = draft.id;
  });

  const asked = async (body: object, environment = 'test') => {
    const headers = { 'Tidemark-Environment': environment };
    const answer = await me.request(PATH, { method: 'POST', body, headers });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };

  it('of customers are by external id; those without a name and unknown ones are left out', async () => {
    const customers = ['acme', 'nameless', 'nobody', '__proto__'];
    assert.deepEqual(Object.entries((await asked({ customers })).customers), [
      ['__proto__', 'Prototype'],
      ['acme', 'Acme, Inc.'],
    ]);
  });

  it('of subscriptions are those of customer and plan; customers are named by our ids too', async () => {
    const { id: customer } = await done('/v1/customers', { external_id: 'bare' });
    const { id: subscription } = await subscribe('acme', plan.id);
    const { id: of_nameless } = await subscribe('nameless', plan.id);
    const ids = [customer, subscription, of_nameless, 'sub_none'];
    assert.deepEqual((await asked({ ids })).ids, {
      [customer]: 'bare',
      [subscription]: 'Acme, Inc.: Pro, version 1',
      [of_nameless]: 'nameless: Pro, version 1',
    });
    assert.deepEqual((await asked({ ids }, 'live')).ids, {});
  });

  it('of credit grants are their note, or units without one, with their customer', async () => {
    const grant = async (customer_id: string, parts: object): Promise<string> =>
      (await done('/v1/credit-grants', { customer_id, ...parts })).id;
    const welcome = await grant('acme', { amount: 100, note: 'Welcome' });
    const units = await grant('nameless', { amount: 2.5 });
    const ids = [welcome, units, 'cg_none'];
    assert.deepEqual((await asked({ ids })).ids, {
      [welcome]: 'Welcome, Acme, Inc.',
      [units]: '2.5 units, nameless',
    });
    assert.deepEqual((await asked({ ids }, 'live')).ids, {});
  });

  it('of plans have the version, charges without a name that of their events, documents their number, discounts their own', async () => {
    const [first, second] = plan.charges;
    const owner = (await me.request('/dashboard/api/session')).body.user;
    const { rows } = await stack().pool.query('select id, name from api_keys where id = $1', [
      note.created_by,
    ]);
    const expected = {
      [plan.id]: 'Pro, version 1',
      [first.id]: 'Platform',
      [second.id]: 'platform',
      [invoice.id]: invoice.number,
      [note.id]: note.number,
      [discount.id]: 'Loyalty',
      [rows[0].id]: rows[0].name,
      [owner.id]: 'Owner',
    };
    const ids = [...Object.keys(expected), draft_id, 'usr_1', 'ses_1', 'plan_1', 'Pro'];
    assert.deepEqual(await asked({ ids }), { object: 'names', customers: {}, ids: expected });
  });

  it('are none of the other environment, and none where nothing is asked', async () => {
    const none = { object: 'names', customers: {}, ids: {} };
    assert.deepEqual(await asked({ customers: ['acme'], ids: [plan.id, invoice.id, note.id] }, 'live'), none);
    assert.deepEqual(await asked({}), none);
  });

  it('are at most 200 of each kind', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, place) => `c${place}`);
    await asked({ customers: many(200), ids: many(200) });
    for (const member of ['customers', 'ids'])
      assertRefused(await me.post(PATH, { [member]: many(201) }), {
        code: 'invalid_request',
        param: member,
      });
  });

  const FAULTS: [what: string, body: object, param: string][] = [
    ['an unknown member', { emails: [] }, 'emails'],
    ['a blank id', { ids: [' '] }, 'ids[0]'],
  ];
  for (const [what, body, param] of FAULTS)
    it(`refuses ${what}`, async () =>
      assertRefused(await me.post(PATH, body), { code: 'invalid_request', param }));

  it('are for people who have signed in', async () =>
    assertRefused(await post(PATH), { code: 'unauthorized' }));
});
