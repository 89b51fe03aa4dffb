import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { useStack } from '../../support/servers/stack.ts';
import {
  at,
  FLAT,
  later,
  PER_UNIT,
  requestsTo,
  testCustomersOn,
} from '../../support/ledger/test-customer.ts';

const CALLS = { ...PER_UNIT, name: 'API calls' };
const IN_JANUARY = { timestamp: at('01-01T12:00') };
const JANUARY = { period_start: at('01-01'), period_end: at('02-01') };
const LATE_DAYS_MS = 35 * 86_400_000;

describe('the billing of an event, with its invoices and when it is expected', () => {
  const stack = useStack();
  const { advance, customer, done, plan, read, subscribe, use } = testCustomersOn(requestsTo(stack));

  async function subscriber(charges: readonly object[] = [CALLS], dates: object = {}) {
    const id = await customer();
    const subscription = await subscribe(id, await plan(charges), dates);
    return { id, subscription_id: subscription.id as string };
  }

  /** Sends an event and returns a function that reads its one entry. */
  async function sent(id: string, event: object = IN_JANUARY): Promise<() => Promise<Json>> {
    const { events } = await use(id, [event]);
    return async () => {
      const { billing } = await read(`/v1/events/${events[0].id}`);
      assert.equal(billing.length, 1);
      return billing[0];
    };
  }

  const onInvoice = ({ id, number, line_items }: Json, line = 0) => ({
    ...{ invoice_id: id, invoice_number: number, line_item_id: line_items[line].id },
  });
  const onNone = { invoice_id: null, invoice_number: null, line_item_id: null };
  const ofPeriod = ({ id, number }: Json) => ({ period_invoice_id: id, period_invoice_number: number });
  const ofNone = { period_invoice_id: null, period_invoice_number: null };
  const is = (billing: Json, wanted: object) => {
    const names = Object.keys(wanted);
    const found = Object.fromEntries(Object.entries(billing).filter(([name]) => names.includes(name)));
    assert.deepEqual(found, wanted);
  };

  it('pending, then billed, then late on the next invoice: it names charge, period and both invoices', async () => {
    const { id, subscription_id } = await subscriber();
    const first = await sent(id);
    const pending = await first();
    assert.deepEqual(pending, {
      ...{ charge_id: pending.charge_id, charge_name: 'API calls', subscription_id },
      ...{ status: 'pending', reason: null, ...onNone, ...JANUARY, ...ofNone, expected_at: at('02-01') },
    });
    const [january] = (await advance(id, at('02-01'))) as [Json];
    is(await first(), { status: 'billed', ...onInvoice(january), ...ofPeriod(january), expected_at: null });
    const second = await sent(id);
    is(await second(), {
      status: 'late',
      ...onNone,
      ...JANUARY,
      ...ofPeriod(january),
      expected_at: at('03-01'),
    });
    const [february] = (await advance(id, at('03-01'))) as [Json];
    is(await second(), { status: 'billed', ...onInvoice(february, 1), ...JANUARY, ...ofPeriod(january) });
  });

  it('on a draft that is held until it is finalized nobody knows when; late usage goes by the next period', async () => {
    const { id } = await subscriber();
    const first = await sent(id);
    await advance(id, at('02-02'), { hold_drafts: true });
    const billing = await first();
    is(billing, { status: 'pending', invoice_number: null, period_invoice_number: null, expected_at: null });
    assert.equal(billing.invoice_id, billing.period_invoice_id);
    const after_count = await sent(id);
    is(await after_count(), { status: 'pending', ...onNone, expected_at: null });
    const issued = await done(`/v1/invoices/${billing.invoice_id}/finalize`);
    is(await after_count(), { status: 'billed', ...onInvoice(issued), ...ofPeriod(issued) });
  });

  it('of a void invoice it names that one, and generate makes one that replaces it', async () => {
    const { id, subscription_id } = await subscriber();
    const first = await sent(id);
    const [january] = (await advance(id, at('02-01'))) as [Json];
    await done(`/v1/invoices/${january.id}/void`);
    const gone = { ...onNone, ...JANUARY, ...ofPeriod(january), expected_at: null };
    is(await first(), { status: 'pending', reason: 'invoice_void', ...gone });
    const { data } = await done('/v1/invoices/generate', { subscription_id });
    assert.deepEqual(
      data.map(({ replaces }: Json) => replaces),
      [january.id],
    );
    assert.equal((await read(`/v1/invoices/${january.id}`)).replaced_by, data[0].id);
    is(await first(), { status: 'billed', ...onInvoice(data[0]), ...ofPeriod(data[0]) });
    await done(`/v1/invoices/${data[0].id}/void`);
    const again = (await done('/v1/invoices/generate', { subscription_id })).data;
    assert.deepEqual([again[0].replaces, again.length], [data[0].id, 1]);
    assert.equal((await read(`/v1/invoices/${january.id}`)).replaced_by, data[0].id);
  });

  it('of a cut period: its part, and the end of the next one, which takes it', async () => {
    const { id, subscription_id } = await subscriber();
    await advance(id, at('01-16'));
    const { data } = await done('/v1/invoices/generate', { subscription_id, close_now: true });
    const event = await sent(id);
    const part = { period_start: at('01-01'), period_end: at('01-16') };
    is(await event(), {
      status: 'pending',
      ...onNone,
      ...part,
      ...ofPeriod(data[0]),
      expected_at: at('02-01'),
    });
    const [rest] = (await advance(id, at('02-01'))) as [Json];
    is(await event(), { status: 'billed', ...onInvoice(rest), ...part, ...ofPeriod(data[0]) });
    await done(`/v1/invoices/${data[0].id}/void`);
    const second = await sent(id, { timestamp: at('01-20') });
    is(await second(), { reason: 'invoice_void', period_start: at('01-16'), ...ofPeriod(data[0]) });
  });

  it('an opening invoice is not that of its period', async () => {
    const { id } = await subscriber([{ ...FLAT, billed: 'in_advance' }, CALLS]);
    await advance(id, at('01-01T18:00'));
    const { data } = await read(`/v1/invoices?customer_id=${id}`);
    assert.deepEqual([data[0].kind, data[0].period_start], ['opening', at('01-01')]);
    const event = await sent(id);
    is(await event(), { status: 'pending', ...JANUARY, ...ofNone, expected_at: at('02-01') });
  });

  it('after a change of plan it is of the plan of its time, and late with the next invoice', async () => {
    const { id, subscription_id } = await subscriber();
    const plan_id = await plan([{ ...PER_UNIT, name: 'Calls of the new plan' }]);
    await done(`/v1/subscriptions/${subscription_id}/change`, { plan_id, at: at('01-16') });
    const [old] = (await advance(id, at('01-16'))) as [Json];
    const event = await sent(id);
    const before = { charge_name: 'API calls', period_start: at('01-01'), period_end: at('01-16') };
    is(await event(), { status: 'late', ...before, ...ofPeriod(old), expected_at: at('02-01') });
    const next = await sent(id, { timestamp: at('01-16') });
    const after = { charge_name: 'Calls of the new plan', period_start: at('01-16'), ...ofNone };
    is(await next(), { status: 'pending', ...after, expected_at: at('02-01') });
  });

  it('in a trial it has that period and no invoice', async () => {
    const { id } = await subscriber([CALLS], { trial_end_date: at('01-15') });
    const event = await sent(id);
    const trial = { period_start: at('01-01'), period_end: at('01-15') };
    is(await event(), { status: 'trial', charge_name: 'API calls', ...trial, ...ofNone, expected_at: null });
  });

  it('of a period that is yet to open it has neither period nor time', async () => {
    const { id } = await subscriber();
    await advance(id, at('01-31T12:00'));
    const event = await sent(id, { timestamp: at('02-01T06:00') });
    const none = { period_start: null, period_end: null, ...ofNone };
    is(await event(), { status: 'pending', ...onNone, ...none, expected_at: null });
  });

  it('late after the end of a subscription it is expected with the last invoice; once that is void, no more', async () => {
    const { id, subscription_id } = await subscriber();
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: at('01-16') });
    const [january] = (await advance(id, at('01-16'))) as [Json];
    const event = await sent(id);
    const end = later(at('01-16'), LATE_DAYS_MS);
    is(await event(), { status: 'late', ...ofPeriod(january), expected_at: end });
    const [last] = (await advance(id, end)) as [Json];
    assert.equal(last.kind, 'late');
    is(await event(), { status: 'billed', ...onInvoice(last), ...ofPeriod(january) });
    await done(`/v1/invoices/${last.id}/void`);
    is(await event(), { status: 'late', ...onNone, expected_at: null });
    const too_late = await sent(id);
    is(await too_late(), { status: 'too_late', ...onNone, ...ofPeriod(january), expected_at: null });
    const outside = await sent(id, { timestamp: at('01-17') });
    const none = { period_start: null, period_end: null, ...ofNone };
    is(await outside(), {
      status: 'unrated',
      reason: 'after_cancellation',
      charge_name: 'API calls',
      ...none,
    });
  });

  it('unrated by its charge it has charge and period, counted by no charge it has neither', async () => {
    const { id } = await subscriber([{ ...CALLS, aggregation: { type: 'sum', property: 'n' } }]);
    const nameless = await sent(id);
    is(await nameless(), {
      reason: 'property_missing',
      charge_name: 'API calls',
      ...JANUARY,
      expected_at: null,
    });
    const other = await sent(id, { ...IN_JANUARY, event_name: 'other' });
    is(await other(), { reason: 'no_charge', charge_name: null, period_start: null, ...ofNone });
    const early = await sent(id, { timestamp: later(at('01-01'), -1) });
    is(await early(), { reason: 'before_start', charge_name: 'API calls', period_start: null });
  });
});
