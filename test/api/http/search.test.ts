import assert from 'node:assert/strict';
import { withoutSearchText } from '../../../src/db/customers/customer-search.ts';
import type { Reason } from '../../../src/domain/money/errors.ts';
import { send, type Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const pathOf = (q: string) => `/v1/search?q=${encodeURIComponent(q)}`;

/** contract.md 1. */
describe('search', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { get, done, read, customer, subscribe, plan, advance } = testCustomersOn(request);
  const find = async (q: string): Promise<Json[]> => (await read(pathOf(q))).data;
  const named = async (q: string): Promise<string[]> => (await find(q)).map(({ name }) => name);

  /** A customer with an open invoice of one event, which is paid in part. */
  let owner: string;
  let invoice: Json;
  let payment: Json;
  let note: Json;
  let event: Json;
  before(async () => {
    owner = await customer({ name: 'Owner' });
    await subscribe(owner, await plan([PER_UNIT]));
    const sent = { event_name: 'api_call', customer_id: owner, idempotency_key: 'Key-7' };
    event = await done('/v1/events', sent);
    [invoice] = await advance(owner, at('02-01'));
    const paid = { amount: '0.50', reference: 'SEPA 4711/a' };
    payment = await done(`/v1/invoices/${invoice.id}/payments`, paid);
    const credited = [{ line_item_id: invoice.line_items[0].id, amount: '0.10' }];
    note = await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines: credited, reason: 'Outage' });
    invoice = await read(`/v1/invoices/${invoice.id}`);
    for (const name of ['東京電力', 'بيروت', 'Öko'])
      await done('/v1/customers', { external_id: `x ${name}`, name, email: 'Post@Büro.example' });
  });

  it('finds an invoice by its number, in any case, or by the count in it', async () => {
    for (const q of ['INV-000001', 'inv-000001', ' INV-000001 ', '000001', '1'])
      assert.deepEqual((await find(q))[0], invoice, q);
    for (const q of ['INV-000002', 'IN-000001', '000002', 'INV-', '9'.repeat(30)])
      assert.deepEqual(await find(q), [], q);
  });

  it('finds documents by four characters of their number, and by their total', async () => {
    for (const q of ['V-00', '0000', 'v-000001'])
      assert.ok(
        (await find(q)).some(({ id }) => id === invoice.id),
        q,
      );
    assert.ok((await find('n-00')).some(({ id }) => id === note.id));
    for (const q of ['-00', 'INV-', 'v-0002']) assert.deepEqual(await find(q), [], q);
    for (const q of [invoice.total, `${Number(invoice.total)}`])
      assert.ok(
        (await find(q)).some(({ id }) => id === invoice.id),
        q,
      );
    assert.deepEqual(await find('987.65'), []);
  });

  it('finds plans by a part of their name or key, and below a customer its newest invoices', async () => {
    const { id } = await done('/v1/pricing-plans', {
      ...{ name: 'Enterprise Quantum', key: 'quantum' },
      charges: [{ event_name: 'e', pricing_model: 'flat', flat_amount: '1' }],
    });
    assert.deepEqual(await find('enterprise quant'), [await read(`/v1/pricing-plans/${id}`)]);
    assert.deepEqual(
      (await find(id)).map((plan) => plan.id),
      [id],
    );
    const many = await customer({ name: 'Billed Often' });
    await subscribe(many, await plan([PER_UNIT]));
    const issued = (await advance(many, at('08-01'))) as Json[];
    const [found, ...below] = await find('billed often');
    assert.equal(found!['name'], 'Billed Often');
    assert.deepEqual(
      below.map((below_it) => below_it['id']),
      issued
        .map((each) => each['id'])
        .sort()
        .reverse()
        .slice(0, 5),
    );
  });

  it('finds a credit note by its number, in any case', async () => {
    for (const q of ['CN-000001', 'cn-000001']) assert.deepEqual(await find(q), [note], q);
    assert.deepEqual(await find('CN-000002'), []);
  });

  it('finds every kind of object by its id', async () => {
    const { id } = await read(`/v1/customers/${owner}`);
    const objects = [
      await read(`/v1/customers/${id}`),
      await read(`/v1/subscriptions/${invoice.subscription_id}`),
      ...[invoice, note, payment, event],
    ];
    for (const object of objects) assert.deepEqual(await find(object.id), [object]);
    for (const unknown of ['cus_1', 'sub_1', 'inv_1', 'cn_1', 'pay_1', 'evt_1', 'evt_', '_', 'constructor_'])
      assert.deepEqual(await find(unknown), [], unknown);
  });

  it('finds an event by its key and a payment by its reference, in full and as they are written', async () => {
    assert.deepEqual(await find('Key-7'), [event]);
    assert.deepEqual(await find('SEPA 4711/a'), [payment]);
    for (const q of ['key-7', 'Key-', 'SEPA', 'sepa 4711/a']) assert.deepEqual(await find(q), [], q);
  });

  it('finds a customer by a part of its name, email or external id, in any case and script', async () => {
    const FOUND: [q: string, name: string][] = [
      ['東京電力', '東京電力'],
      ['京電', '東京電力'],
      ['電', '東京電力'],
      ['بيروت', 'بيروت'],
      ['يرو', 'بيروت'],
      ['Öko', 'Öko'],
      ['ÖK', 'Öko'],
      ['oKo', 'Öko'],
      ['X 東', '東京電力'],
    ];
    for (const [q, name] of FOUND) assert.deepEqual(await named(q), [name], q);
    for (const q of ['BÜRO.ex', 'post@', 'X '])
      assert.deepEqual(await named(q), ['Öko', 'بيروت', '東京電力'], q);
    for (const q of ['東電', 'ökö gmbh', '%', '_x', "' or 1=1 --", '\\', '*'])
      assert.deepEqual(await named(q), [], q);
    const [found] = await find('Öko');
    assert.deepEqual(found, await read(`/v1/customers/${found.id}`));
  });

  it('begins with what is meant: the whole name, then its beginning, then a part; at most 20', async () => {
    const names = ['New Rank', 'Rank', 'Rank Ltd', ...Array.from({ length: 20 }, (_, n) => `The rank ${n}`)];
    for (const [n, name] of names.entries()) await done('/v1/customers', { external_id: `r${n}`, name });
    const newest_first = names.slice(3).reverse().slice(0, 18);
    assert.deepEqual(await named('rank'), ['Rank', 'Rank Ltd', ...newest_first]);
    assert.deepEqual(await named('NEW rank'), ['New Rank']);
  });

  it('then finds customers with all of the words, each in any field, in any order', async () => {
    const PEOPLE = [
      { name: 'Smith, Jöhn', email: 'js@words.example' },
      { name: 'John Smith Ltd', email: null },
      { name: 'Smith', email: 'john@words.example' },
      { name: 'John', email: 'john@words.example' },
    ];
    for (const [n, person] of PEOPLE.entries())
      await done('/v1/customers', { external_id: `word-${n}`, ...person });
    assert.deepEqual(await named('john smith'), ['John Smith Ltd', 'Smith', 'Smith, Jöhn']);
    assert.deepEqual(await named('smith john words'), ['Smith', 'Smith, Jöhn']);
    assert.deepEqual(await named('Smith word\u20112'), ['Smith']);
    assert.deepEqual(await named('smith john nobody'), []);
    const listed = (await read(`/v1/customers?search=${encodeURIComponent('SMITH john')}`)).data;
    assert.deepEqual(
      listed.map(({ name }: Json) => name),
      ['Smith', 'John Smith Ltd', 'Smith, Jöhn'],
    );
  });

  it('compares long words to their end', async () => {
    const long = 'Ünternehmensbeteiligungsgesellschaft ';
    for (const end of ['Nord', 'Süd']) await done('/v1/customers', { external_id: end, name: long + end });
    assert.deepEqual(await named(`${long}süd`), [`${long}Süd`]);
  });

  it('finds a customer by its new name alone, also where another program changed it', async () => {
    await done('/v1/customers', { external_id: 'renamed', name: 'Before' });
    const patch = (name: string) => request('/v1/customers/renamed', { method: 'PATCH', body: { name } });
    for (const name of ['After', 'AFTER']) {
      await patch(name);
      assert.deepEqual([await named('before'), await named('after')], [[], [name]]);
    }
    await stack().pool.query(`update customers set name = 'Elsewhere' where external_id = 'renamed'`);
    assert.deepEqual(await named('after'), []);
    // The worker writes the search text.
    await eventually(
      () => named('elsewhere'),
      ([name]) => name === 'Elsewhere',
    );
    assert.deepEqual(await withoutSearchText(stack().pool, 1), []);
  });

  it('finds the same customers for the list, page by page, the newest first', async () => {
    const pageOf = (search: string, more = '') =>
      read(`/v1/customers?search=${encodeURIComponent(search)}&${more}`);
    const listed = async (search: string): Promise<string[]> => {
      const names: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { data, next_cursor } = await pageOf(search, `limit=2${cursor && `&cursor=${cursor}`}`);
        names.push(...data.map(({ name }: Json) => name));
        cursor = next_cursor;
      }
      return names;
    };
    for (const name of ['Pager ÄÖ', 'pager', 'The Pager', 'Pagér Ltd', 'No page'])
      await done('/v1/customers', { external_id: `page of ${name}`, name });
    const found = ['Pagér Ltd', 'The Pager', 'pager', 'Pager ÄÖ'];
    assert.deepEqual(await listed('PAGER'), found);
    assert.deepEqual(await listed('京電'), ['東京電力']);
    for (const search of ['\u0301', 'nobody at all']) assert.deepEqual(await listed(search), [], search);
    // More newer ones than are read without the index.
    await stack().pool.query(
      `insert into customers (environment_id, id, external_id, currency, metadata, created_at, search_text)
       select environment_id, format('cus_z%s', n), format('z%s', n), 'USD', '{}', now(), E'\nfiller\n'
       from customers, generate_series(1, 1100) as n where external_id = $1`,
      [owner],
    );
    assert.deepEqual(await listed('PAGER'), found);
    assert.deepEqual((await named('pager')).sort(), found.toSorted());
  });

  it('never finds an object of the other environment', async () => {
    const { api_url, live_key } = stack();
    const objects = [
      invoice.id,
      invoice.number,
      '1',
      payment.reference,
      'Key-7',
      event.id,
      'Öko',
      'o',
      owner,
    ];
    for (const q of objects) {
      const { status, body } = await send(api_url + pathOf(q), { key: live_key });
      assert.deepEqual([status, body.data], [200, []], q);
    }
  });

  const BAD: [query: string, param: string, reason: Reason][] = [
    ['', 'q', 'missing'],
    ['?q=', 'q', 'missing'],
    ['?q=%20', 'q', 'malformed'],
    ['?q=a%00b', 'q', 'malformed'],
    ['?q=a%0Ab', 'q', 'malformed'],
    [`?q=${'a'.repeat(256)}`, 'q', 'too_long'],
    ['?q=a&q=b', 'q', 'duplicate_member'],
    ['?q=a&limit=5', 'limit', 'unknown_parameter'],
    ['?q=a&cursor=x', 'cursor', 'unknown_parameter'],
    ['?q=a&type=invoice', 'type', 'unknown_parameter'],
  ];
  for (const [query, param, reason] of BAD)
    it(`refuses ${query.slice(0, 20)}`, async () =>
      assertRefused(await get(`/v1/search${query}`), { code: 'invalid_request', param, reason }));

  it('takes 255 characters', async () => assert.deepEqual(await find('語'.repeat(255)), []));
});
