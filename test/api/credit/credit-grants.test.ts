import assert from 'node:assert/strict';
import { setPendingExpiries } from '../../../src/billing/terms/grant-credit.ts';
import { transaction, type Db } from '../../../src/db/connection/pool.ts';
import { startApi, type Json, type Received, type Sent, type TestApi } from '../../support/servers/api.ts';
import { untilSomebodyWaits } from '../../support/ledger/locks.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/credit-grants';
const DAY_MS = 86_400_000;

describe('credit grants', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    await api.post('/v1/customers', { external_id: 'c' });
  });
  after(() => api.close());

  const grant = async (members: object) => {
    const { status, body } = await api.post(PATH, { customer_id: 'c', amount: 100, ...members });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const read = async (id: string) => (await api.request(`${PATH}/${id}`)).body;
  /** Moves the customer's clock, as the route of the test clock does. */
  const setClock = (external_id: string, now: string | null) =>
    api.pool.query('update customers set test_clock = $2 where external_id = $1', [external_id, now]);

  it('has every field, and its first ledger entry', async () => {
    const { body, headers } = await api.post(PATH, { customer_id: 'c', amount: 0.5 });
    const { id, created_at, ...rest } = body;
    assert.match(id, /^cg_[0-9a-z]{26}$/);
    assert.equal(headers.get('location'), `${PATH}/${id}`);
    assert.deepEqual(rest, {
      object: 'credit_grant',
      livemode: false,
      customer_id: 'c',
      amount: 0.5,
      remaining: 0.5,
      status: 'active',
      expires_at: null,
      rollover: false,
      event_names: null,
      subscription_id: null,
      note: null,
      carry_over_max: null,
      carry_over_until: null,
      ledger: [{ type: 'granted', amount: 0.5, invoice_id: null, line_item_id: null, created_at }],
    });
    assert.deepEqual(await read(id), body);
  });

  for (const amount of [0.000001, 1, 12345678.123456, 999999999999999]) {
    it(`keeps ${amount} exactly`, async () => {
      const { id } = await grant({ amount });
      const { amount: stored, remaining } = await read(id);
      assert.deepEqual([stored, remaining], [amount, amount]);
    });
  }

  it('takes our id for the customer, and answers with external_id', async () => {
    const { id } = (await api.request('/v1/customers/c')).body;
    assert.equal((await grant({ customer_id: id })).customer_id, 'c');
  });

  it('expires after its days, also without rollover while no subscription exists', async () => {
    for (const rollover of [true, false]) {
      const { created_at, expires_at } = await grant({ expires_in_days: 30, rollover });
      assert.equal(Date.parse(expires_at), Date.parse(created_at) + 30 * DAY_MS);
    }
  });

  it('follows the test clock of its customer', async () => {
    await api.post('/v1/customers', { external_id: 'clock' });
    await setClock('clock', '2030-01-01T00:00:00Z');
    const { id, created_at, expires_at } = await grant({ customer_id: 'clock', expires_in_days: 1 });
    assert.deepEqual([created_at, expires_at], ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z']);
    const seen = async (now: string) => {
      await setClock('clock', now);
      const { credit_remaining } = (await api.request('/v1/customers/clock')).body;
      return [(await read(id)).status, credit_remaining];
    };
    assert.deepEqual(await seen('2030-01-01T23:59:59.999Z'), ['active', 100]);
    assert.deepEqual(await seen('2030-01-02T00:00:00Z'), ['expired', 0]);
  });

  it('is depleted when used up, and voided after a void', async () => {
    const { id } = await grant({});
    await api.pool.query('update credit_grants set remaining = 0 where id = $1', [id]);
    assert.equal((await read(id)).status, 'depleted');
    await api.pool.query('update credit_grants set voided_at = now() where id = $1', [id]);
    assert.equal((await read(id)).status, 'voided');
  });

  it('a used-up grant is depleted, also after its expiry, unless a part of it expired', async () => {
    await api.post('/v1/customers', { external_id: 'used' });
    await setClock('used', '2030-01-01T00:00:00Z');
    const made = () => grant({ customer_id: 'used', expires_in_days: 1 });
    const [used, lost, reversed] = [await made(), await made(), await made()];
    const entry = (id: string, type: string, amount: number) =>
      api.pool.query(
        'insert into credit_ledger (environment_id, grant_id, type, amount, created_at) values (1, $1, $2, $3, now())',
        [id, type, amount],
      );
    await entry(used.id, 'drawn', -100);
    await entry(lost.id, 'drawn', -99);
    await entry(lost.id, 'expired', -1);
    // A regeneration used credit that had expired (billing.md 4).
    for (const [type, amount] of [
      ['expired', -100],
      ['expired', 100],
      ['drawn', -100],
    ] as const)
      await entry(reversed.id, type, amount);
    await api.pool.query(`update credit_grants set remaining = 0 where id = any($1)`, [
      [used.id, lost.id, reversed.id],
    ]);
    const statuses = async () =>
      (await Promise.all([used, lost, reversed].map(({ id }) => read(id)))).map(({ status }) => status);
    await setClock('used', '2030-01-02T00:00:00Z');
    assert.deepEqual(await statuses(), ['depleted', 'expired', 'depleted']);
    const { data } = (await api.request('/v1/credit-grants?customer_id=used')).body;
    assert.deepEqual(data.map(({ status }: Json) => status).reverse(), ['depleted', 'expired', 'depleted']);
  });

  it('credit_remaining of a customer is the sum of its active grants', async () => {
    await api.post('/v1/customers', { external_id: 'sum' });
    await grant({ customer_id: 'sum', amount: 10 });
    await grant({ customer_id: 'sum', amount: 0.25 });
    const voided = await grant({ customer_id: 'sum', amount: 1000 });
    await api.pool.query('update credit_grants set voided_at = now() where id = $1', [voided.id]);
    assert.equal((await api.request('/v1/customers/sum')).body.credit_remaining, 10.25);
  });

  it('is bound to the first period of a subscription that starts later', async () => {
    const { id: customer_id } = (await api.post('/v1/customers', { external_id: 'bound' })).body;
    await setClock('bound', '2030-01-10T00:00:00Z');
    const free = await grant({ customer_id: 'bound' });
    const short = await grant({ customer_id: 'bound', expires_in_days: 3 });
    const rolling = await grant({ customer_id: 'bound', rollover: true });
    await subscribe(customer_id, '2030-01-15T00:00:00Z');
    await transaction(api.pool, (db) => setPendingExpiries(db, 1, customer_id));
    assert.equal((await read(free.id)).expires_at, '2030-02-15T00:00:00.000Z');
    assert.equal((await read(short.id)).expires_at, '2030-01-13T00:00:00.000Z');
    assert.equal((await read(rolling.id)).expires_at, null);
  });

  it('is bound to the current period, if there is one', async () => {
    const { id: customer_id } = (await api.post('/v1/customers', { external_id: 'running' })).body;
    await setClock('running', '2030-03-20T00:00:00Z');
    await subscribe(customer_id, '2030-01-31T00:00:00Z');
    // Period boundaries: 31 January, 28 February, 31 March.
    assert.equal((await grant({ customer_id: 'running' })).expires_at, '2030-03-31T00:00:00.000Z');
    assert.equal(
      (await grant({ customer_id: 'running', expires_in_days: 5 })).expires_at,
      '2030-03-25T00:00:00.000Z',
    );
    await api.pool.query('update subscriptions set cancel_at = start_date where customer_id = $1', [
      customer_id,
    ]);
    assert.equal((await grant({ customer_id: 'running' })).expires_at, null);
  });

  describe('void', () => {
    const voidIt = (id: string, sent: Sent = {}) =>
      api.request(`${PATH}/${id}/void`, { method: 'POST', ...sent });
    const ledgerOf = ({ ledger }: Json) => ledger.map(({ type, amount }: Json) => `${type} ${amount}`);

    it('voids what remains, and no more', async () => {
      const { id } = await grant({ amount: 100.5 });
      await draw(id, 40.25);
      const { status, body } = await voidIt(id);
      assert.deepEqual([status, body.status, body.amount, body.remaining], [200, 'voided', 100.5, 0]);
      assert.deepEqual(ledgerOf(body), ['granted 100.5', 'drawn -40.25', 'voided -60.25']);
      assert.deepEqual(await read(id), body);
    });

    it('of a used-up grant writes nothing', async () => {
      const { id } = await grant({ amount: 3 });
      await draw(id, 3);
      const { body } = await voidIt(id, { body: {} });
      assert.deepEqual([body.status, ...ledgerOf(body)], ['voided', 'granted 3', 'drawn -3']);
    });

    it('happens once, for any number of concurrent requests', async () => {
      const { id } = await grant({});
      const answers = await Promise.all(Array.from({ length: 5 }, () => voidIt(id)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
      const refused = answers.find(({ status }) => status === 409)!;
      assertRefused(refused, { code: 'conflict', param: null, reason: 'invalid_state' });
      assert.deepEqual(ledgerOf(await read(id)), ['granted 100', 'voided -100']);
    });

    it('gets the same response with the same Idempotency-Key', async () => {
      const { id } = await grant({});
      const headers = { 'Idempotency-Key': 'void-once' };
      const first = await voidIt(id, { headers });
      const again = await voidIt(id, { headers });
      assert.deepEqual([again.status, again.body], [200, first.body]);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    });

    it("is dated by the customer's clock, and leaves the other grants alone", async () => {
      await api.post('/v1/customers', { external_id: 'voids' });
      await setClock('voids', '2030-01-01T00:00:00Z');
      const { id } = await grant({ customer_id: 'voids' });
      await grant({ customer_id: 'voids', amount: 7 });
      await setClock('voids', '2030-02-01T00:00:00Z');
      const { ledger } = (await voidIt(id)).body;
      assert.equal(ledger[1].created_at, '2030-02-01T00:00:00.000Z');
      assert.equal((await api.request('/v1/customers/voids')).body.credit_remaining, 7);
    });

    it('waits for the lock of the customer, and voids what remains then', async () => {
      const { id } = await grant({ amount: 10 });
      let answer: Promise<Received> | null = null;
      await transaction(api.pool, async (db) => {
        await db.query(`select from customers where external_id = 'c' for no key update`);
        answer = voidIt(id);
        await untilSomebodyWaits(api.pool);
        await draw(id, 4, db);
      });
      assert.deepEqual(ledgerOf((await answer!).body), ['granted 10', 'drawn -4', 'voided -6']);
    });

    it('is 404 for a grant of another environment', async () => {
      const { id } = await grant({});
      for (const key of [api.live_key, api.other_key])
        assertRefused(await voidIt(id, { key }), { code: 'not_found' });
      assert.equal((await read(id)).status, 'active');
    });

    /** Draws credit, as an invoice does. */
    const draw = (id: string, amount: number, db: Db = api.pool) =>
      db.query(
        `with drawn as (update credit_grants set remaining = remaining - $2::numeric where id = $1)
         insert into credit_ledger (environment_id, grant_id, type, amount, created_at) values (1, $1, 'drawn', -$2::numeric, now())`,
        [id, amount],
      );
  });

  it('the list filters by the time of creation, half open', async () => {
    await api.post('/v1/customers', { external_id: 'timed' });
    await setClock('timed', '2026-03-01T00:00:00Z');
    const march = await grant({ customer_id: 'timed' });
    await setClock('timed', '2026-04-01T00:00:00Z');
    const april = await grant({ customer_id: 'timed' });
    const list = (query: string) => api.request(`${PATH}?customer_id=timed&${query}`);
    const ids = async (query: string) => (await list(query)).body.data.map(({ id }: Json) => id);
    assert.deepEqual(await ids('from=2026-03-01&to=2026-04-01'), [march.id]);
    assert.deepEqual(await ids('from=2026-03-01T00:00:00.001Z'), [april.id]);
    assert.deepEqual(await ids('to=2026-03-01'), []);
    const { next_cursor } = (await list('from=2026-03-01&limit=1')).body;
    assert.deepEqual(await ids(`from=2026-03-01&cursor=${next_cursor}`), [march.id]);
    const backwards = 'from=2026-04-01&to=2026-03-01';
    const refused = { code: 'invalid_request', param: 'from', reason: 'out_of_order' } as const;
    assertRefused(await list(backwards), refused);
    assertRefused(await api.request(`/v1/credit-ledger.csv?${backwards}`), refused);
  });

  it('the list filters by either id', async () => {
    const { id } = (await api.request('/v1/customers/sum')).body;
    for (const customer_id of [id, 'sum']) {
      const { body } = await api.request(`${PATH}?customer_id=${customer_id}`);
      assert.deepEqual(
        body.data.map(({ amount }: { amount: number }) => amount),
        [1000, 0.25, 10],
      );
      assert.deepEqual(body.data[0], await read(body.data[0].id));
    }
    const { status, body } = await api.request(`${PATH}?customer_id=nobody`);
    assert.deepEqual([status, body.data], [200, []]);
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
