import assert from 'node:assert/strict';
import { pagesOf, usePoppler } from '../../support/documents/pdf.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import type { Json } from '../../support/servers/api.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';

const day = (text: string) => at(text).slice(0, 10);

/** billing.md 18. */
describe('a statement', function () {
  usePoppler();
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, get, plan, post, read, subscribe } = testCustomersOn(request);

  /** A customer with invoices of 49.00 that were due on the first of February and of March. */
  async function aDebtor(parts: object = {}): Promise<{ id: string; path: string; invoices: Json[] }> {
    const id = await customer({ name: 'Acme Ltd', email: 'ada@acme.com', ...parts });
    await subscribe(id, await plan([FLAT]));
    const [january, february] = await advance(id, at('03-01T12:00'));
    return { id, path: `/v1/customers/${id}/statement`, invoices: [january!, february!] };
  }
  const paperOf = (path: string, key = stack().test_key) =>
    fetch(`${stack().api_url}${path}.pdf`, { headers: { Authorization: `Bearer ${key}` } });

  it('has the open invoices by due date, what is due and overdue, and the balance', async () => {
    const { id, path, invoices } = await aDebtor();
    const [january, february] = invoices;
    await done(`/v1/invoices/${january!.id}/payments`, { amount: '9.00' });
    await done(`/v1/customers/${id}/payments`, { amount: '5.00' });
    const lineOf = ({ id: invoice_id, number, issued_at, due_date, total }: Json, line: object) => ({
      invoice_id,
      number,
      issued_at,
      due_date,
      total,
      ...line,
      pause_reason: null,
    });
    const expected = {
      object: 'statement',
      customer_id: id,
      currency: 'USD',
      as_of: at('03-01T12:00'),
      amount_due: '89.00',
      overdue_amount: '40.00',
      balance: '5.00',
      data: [
        lineOf(january!, { amount_due: '40.00', days_overdue: 28 }),
        lineOf(february!, { amount_due: '49.00', days_overdue: 0 }),
      ],
    };
    assert.deepEqual(await read(path), expected);
    const { id: own_id } = await read(`/v1/customers/${id}`);
    assert.deepEqual(await read(`/v1/customers/${own_id}/statement`), expected);
  });

  it('leaves out what is paid, void and in draft, and of nothing has sums of 0', async () => {
    const { id, path, invoices } = await aDebtor();
    await done(`/v1/invoices/${invoices[0]!.id}/pay`);
    await done(`/v1/invoices/${invoices[1]!.id}/void`, { reason: 'Mistake' });
    await advance(id, at('04-01'), { hold_drafts: true });
    const { amount_due, overdue_amount, balance, data } = await read(path);
    assert.deepEqual([amount_due, overdue_amount, balance, data], ['0.00', '0.00', '0.00', []]);
  });

  it('counts days in the time zone of the customer', async () => {
    const { id, path, invoices } = await aDebtor({ timezone: 'Pacific/Auckland' });
    const { due_date } = invoices[0]!;
    // Noon in UTC is after midnight there, in summer time too.
    await advance(id, `${due_date}T12:00:00Z`).catch(() => undefined);
    const [line] = (await read(path)).data;
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(
      new Date((await read(path)).as_of),
    );
    assert.equal(line.days_overdue, (Date.parse(today) - Date.parse(due_date)) / 86_400_000);
  });

  it('says why an invoice is paused, by its own pause before that of its customer', async () => {
    const { id, path, invoices } = await aDebtor();
    const reasonsOf = async () => (await read(path)).data.map(({ pause_reason }: Json) => pause_reason);
    await done(`/v1/invoices/${invoices[0]!.id}/pause-collection`, { reason: 'disputed' });
    assert.deepEqual(await reasonsOf(), ['disputed', null]);
    await done(`/v1/customers/${id}/pause-collection`, { reason: 'promised' });
    assert.deepEqual(await reasonsOf(), ['disputed', 'promised']);
  });

  it('and the objects say of a pause whose last day is over that there is none', async () => {
    const { id, path, invoices } = await aDebtor({ timezone: 'America/New_York' });
    const invoice = `/v1/invoices/${invoices[0]!.id}`;
    const until = { reason: 'promised', until: day('03-10') };
    await done(`${invoice}/pause-collection`, until);
    await done(`/v1/customers/${id}/pause-collection`, until);
    const reasonsOf = async () => [
      (await read(invoice)).collection_pause?.reason,
      (await read(`/v1/customers/${id}`)).collection_pause?.reason,
      ...(await read(path)).data.map(({ pause_reason }: Json) => pause_reason),
    ];
    // Still the tenth in New York.
    await advance(id, at('03-11T04:59'));
    assert.deepEqual(await reasonsOf(), ['promised', 'promised', 'promised', 'promised']);
    await advance(id, at('03-11T05:00'));
    assert.deepEqual(await reasonsOf(), [undefined, undefined, null, null]);
    const early = await post(`${invoice}/pause-collection`, { ...until });
    assertRefused(early, { code: 'invalid_request', param: 'until', reason: 'out_of_range' });
    for (const object of [invoice, `/v1/customers/${id}`])
      assertRefused(await post(`${object}/resume-collection`), { code: 'conflict', reason: 'invalid_state' });
    const again = await done(`${invoice}/pause-collection`, { reason: 'disputed', until: day('03-11') });
    assert.equal(again.collection_pause.reason, 'disputed');
  });

  it('as a paper has a line for each invoice, and the sums', async () => {
    const { path, invoices } = await aDebtor({ timezone: 'Europe/Berlin' });
    await done(`/v1/invoices/${invoices[0]!.id}/pause-collection`, { reason: 'disputed', note: 'A secret' });
    const answer = await paperOf(path);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/pdf');
    const { as_of, amount_due, overdue_amount, data, customer_id } = await read(path);
    assert.equal(
      answer.headers.get('content-disposition'),
      `inline; filename="statement-${customer_id}-${as_of.slice(0, 10)}.pdf"`,
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    const words = (await pagesOf(bytes)).flat().join('\n').replaceAll(' | ', ' ');
    for (const part of [
      ...['Statement of account', 'Acme Ltd', 'TEST: test data', 'Time zone Europe/Berlin'],
      ...[`Amount due ${amount_due} USD`, `Of which overdue ${overdue_amount} USD`],
      ...data.map((line: Json) => `${line.number} ${line.issued_at.slice(0, 10)} ${line.due_date}`),
      `${data[0].days_overdue} 49.00 49.00`,
    ])
      assert.ok(words.includes(part), `${part} in ${words}`);
    assert.doesNotMatch(words, /disputed|secret/);
    assert.ok(bytes.equals(Buffer.from(await (await paperOf(path)).arrayBuffer())), 'equal bytes');
  });

  it('is for the payer, of itself alone, without any word of a pause', async () => {
    const [mine, other] = [await aDebtor(), await aDebtor()];
    const path = `/v1/invoices/${mine.invoices[0]!.id}`;
    await done(`${path}/pause-collection`, { reason: 'disputed', note: 'A secret' });
    const token = tokenOf((await done('/v1/portal-sessions', { customer_id: mine.id })).url);
    const own = await get('/v1/customers/self/statement', { key: token });
    const { data, ...sums } = await read(mine.path);
    assert.equal(data.filter(({ pause_reason }: Json) => pause_reason === 'disputed').length, 1);
    const unpaused = data.map((line: Json) => ({ ...line, pause_reason: null }));
    assert.deepEqual(own.body, { ...sums, data: unpaused });
    const { status } = await paperOf('/v1/customers/self/statement', token);
    assert.equal(status, 200);
    const seen = await get(path, { key: token });
    assert.equal(seen.status, 200, JSON.stringify(seen.body));
    assert.equal(seen.body.collection_pause, null);
    await done(`/v1/customers/${mine.id}/pause-collection`, { reason: 'promised', note: 'A secret' });
    assert.equal((await get('/v1/customers/self', { key: token })).body.collection_pause, null);
    assertRefused(await get(other.path, { key: token }), { code: 'not_found' });
    assert.equal((await paperOf(other.path, token)).status, 404);
    assertRefused(await post(`${mine.path}/send`, {}, { key: token }), {
      code: 'unauthorized',
      reason: 'not_permitted',
    });
  });

  it('of an unknown customer, or for the key of live data, does not exist', async () => {
    const { path } = await aDebtor();
    assertRefused(await get('/v1/customers/nobody/statement'), { code: 'not_found' });
    assertRefused(await get(path, { key: stack().live_key }), { code: 'not_found' });
    assert.equal((await paperOf(path, stack().live_key)).status, 404);
  });
});
