import assert from 'node:assert/strict';
import { newApiKey } from '../../../src/keys/api-key.ts';
import { insertKey } from '../../../src/db/account/api-keys.ts';
import { send, type Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { assertNewestIsGet, changesAfter, changesUpTo } from '../../support/ledger/feed.ts';
import { useStack } from '../../support/servers/stack.ts';
import {
  at,
  FLAT,
  PER_UNIT,
  requestsTo,
  testCustomersOn,
  times,
} from '../../support/ledger/test-customer.ts';

describe('the feed of changes', function () {
  const stack = useStack();
  const of_test = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, get, grant, plan, read, subscribe, use } = of_test;

  const newest = async () => (await read('/v1/changes?limit=1')).newest_sequence as number;
  const typesOf = (changes: readonly Json[], object_id: string) =>
    changes.filter((change) => change['object_id'] === object_id).map(({ type }) => type.split('.')[1]);

  it('tells the life of a subscription in order, each object as GET answers it', async () => {
    const after = await newest();
    const customer_id = await customer({ name: 'Ann' });
    const grant_id = (await grant(customer_id, 5)).id;
    const { id } = await subscribe(customer_id, await plan([FLAT, PER_UNIT]), {
      trial_end_date: at('01-11'),
    });
    await use(customer_id, times(7, {}));
    const item = await done('/v1/invoice-items', { customer_id, description: 'Setup', unit_amount: '10' });
    const [first] = await advance(customer_id, at('02-11'));
    await done(`/v1/invoices/${first!['id']}/payments`, { amount: '1' });
    await done(`/v1/invoices/${first!['id']}/pay`);
    const [second] = await advance(customer_id, at('03-11'));
    const reversed = await done(`/v1/customers/${customer_id}/payments`, { amount: '2' });
    const note = await done(`/v1/invoices/${second!['id']}/credit-notes`, {
      reason: 'Goodwill',
      lines: [{ line_item_id: second!['line_items'][0].id, amount: '5' }],
    });
    await done(`/v1/credit-notes/${note['id']}/void`, { reason: 'By mistake' });
    await advance(customer_id, at('03-20'));
    await done(`/v1/invoices/${second!['id']}/void`, { reason: 'Wrong' });
    await done(`/v1/subscriptions/${id}/cancel`, { at: 'now' });
    const all = await changesUpTo(read, after, 'subscription.canceled');
    // What was made with the stack may be numbered now.
    const changes = all.filter((change) => change['object_type'] !== 'api_key');
    assert.deepEqual(typesOf(changes, id), [
      // The first billing period begins, and then the trial has ended.
      ...['created', 'started', 'updated', 'trial_ended', 'renewed', 'renewed', 'canceled'],
    ]);
    assert.deepEqual(typesOf(changes, first!['id']), ['drafted', 'issued', 'updated', 'paid']);
    assert.deepEqual(typesOf(changes, second!['id']), [
      ...['drafted', 'issued', 'updated', 'updated', 'overdue', 'voided'],
    ]);
    assert.deepEqual(typesOf(changes, note['id']), ['issued', 'voided']);
    assert.deepEqual(typesOf(changes, item['id']), ['created']);
    assert.equal(typesOf(changes, grant_id)[0], 'created');
    assert.deepEqual(
      all.map(({ sequence }) => sequence),
      all.map((_, place) => after + 1 + place),
    );
    assert.ok(
      changes.every(
        (change) => change['customer_id'] === customer_id || change['object_type'] === 'pricing_plan',
      ),
    );
    const recorded = changes.find(({ object_id }) => object_id === reversed['id'])!;
    assert.deepEqual(
      [recorded['actor'], recorded['data'].created_by],
      [reversed['created_by'], reversed['created_by']],
    );
    const issued = changes.find(
      ({ type, object_id }) => type === 'invoice.issued' && object_id === first!['id'],
    )!;
    const ended = changes.find(({ type }) => type === 'subscription.trial_ended')!;
    assert.ok(ended['sequence'] < issued['sequence']);
    assert.equal(issued['actor'], null);
    await assertNewestIsGet(read, changes);
  });

  it('tells an end that moves and is taken back, and a trial that moves and ends', async () => {
    const after = await newest();
    const customer_id = await customer();
    const { id } = await subscribe(customer_id, await plan([FLAT]), { trial_end_date: at('01-11') });
    await done(`/v1/subscriptions/${id}/cancel`, { at: at('01-05') });
    await done(`/v1/subscriptions/${id}/cancel`, { at: at('01-05') });
    // The period still ends with the subscription.
    await done(`/v1/subscriptions/${id}/trial`, { ends_at: at('01-21') });
    await get(`/v1/subscriptions/${id}/cancel`, { method: 'DELETE' });
    await advance(customer_id, at('01-15'));
    await done(`/v1/subscriptions/${id}/trial`, { ends_at: 'now' });
    const changes = await changesUpTo(read, after, 'subscription.trial_ended');
    assert.deepEqual(typesOf(changes, id), [
      ...['created', 'started', 'updated', 'updated', 'updated', 'trial_ended'],
    ]);
  });

  it('tells that a plan is archived, and no longer', async () => {
    const after = await newest();
    const id = await plan([FLAT], { key: 'told' });
    const path = `/v1/pricing-plans/${id}/archive`;
    await done(path);
    await get(path, { method: 'DELETE' });
    await get(path, { method: 'DELETE' });
    await plan([FLAT], { key: 'told' });
    const changes = await eventually(
      () => changesAfter(read, after, 'limit=1000&types=pricing_plan.*'),
      ({ length }) => length === 4,
    );
    assert.deepEqual(typesOf(changes, id), ['created', 'updated', 'updated']);
    await assertNewestIsGet(read, changes);
  });

  it('tells what becomes of a customer, and of what it deletes', async () => {
    const after = await newest();
    const customer_id = await customer({ name: 'Ann' }, null);
    const patch = (body: object) => get(`/v1/customers/${customer_id}`, { method: 'PATCH', body });
    await patch({ name: 'Bea' });
    await patch({ name: 'Bea' });
    const { id } = await read(`/v1/customers/${customer_id}`);
    await get(`/v1/customers/${customer_id}`, { method: 'DELETE' });
    const all = await changesUpTo(read, after, 'customer.deleted');
    const changes = all.filter((change) => change['customer_id'] === customer_id);
    assert.deepEqual(typesOf(changes, id), ['created', 'updated', 'deleted']);
    assert.deepEqual(
      changes.map((change) => [change['customer_id'], change['data']]),
      [
        [customer_id, null],
        [customer_id, null],
        [customer_id, { id, object: 'customer', deleted: true }],
      ],
    );
  });

  it('has nothing that a redaction erases', async () => {
    const after = await newest();
    const customer_id = await customer({ name: 'Ann Secret', email: 'secret@example.com' });
    await subscribe(customer_id, await plan([FLAT]));
    await done('/v1/invoice-items', { customer_id, description: 'For Secret', unit_amount: '10' });
    const [invoice] = await advance(customer_id, at('02-01'));
    await done(`/v1/invoices/${invoice!['id']}/payments`, { amount: '1', reference: 'Secret 1' });
    await done(`/v1/customers/${customer_id}/payments`, { amount: '3', reference: 'Secret 2' });
    await changesUpTo(read, after, 'balance_entry.created');
    await done(`/v1/customers/${customer_id}/redact`, {});
    const changes = await changesUpTo(read, after, 'customer.redacted');
    const of_customer = changes.filter((change) => change['customer_id'] === customer_id);
    // The issued invoice stays as it is (contract.md 3).
    const others = of_customer.filter(({ data }) => data?.object !== 'invoice' || data.status === 'draft');
    assert.doesNotMatch(JSON.stringify(others), /secret/i);
    assert.ok(others.length > 5);
    const { rows } = await stack().pool.query(
      'select from row_changes where (before::text || after::text) ~* $1',
      ['secret'],
    );
    assert.deepEqual(rows, []);
  });

  it('is read by types, object and customer, and a page ends at its limit', async () => {
    const after = await newest();
    const [one, other] = [await customer({}, null), await customer({}, null)];
    await done(`/v1/customers/${one}/payments`, { amount: '5' });
    await done(`/v1/customers/${other}/payments`, { amount: '5', reference: 'a' });
    const all = await changesUpTo(read, after, 'balance_entry.created');
    const one_id = (await read(`/v1/customers/${one}`)).id;
    const shown = async (query: string) =>
      (await changesAfter(read, after, query)).map(({ type, customer_id }) => [type, customer_id]);
    await changesUpTo(read, all.at(-1)!['sequence'] - 1, all.at(-1)!['type']);
    assert.deepEqual(await shown(`customer_id=${one}`), await shown(`customer_id=${one_id}`));
    assert.deepEqual(await shown(`customer_id=${one}&types=payment.*`), [['payment.recorded', one]]);
    assert.deepEqual(await shown('types=customer.created,payment.reversed&limit=1'), [
      ['customer.created', one],
      ['customer.created', other],
    ]);
    assert.deepEqual(await shown(`object_id=${one_id}`), [['customer.created', one]]);
    assert.deepEqual(await shown('customer_id=nobody'), []);
    assert.deepEqual(await shown('object_id=nobody'), []);
  });

  it('holds an empty response until a change fits', async () => {
    const customer_id = await customer({}, null);
    await changesUpTo(read, 0, 'customer.created');
    const after = await newest();
    const waiting = read(`/v1/changes?after=${after}&types=payment.*&wait=30`);
    await done('/v1/customers', { external_id: 'not-what-it-waits-for' });
    await done(`/v1/customers/${customer_id}/payments`, { amount: '7' });
    const { data, next_after } = await waiting;
    assert.deepEqual(
      data.map(({ type }: Json) => type),
      ['payment.recorded'],
    );
    const none = await read(`/v1/changes?after=${next_after}&types=invoice.*&wait=1`);
    assert.deepEqual(none['data'], []);
  });

  it('has test and live changes apart, and none for a key that may only send events', async () => {
    const { api_url, live_key, pool } = stack();
    const of_test = (await changesAfter(read, 0)).map(({ id }) => id);
    const live = await send(`${api_url}/v1/changes?limit=1000`, { key: live_key });
    assert.equal(live.status, 200);
    assert.ok(live.body.data.length > 0 && of_test.length > 0);
    assert.ok(
      live.body.data.every((change: Json) => change['livemode'] === true && !of_test.includes(change['id'])),
    );
    const secret = newApiKey(false);
    await insertKey(pool, 1, { secret, name: 'Agents', kind: 'events_only' });
    assert.equal((await send(`${api_url}/v1/changes`, { key: secret })).status, 401);
  });

  const REFUSED: [query: string, param: string, reason: string][] = [
    ['after=999999999', 'after', 'out_of_range'],
    ['after=-1', 'after', 'out_of_range'],
    ['after=one', 'after', 'wrong_type'],
    ['limit=0', 'limit', 'out_of_range'],
    ['limit=1001', 'limit', 'out_of_range'],
    ['wait=31', 'wait', 'out_of_range'],
    ['types=invoice', 'types', 'malformed'],
    ['types=invoice.issued,', 'types', 'malformed'],
    ['types=*', 'types', 'malformed'],
    ['cursor=x', 'cursor', 'unknown_parameter'],
  ];
  for (const [query, param, reason] of REFUSED)
    it(`refuses ${query} as ${reason}`, async () => {
      const { status, body } = await get(`/v1/changes?${query}`);
      assert.deepEqual(
        [status, body.error?.details?.[0]?.param, body.error?.details?.[0]?.reason],
        [400, param, reason],
      );
    });

  it('refuses a number before the oldest that is kept, and without a number begins there', async () => {
    await changesUpTo(read, 0, 'customer.created');
    await stack().pool.query('delete from feed where environment_id = 1 and sequence <= 2');
    const { status, body } = await get('/v1/changes?after=1');
    assert.deepEqual([status, body.error.details[0].reason], [400, 'too_old']);
    assert.match(body.error.message, /^after must be 2 or above/);
    assert.equal((await read('/v1/changes?after=2&limit=1')).data[0].sequence, 3);
    const page = await read('/v1/changes?limit=1');
    assert.deepEqual([page['data'][0].sequence, page['oldest_sequence']], [3, 3]);
  });
});
