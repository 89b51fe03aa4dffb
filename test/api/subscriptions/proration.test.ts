import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { CALLS, fee, feeLivesOn } from '../../support/ledger/fee-lives.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn, times } from '../../support/ledger/test-customer.ts';

/** billing.md 1 and 10: how fees in advance pass from one plan to the next, and the cycle. */
describe('a change of plan with a proration', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, plan, post, read, subscribe, use } = customers;
  const { aLife, change, invoicesOf, linesOf, notesOf, pay, untilOpened } = feeLivesOn(customers);

  /** 20.00 in advance since 1 April, paid, and changed to 50.00 as 16 April begins. */
  async function changed(terms: object, when = 'now') {
    const { id, subscription_id, opening } = await aLife([fee('20.00')]);
    await pay(opening);
    await advance(id, at('04-16'));
    const request = { plan_id: await plan([fee('50.00')]), at: when, ...terms };
    const preview = await change(subscription_id, { ...request, dry_run: true });
    await change(subscription_id, request);
    return { id, subscription_id, preview };
  }
  const creditedOf = async (id: string): Promise<string[]> =>
    (await notesOf(id)).map(({ subtotal }) => subtotal);
  /** The fees of each invoice after the opening. */
  const billedOf = async (id: string): Promise<string[]> =>
    (await invoicesOf(id)).slice(1).map((invoice) => linesOf(invoice));
  const previewOf = ({ closing, upcoming, credit_notes }: Json) => [
    linesOf(closing),
    linesOf(upcoming),
    credit_notes.map(({ subtotal }: Json) => subtotal),
  ];
  const cancel = (subscription_id: string): Promise<Json> =>
    done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });

  const FIGURES: [terms: object, credited: string[], closing: string, next: string, ended: string[]][] = [
    [{}, ['10.00'], 'flat 25.00 04-16', 'flat 50.00 05-01', ['10.00', '16.67']],
    [{ proration: 'exact' }, ['10.00'], 'flat 25.00 04-16', 'flat 50.00 05-01', ['10.00', '16.67']],
    [{ proration: 'none' }, [], '', 'flat 50.00 05-01', ['6.67']],
    [{ proration: 'full' }, ['10.00'], 'flat 50.00 04-16', 'flat 50.00 05-01', ['10.00', '33.33']],
    [
      { proration: 'full', cycle: 'restart' },
      ['10.00'],
      'flat 50.00 04-16',
      'flat 50.00 05-16',
      ['10.00', '41.67'],
    ],
    [{ cycle: 'restart' }, ['10.00'], 'flat 50.00 04-16', 'flat 50.00 05-16', ['10.00', '41.67']],
  ];
  for (const [terms, credited, closing, next, ended] of FIGURES)
    it(`20.00 to 50.00 in advance on 16 April, ${JSON.stringify(terms)}, as in the preview, and ended on 21 April`, async () => {
      const { id, preview } = await changed(terms);
      assert.deepEqual(previewOf(preview), [closing, next, credited]);
      await advance(id, at('05-20'));
      assert.deepEqual([await billedOf(id), await creditedOf(id)], [[closing, next], credited]);
      const other = await changed(terms);
      await advance(other.id, at('04-21'));
      await cancel(other.subscription_id);
      await advance(other.id, at('04-22'));
      assert.deepEqual(await creditedOf(other.id), ended);
    });

  it('none: usage goes by the new plan at once, and fees in arrears by exact time', async () => {
    const arrears = (flat_amount: string) => ({
      ...{ event_name: 'support', pricing_model: 'flat', flat_amount },
    });
    const { id, subscription_id } = await aLife([fee('20.00'), CALLS, arrears('30.00')]);
    await advance(id, at('04-16'));
    const to = await plan([fee('50.00'), { ...CALLS, unit_amount: '3' }, arrears('60.00')]);
    await change(subscription_id, { plan_id: to, at: 'now', proration: 'none' });
    await advance(id, at('04-20'));
    await use(id, times(2, { event_name: 'call', timestamp: at('04-10') }));
    await use(id, times(2, { event_name: 'call', timestamp: at('04-18') }));
    await advance(id, at('05-02'));
    assert.deepEqual(await billedOf(id), [
      'usage 0.00 04-01, flat 15.00 04-01',
      'usage 6.00 04-16, flat 30.00 04-16, flat 50.00 05-01, late_usage 2.00 04-01',
    ]);
  });

  it('none after none leaves out the plan between; exact after none ends the first fee', async () => {
    for (const [proration, credited, billed] of [
      ['none', [], ['', '', 'flat 90.00 05-01']],
      ['exact', ['6.67'], ['', 'flat 30.00 04-21', 'flat 90.00 05-01']],
    ] as const) {
      const { id, subscription_id } = await changed({ proration: 'none' });
      await advance(id, at('04-21'));
      await change(subscription_id, { plan_id: await plan([fee('90.00')]), at: 'now', proration });
      await advance(id, at('05-02'));
      assert.deepEqual([await billedOf(id), await creditedOf(id)], [billed, credited]);
    }
  });

  it('none: what the old fee is short of is on the invoice that closes the period with which it ends', async () => {
    const { id, subscription_id } = await aLife([fee('20.00')]);
    await advance(id, at('04-20'));
    // May is billed up to the 21st alone.
    const to = await plan([fee('50.00')]);
    await change(subscription_id, { plan_id: to, at: at('05-16'), proration: 'none' });
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: at('05-21') });
    await advance(id, at('05-18'));
    assert.deepEqual(await billedOf(id), ['flat 12.90 05-01', '']);
    await stackDelete(`/v1/subscriptions/${subscription_id}/cancel`);
    await advance(id, at('06-02'));
    assert.deepEqual((await billedOf(id)).at(-1), 'flat 50.00 06-01, flat 7.10 05-01');
    assert.deepEqual(await creditedOf(id), []);
  });
  const stackDelete = async (path: string): Promise<void> => {
    const { status } = await requestsTo(stack)(path, { method: 'DELETE' });
    assert.equal(status, 200);
  };

  it('a change that is scheduled keeps what it was told, and is taken back with it', async () => {
    const { id, subscription_id } = await aLife([fee('20.00')]);
    await change(subscription_id, {
      plan_id: await plan([fee('50.00')]),
      at: at('05-16'),
      proration: 'full',
      cycle: 'restart',
    });
    await advance(id, at('05-17'));
    assert.deepEqual(await billedOf(id), ['flat 9.68 05-01', 'flat 50.00 05-16']);
    assert.equal((await read(`/v1/subscriptions/${subscription_id}`)).current_period_end, at('06-16'));
    const other = await aLife([fee('20.00')]);
    const request = { plan_id: await plan([fee('50.00')]), at: at('05-16'), proration: 'none' };
    await change(other.subscription_id, request);
    await stackDelete(`/v1/subscriptions/${other.subscription_id}/change`);
    await advance(other.id, at('06-01'));
    assert.deepEqual(await billedOf(other.id), ['flat 20.00 05-01', 'flat 20.00 06-01']);
  });

  it('at a boundary all are the same: full and restart scheduled for the end of a period', async () => {
    const id = await customer({}, at('01-31'));
    const { id: subscription_id } = await subscribe(id, await plan([fee('20.00')]));
    await untilOpened(id);
    const to = await plan([fee('50.00')]);
    await change(subscription_id, { plan_id: to, at: 'period_end', proration: 'full', cycle: 'restart' });
    await advance(id, at('03-31'));
    assert.deepEqual(await billedOf(id), ['flat 50.00 02-28', 'flat 50.00 03-31']);
    assert.equal((await read(`/v1/subscriptions/${subscription_id}`)).billing_anchor, null);
  });

  it('restart on 31 January is clamped as an anchor', async () => {
    const id = await customer({}, at('01-15'));
    const { id: subscription_id } = await subscribe(id, await plan([CALLS]));
    await advance(id, at('01-31'));
    await change(subscription_id, {
      plan_id: await plan([{ ...CALLS, unit_amount: '2' }]),
      at: 'now',
      cycle: 'restart',
    });
    await advance(id, at('04-01'));
    assert.deepEqual(
      (await invoicesOf(id)).map(({ period_end }) => period_end),
      [at('01-31'), at('02-28'), at('03-31')],
    );
    assert.equal((await read(`/v1/subscriptions/${subscription_id}`)).billing_anchor, at('01-31'));
  });

  it('is refused where none leaves nothing to say, naming the field, and nothing is stored', async () => {
    const { id, subscription_id } = await aLife([fee('20.00')]);
    await advance(id, at('04-16'));
    const [monthly, yearly] = [await plan([fee('50.00')]), await plan([fee('50.00')], { interval: 'year' })];
    const REFUSED: [body: object, param: string, reason: string][] = [
      [{ plan_id: monthly, proration: 'none', settle: 'balance' }, 'settle', 'not_allowed'],
      [{ plan_id: monthly, proration: 'none', cycle: 'restart' }, 'cycle', 'not_allowed'],
      [{ plan_id: yearly, proration: 'none' }, 'proration', 'not_allowed'],
      [{ plan_id: monthly, proration: 'half' }, 'proration', 'invalid_value'],
      [{ plan_id: monthly, proration: 1 }, 'proration', 'invalid_value'],
      [{ plan_id: monthly, cycle: 'anew' }, 'cycle', 'invalid_value'],
    ];
    for (const [body, param, reason] of REFUSED) {
      const refused = await post(`/v1/subscriptions/${subscription_id}/change`, { at: 'now', ...body });
      const [detail] = refused.body.error.details;
      assert.deepEqual([refused.status, detail.param], [400, param], JSON.stringify(refused.body));
      if (reason === 'not_allowed') assert.equal(detail.reason, reason);
    }
    const migration = { from_plan_id: monthly, to_plan_id: yearly, at: 'now', proration: 'none' };
    assertRefused(await post('/v1/plan-migrations', migration), {
      code: 'invalid_request',
      reason: 'not_allowed',
      param: 'proration',
    });
    assert.equal((await read(`/v1/subscriptions/${subscription_id}`)).pending_change, null);
    await change(subscription_id, { plan_id: monthly, at: at('04-16') });
    await advance(id, at('04-18'));
    const exchange = { plan_id: await plan([fee('70.00')]), at: at('04-16'), proration: 'none' };
    assertRefused(await post(`/v1/subscriptions/${subscription_id}/change`, exchange), {
      code: 'invalid_request',
      reason: 'not_allowed',
      param: 'proration',
    });
  });

  it('none compares with the plan that goes on without the scheduled change that it replaces', async () => {
    const { id, subscription_id } = await aLife([fee('20.00')]);
    await advance(id, at('04-16'));
    const [monthly, yearly] = [await plan([fee('50.00')]), await plan([fee('50.00')], { interval: 'year' })];
    await change(subscription_id, { plan_id: yearly, at: at('04-20') });
    const path = `/v1/subscriptions/${subscription_id}/change`;
    assertRefused(await post(path, { plan_id: yearly, at: at('04-22'), proration: 'none' }), {
      ...{ code: 'invalid_request', reason: 'not_allowed', param: 'proration' },
    });
    const { pending_change } = await change(subscription_id, {
      ...{ plan_id: monthly, at: at('04-22'), proration: 'none' },
    });
    assert.deepEqual(pending_change, { plan_id: monthly, at: at('04-22') });
  });

  it('is taken by a plan migration', async () => {
    const { id, subscription_id } = await aLife([fee('20.00')]);
    await advance(id, at('04-16'));
    const { plan_id } = await read(`/v1/subscriptions/${subscription_id}`);
    const to_plan_id = await plan([fee('50.00')]);
    const request = {
      from_plan_id: plan_id,
      to_plan_id,
      at: at('04-20'),
      proration: 'full',
      cycle: 'restart',
    };
    await done('/v1/plan-migrations', request);
    await eventually(
      () => read(`/v1/subscriptions/${subscription_id}`),
      ({ pending_change }) => pending_change !== null,
    );
    await advance(id, at('05-21'));
    assert.deepEqual(await billedOf(id), ['flat 50.00 04-20', 'flat 50.00 05-20']);
  });
});
