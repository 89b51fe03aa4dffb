import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/credit-grants';

/** contract.md 5, *Dry run of a grant*: the day on which it really ends, before it is granted. */
describe('the dry run of a credit grant', () => {
  let api: TestApi;
  after(() => api.close());

  const setClock = (external_id: string, now: string) =>
    api.pool.query('update customers set test_clock = $2 where external_id = $1', [external_id, now]);
  const preview = async (members: object) => {
    const sent = { customer_id: 'tried', amount: 5, dry_run: true, ...members };
    const { status, body } = await api.post(PATH, sent);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  before(async () => {
    api = await startApi();
    const tried = { external_id: 'tried', timezone: 'Europe/Berlin' };
    const { id } = (await api.post('/v1/customers', tried)).body;
    await setClock('tried', '2030-04-10T12:00:00Z');
    await subscribe(id, '2030-04-01T00:00:00Z');
  });

  it('says on which day the grant ends, and stores nothing', async () => {
    const { id } = (await api.request('/v1/customers/tried')).body;
    const terms = { rollover: false, event_names: ['call'], subscription_id: `sub_${id}`, note: 'sorry' };
    const body = await preview({ expires_in_days: 90, ...terms });
    const ends = { expires_at: '2030-05-01T00:00:00.000Z', last_day: '2030-05-01' };
    const tried = { object: 'credit_grant_preview', livemode: false, customer_id: 'tried', amount: 5 };
    assert.deepEqual(body, { ...tried, ...ends, timezone: 'Europe/Berlin', ...terms });
    assert.deepEqual((await api.request(`${PATH}?customer_id=tried`)).body.data, []);
    const granted = await api.post(PATH, { customer_id: 'tried', amount: 5, expires_in_days: 90 });
    assert.deepEqual([granted.status, granted.body.expires_at], [201, body.expires_at]);
  });

  const ENDS: [asked: object, expires_at: string | null, last_day: string | null][] = [
    // Until noon of UTC of the fifth day.
    [{ expires_in_days: 5 }, '2030-04-15T12:00:00.000Z', '2030-04-15'],
    [{ expires_in_days: 90, rollover: true }, '2030-07-09T12:00:00.000Z', '2030-07-09'],
    [{ rollover: true }, null, null],
  ];
  for (const [asked, expires_at, last_day] of ENDS)
    it(`of ${JSON.stringify(asked)} ends on ${last_day}`, async () => {
      const body = await preview(asked);
      assert.deepEqual([body.expires_at, body.last_day], [expires_at, last_day]);
    });

  it('ends on the day before a period that begins at midnight', async () => {
    const { id } = (await api.post('/v1/customers', { external_id: 'april' })).body;
    await setClock('april', '2030-04-10T12:00:00Z');
    await subscribe(id, '2030-04-01T00:00:00Z');
    const { last_day } = await preview({ customer_id: 'april', expires_in_days: 90 });
    assert.equal(last_day, '2030-04-30');
  });

  it('is refused as the grant is', async () => {
    const unknown = await api.post(PATH, { customer_id: 'nobody', amount: 1, dry_run: true });
    assertRefused(unknown, { code: 'not_found', param: 'customer_id', reason: 'unknown_customer' });
    const none = await api.post(PATH, { customer_id: 'tried', amount: 0, dry_run: true });
    assertRefused(none, { code: 'invalid_request', param: 'amount', reason: 'out_of_range' });
    const [subscription_id, sent] = ['sub_none', { customer_id: 'tried', amount: 1, dry_run: true }];
    const foreign = await api.post(PATH, { ...sent, subscription_id });
    assertRefused(foreign, { code: 'not_found', param: 'subscription_id', reason: 'unknown_subscription' });
  });

  async function subscribe(customer_id: string, start_date: string): Promise<void> {
    const charges = [{ event_name: 'e', pricing_model: 'flat', flat_amount: '1' }];
    const { body: plan } = await api.post('/v1/pricing-plans', { name: 'Plan', charges });
    await api.pool.query(
      `insert into subscriptions (environment_id, id, customer_id, plan_id, start_date, created_at)
       values (1, $1, $2, $3, $4, $4)`,
      [`sub_${customer_id}`, customer_id, plan.id, start_date],
    );
  }
});
