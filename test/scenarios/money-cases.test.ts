import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { at, testCustomersOn, requestsTo, times, type Use } from '../support/ledger/test-customer.ts';
import { TIERS } from '../support/ledger/tiers.ts';
import { useStack } from '../support/servers/stack.ts';

/** Short lives that were once billed wrong, each with its correct values (billing.md 1, 4 and 5). */
describe('money', function () {
  const lives = testCustomersOn(requestsTo(useStack()));
  const { done, grant, plan, post, read, subscribe } = lives;

  const SUM = { type: 'sum', property: 'u' };
  const GRADUATED = { event_name: 'api_call', pricing_model: 'graduated', tiers: TIERS };
  /** Each credit short costs 1.00. */
  const CREDIT = {
    event_name: 'api_call',
    pricing_model: 'credit',
    overage_unit_amount: '1.00',
    aggregation: SUM,
  };
  const volume = (beyond: string) => ({
    event_name: 'api_call',
    pricing_model: 'volume',
    aggregation: SUM,
    tiers: [
      { up_to: 10, unit_amount: '1' },
      { up_to: null, unit_amount: beyond },
    ],
  });

  async function aLife(charges: object[], parts: object = {}): Promise<{ customer: string; id: string }> {
    const customer = await lives.customer(parts);
    const currency = (parts as { currency?: string }).currency;
    const plan_id = await plan(charges, currency === undefined ? {} : { currency });
    return { customer, id: (await subscribe(customer, plan_id)).id };
  }

  const clocks = new Map<string, string>();
  const advance = async (customer: string, to: string, options: object = {}) => {
    clocks.set(customer, to);
    return lives.advance(customer, to, options);
  };
  /** Posts usage at the time of the usage: moves the clock there first, unless it is already later. */
  const use = async (customer: string, events: Use[]) => {
    const { timestamp } = events[0]!;
    if (timestamp! > (clocks.get(customer) ?? at('01-01'))) await advance(customer, timestamp!);
    return lives.use(customer, events);
  };
  const used = (customer: string, timestamp: string, u: number) =>
    use(customer, [{ timestamp, properties: { u } }]);
  const calls = (customer: string, timestamp: string, count: number) =>
    use(customer, times(count, { timestamp }));
  const totalOf = async (invoices: Promise<Json[]>) => (await invoices).map(({ total }) => total);
  const remaining = async (...grants: Json[]) =>
    Promise.all(grants.map(async ({ id }) => (await read(`/v1/credit-grants/${id}`)).remaining));
  const voidInvoice = ({ id }: Json) => done(`/v1/invoices/${id}/void`);
  const regenerate = ({ id }: Json) => done(`/v1/invoices/${id}/regenerate`);
  const generate = async (subscription_id: string): Promise<Json[]> =>
    (await done('/v1/invoices/generate', { subscription_id })).data;
  const cut = async (subscription_id: string): Promise<Json> =>
    (await done('/v1/invoices/generate', { subscription_id, close_now: true })).data.at(-1);
  const notesOf = async (customer_id: string): Promise<string[]> =>
    (await read(`/v1/credit-notes?customer_id=${customer_id}`)).data.map(({ total }: Json) => total);
  const one = async (invoices: Promise<Json[]>): Promise<Json> => {
    const [invoice, ...others] = await invoices;
    assert.deepEqual(others, []);
    return invoice;
  };

  it('M1: a late line that no longer fits after the hold is credited where it was billed', async () => {
    const { customer } = await aLife([volume('0.10')]);
    await used(customer, at('01-20'), 10);
    await advance(customer, at('03-05'));
    await used(customer, at('01-20'), 1);
    await used(customer, at('03-20'), 10);
    const draft = await one(advance(customer, at('04-01'), { hold_drafts: true }));
    assert.equal(draft.total, '1.10');
    await used(customer, at('03-31'), 1);
    assert.equal((await done(`/v1/invoices/${draft.id}/finalize`)).total, '1.10');
    assert.deepEqual(await notesOf(customer), ['8.90']);
    await used(customer, at('04-20'), 10);
    assert.deepEqual(await totalOf(advance(customer, at('05-01'))), ['10.00']);
  });

  it('M1b: a late line that no longer fits beside returned credit is credited where it was billed', async () => {
    const { customer } = await aLife([volume('0.50')]);
    await used(customer, at('01-20'), 10);
    await advance(customer, at('02-01'));
    await grant(customer, 10, { rollover: true });
    await used(customer, at('02-10'), 10);
    const february = await one(advance(customer, at('03-01')));
    assert.equal(february.total, '0.00');
    await advance(customer, at('03-05'));
    await used(customer, at('01-20'), 1);
    await used(customer, at('03-20'), 10);
    const draft = await one(advance(customer, at('04-01'), { hold_drafts: true }));
    assert.equal(draft.total, '5.50');
    await voidInvoice(february);
    assert.equal((await done(`/v1/invoices/${draft.id}/finalize`)).total, '0.00');
    assert.deepEqual(await notesOf(customer), ['4.50']);
    await used(customer, at('04-20'), 10);
    assert.deepEqual(await totalOf(advance(customer, at('05-01'))), ['10.00']);
  });

  it('M2: the next part of a cut period leaves out what a void part held, until generate bills it', async () => {
    const { customer, id } = await aLife([GRADUATED]);
    await advance(customer, at('04-05'));
    await calls(customer, at('04-05'), 900);
    await advance(customer, at('04-12'));
    const part = await cut(id);
    assert.equal(part.total, '90.00');
    await voidInvoice(part);
    const stored = await calls(customer, at('04-20'), 300);
    const [{ status, reason }] = (await read(`/v1/events/${stored.events[0].id}`)).billing;
    assert.deepEqual([status, reason], ['pending', null]);
    assert.deepEqual(await totalOf(advance(customer, at('05-01'))), ['30.00']);
    assert.deepEqual(await totalOf(generate(id)), ['85.00']);
  });

  it('M4: credit that an earlier period no longer needs is available to the first line', async () => {
    const { customer } = await aLife([CREDIT]);
    await grant(customer, 5, { rollover: true });
    await grant(customer, 5, { rollover: true });
    await advance(customer, at('02-01'));
    await used(customer, at('02-10'), 8);
    assert.deepEqual(await totalOf(advance(customer, at('03-01'))), ['0.00']);
    await used(customer, at('02-11'), -4);
    await used(customer, at('03-10'), 4);
    assert.deepEqual(await totalOf(advance(customer, at('04-01'))), ['0.00']);
  });

  it('M5: a flat amount that is cut often is billed once', async () => {
    const flat = { event_name: 'base', pricing_model: 'flat', flat_amount: '3' };
    const { customer, id } = await aLife([flat], { currency: 'JPY' });
    await advance(customer, at('04-01'));
    const amounts: string[] = [];
    for (const day of ['06', '11', '16', '21', '26']) {
      await advance(customer, at(`04-${day}`));
      amounts.push((await cut(id)).total);
    }
    amounts.push(...(await totalOf(advance(customer, at('05-01')))));
    assert.deepEqual(amounts, ['1', '0', '1', '0', '1', '0']);
  });

  it('M6: a period billed again takes over what a later line has returned', async () => {
    const charge = {
      ...{ event_name: 'api_call', pricing_model: 'package', aggregation: SUM },
      ...{ package_size: '1000', package_amount: '30.00', free_units: '12' },
    };
    const { customer } = await aLife([charge]);
    const credit = await grant(customer, 24, { rollover: true });
    await advance(customer, at('02-01'));
    await used(customer, at('02-10'), 36);
    const february = await one(advance(customer, at('03-01')));
    assert.equal(february.total, '0.00');
    await used(customer, at('02-11'), -29);
    await advance(customer, at('04-01'));
    assert.deepEqual(await remaining(credit), [24]);
    const again = await regenerate(february);
    assert.equal(again.total, '0.00');
    assert.deepEqual(await remaining(credit), [24]);
  });

  it('M7: a void returns what was drawn less what was returned since', async () => {
    const { customer, id } = await aLife([CREDIT]);
    const small = await grant(customer, 8, { rollover: true });
    await advance(customer, at('02-01'));
    await used(customer, at('02-10'), 8);
    const february = await one(advance(customer, at('03-01')));
    await used(customer, at('02-11'), -8);
    const march = await one(advance(customer, at('04-01')));
    assert.deepEqual([february.total, march.total], ['0.00', '0.00']);
    await voidInvoice(february);
    assert.deepEqual(await remaining(small), [8]);
    const large = await grant(customer, 20, { rollover: true });
    await used(customer, at('04-10'), 16);
    const april = await one(advance(customer, at('05-01')));
    assert.deepEqual([april.total, april.credits_applied], ['0.00', '16']);
    assert.deepEqual(await remaining(small, large), [0, 12]);
    const again = await one(generate(id));
    const [line] = again.line_items;
    assert.deepEqual([again.total, line.quantity, line.credits_applied], ['0.00', '8', '8']);
    assert.deepEqual(await remaining(small, large), [0, 12]);
    // Without March's line, February would have drawn the 8 credits that April has used since.
    assert.equal((await post(`/v1/invoices/${march.id}/void`)).status, 409);
  });

  it('M7: voiding the line that returned credit, after the line that drew it, changes no grant', async () => {
    const { customer } = await aLife([CREDIT]);
    const credit = await grant(customer, 8, { rollover: true });
    await advance(customer, at('02-01'));
    await used(customer, at('02-10'), 8);
    const february = await one(advance(customer, at('03-01')));
    await used(customer, at('02-11'), -8);
    const march = await one(advance(customer, at('04-01')));
    for (const invoice of [february, march]) {
      await voidInvoice(invoice);
      assert.deepEqual(await remaining(credit), [8]);
    }
    const { ledger } = await read(`/v1/credit-grants/${credit.id}`);
    assert.deepEqual(
      ledger.map(({ type, amount }: Json) => [type, amount]),
      [
        ['granted', 8],
        ['drawn', -8],
        ['returned', 8],
      ],
    );
  });

  it('M8: a grant that was voided since does not count as used', async () => {
    const { customer } = await aLife([CREDIT]);
    const credit = await grant(customer, 8, { rollover: true });
    await advance(customer, at('02-01'));
    await used(customer, at('02-10'), 8);
    await advance(customer, at('03-01'));
    await done(`/v1/credit-grants/${credit.id}/void`);
    await used(customer, at('02-11'), -4);
    const march = await one(advance(customer, at('04-01')));
    assert.deepEqual(
      march.line_items.map((line: Json) => [line.amount, line.credits_applied]),
      [
        ['0.00', '0'],
        ['0.00', '-4'],
      ],
    );
    assert.equal((await post(`/v1/invoices/${march.id}/void`)).status, 200);
    assert.deepEqual(await remaining(credit), [0]);
  });

  it('M8b: credit that is taken over covers the units of the line first', async () => {
    const { customer, id } = await aLife([CREDIT]);
    const a = await grant(customer, 5, { rollover: true });
    const b = await grant(customer, 3, { rollover: true });
    await advance(customer, at('02-01'));
    await used(customer, at('02-10'), 8);
    const february = await one(advance(customer, at('03-01')));
    await used(customer, at('02-11'), -4);
    await advance(customer, at('04-01'));
    assert.deepEqual(await remaining(a, b), [1, 3]);
    await voidInvoice(february);
    assert.deepEqual(await remaining(a, b), [5, 3]);
    await used(customer, at('04-10'), 5);
    await advance(customer, at('05-01'));
    assert.deepEqual(await remaining(a, b), [0, 3]);
    const again = await one(generate(id));
    const [line] = again.line_items;
    assert.deepEqual([again.total, line.quantity, line.credits_applied], ['1.00', '8', '7']);
    assert.deepEqual(await remaining(a, b), [0, 0]);
  });

  it('M9: a late line that fits only if no earlier line uses its returned credit returns it at its own place', async () => {
    const { customer } = await aLife([CREDIT]);
    const credit = await grant(customer, 5, { rollover: true });
    await advance(customer, at('02-01'));
    await used(customer, at('02-10'), 8);
    assert.deepEqual(await totalOf(advance(customer, at('03-01'))), ['3.00']);
    await used(customer, at('02-11'), -4);
    await used(customer, at('03-10'), 3);
    const march = await one(advance(customer, at('04-01')));
    assert.deepEqual(
      march.line_items.map((line: Json) => line.amount),
      ['3.00', '-3.00'],
    );
    assert.deepEqual([march.total, await remaining(credit)], ['0.00', [1]]);
  });

  it('M10: late usage of a void part waits with it', async () => {
    const { customer, id } = await aLife([GRADUATED]);
    await advance(customer, at('04-05'));
    await calls(customer, at('04-05'), 900);
    await advance(customer, at('04-12'));
    await voidInvoice(await cut(id));
    await calls(customer, at('04-06'), 50);
    await calls(customer, at('04-20'), 300);
    assert.deepEqual(await totalOf(advance(customer, at('05-01'))), ['30.00']);
    await calls(customer, at('04-07'), 50);
    assert.deepEqual(await totalOf(advance(customer, at('06-01'))), ['0.00']);
    // The first part holds 1,000 units, the second 300: rate(1,300) = 120.00, less 30.00 of the second part.
    assert.deepEqual(await totalOf(generate(id)), ['90.00']);
  });
});
