import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../support/servers/api.ts';
import { commandsOf } from '../support/servers/command.ts';

describe('npm run tidemark -- subscriptions', function () {
  let api: TestApi;
  before(async () => (api = await startApi()));
  after(() => api.close());

  const { run, printed, json } = commandsOf(() => api);

  async function made(path: string, body: object): Promise<Json> {
    const answer = await api.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  }

  it('subscriptions list --attention: only those that need a person, with the reason', async () => {
    const charges = [{ event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '1' }];
    const plan = await made('/v1/pricing-plans', { name: 'Plan', charges });
    const ids: string[] = [];
    for (const external_id of ['well', 'stuck']) {
      await made('/v1/customers', { external_id });
      const { id } = await made('/v1/subscriptions', { customer_id: external_id, plan_id: plan.id });
      ids.push(id);
    }
    await api.pool.query(`update subscriptions set attention = 'too large' where id = $1`, [ids[1]]);
    const idsOf = ({ data }: Json) => data.map(({ id }: Json) => id);
    assert.deepEqual(idsOf(await json('subscriptions', 'list')), [ids[1], ids[0]]);
    assert.deepEqual(idsOf(await json('subscriptions', 'list', '--customer', 'well')), [ids[0]]);
    assert.deepEqual(idsOf(await json('subscriptions', 'list', '--attention')), [ids[1]]);
    assert.match(await printed('subscriptions', 'list', '--attention'), /^sub_\w+ +stuck .* too large$/m);
  });

  it('subscriptions change: previews a change of plan, then makes it; periods lists what there is', async () => {
    const charges = [{ event_name: 'fee', pricing_model: 'flat', flat_amount: '49' }];
    const [small, large] = [
      await made('/v1/pricing-plans', { name: 'Small', charges }),
      await made('/v1/pricing-plans', { name: 'Large', interval: 'year', charges }),
    ];
    await made('/v1/customers', { external_id: 'growing' });
    const { id, current_period_end: at } = await made('/v1/subscriptions', {
      customer_id: 'growing',
      plan_id: small.id,
    });
    const change = ['subscriptions', 'change', id, '--plan', large.id, '--at', 'period_end'];
    const preview = await printed(...change, '--dry-run');
    assert.match(
      preview,
      /^by the old plan +\S+ to \S+: 49\.00 USD\nby the new plan +\S+ to \S+: 49\.00 USD$/m,
    );
    assert.equal((await json('subscriptions', 'list', '--customer', 'growing')).data[0].pending_change, null);
    assert.match(await printed(...change), new RegExp(`^next_plan +${large.id} from ${at}$`, 'm'));
    assert.match(await printed('subscriptions', 'change', id, '--take-back'), /^next_plan +-$/m);
    await printed(...change, '--take-back-grants');
    const [{ after: told }] = (await api.request(`/v1/audit-log?object_id=${id}`)).body.data;
    assert.deepEqual([told.at, told.take_back_grants], [at, true]);
    const [period] = (await json('subscriptions', 'periods', id)).data;
    assert.deepEqual([period.kind, period.plan_id, period.period_end], ['billing', small.id, at]);
  });

  it('subscriptions cancel: previews, cancels, takes back; trial moves the end of a trial', async () => {
    const charges = [{ event_name: 'fee', pricing_model: 'flat', flat_amount: '49' }];
    const plan = await made('/v1/pricing-plans', { name: 'Small', charges });
    await made('/v1/customers', { external_id: 'leaving' });
    const dates = { start_date: new Date(Date.now() + 86_400_000).toISOString() };
    const { id } = await made('/v1/subscriptions', { customer_id: 'leaving', plan_id: plan.id, ...dates });
    const trial_end = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const trial = await printed('subscriptions', 'trial', id, '--ends-at', trial_end);
    assert.match(trial, new RegExp(`^trial_until +${trial_end}$`, 'm'));
    const end = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const cancel = ['subscriptions', 'cancel', id];
    const preview = await printed(...cancel, '--at', end, '--dry-run');
    assert.match(preview, new RegExp(`^last_invoice +${trial_end} to ${end}: `, 'm'));
    assert.match(await printed(...cancel, '--at', end), new RegExp(`^ends +${end}$`, 'm'));
    assert.match(await printed(...cancel, '--take-back'), /^ends +-$/m);
    assert.equal((await json(...cancel)).cancel_at, dates.start_date);
    assert.match(await printed(...cancel, '--at', 'now'), /^status +canceled$/m);
  });

  it('subscriptions bill-at: sets the usage at which a part is billed, and takes it away', async () => {
    const charges = [{ event_name: 'fee', pricing_model: 'flat', flat_amount: '49' }];
    const plan = await made('/v1/pricing-plans', { name: 'Small', charges });
    await made('/v1/customers', { external_id: 'exploding' });
    const { id } = await made('/v1/subscriptions', { customer_id: 'exploding', plan_id: plan.id });
    const command = ['subscriptions', 'bill-at', id];
    assert.match(await printed(...command, '500'), /^bill_at +500\.00$/m);
    assert.equal((await json(...command, 'none')).bill_at, null);
  });

  it('subscriptions quantities: previews, changes and takes back quantities', async () => {
    const fee = { event_name: 'seat', pricing_model: 'flat', flat_amount: '8', quantity: 'subscription' };
    const plan = await made('/v1/pricing-plans', { name: 'Team', charges: [fee] });
    await made('/v1/customers', { external_id: 'seated' });
    const { id } = await made('/v1/subscriptions', { customer_id: 'seated', plan_id: plan.id });
    const command = ['subscriptions', 'quantities', id];
    const later = new Date(Date.now() + 86_400_000).toISOString();
    assert.match(await printed(...command, 'seat=10', '--at', later, '--dry-run'), /^upcoming +\d{4}-/m);
    const changed = await printed(...command, 'seat=10', '--at', later, '--bill', 'now', '--settle', 'none');
    assert.match(changed, new RegExp(`^quantities +seat=1; seat=10 from ${later}$`, 'm'));
    assert.match(await printed(...command, '--at', later, '--take-back'), /^quantities +seat=1$/m);
    assert.deepEqual((await json(...command, 'seat=2.5', '--at', 'now')).quantities, { seat: '2.5' });
    const { code, stderr } = await run(...command, 'seat', '--at', 'now');
    assert.equal(code, 2);
    assert.match(stderr, /seat must be NAME=QUANTITY/);
  });
});
