import assert from 'node:assert/strict';
import { payersOn } from '../../support/ledger/emails.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { startApi, type Json, type Received, type TestApi } from '../../support/servers/api.ts';

/** The day that many days after today, in UTC. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** billing.md 18. */
describe('pauses of collection', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  const { post, get, done, anInvoice, aDraft } = payersOn(() => api);

  /** An open invoice and its customer, each by its path. */
  const owed = async (): Promise<[invoice: string, customer: string]> => {
    const { id, customer_id } = await anInvoice();
    return [`/v1/invoices/${id}`, `/v1/customers/${customer_id}`];
  };
  const pause = (path: string, body: object = { reason: 'other' }): Promise<Received> =>
    post(`${path}/pause-collection`, body);
  const resume = (path: string): Promise<Received> => post(`${path}/resume-collection`);
  const pauseOf = async (path: string): Promise<Json> => done(await get(path)).collection_pause;
  const rows = async (): Promise<Json[]> =>
    (await api.pool.query('select id, collection_pause, collection_note from invoices order by id')).rows;
  const STATE = { code: 'conflict', param: null, reason: 'invalid_state' } as const;

  it('of an invoice and of a customer are shown on it, wherever it is shown, until they end', async () => {
    for (const path of await owed()) {
      const sent = { reason: 'promised', until: dayIn(10), note: 'Ada pays with the wages' };
      const { status, body } = await pause(path, sent);
      assert.equal(status, 200);
      const { created_at, created_by, ...shown } = body.collection_pause;
      assert.deepEqual(shown, sent);
      assert.match(created_by, /^key_/);
      assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000, created_at);
      assert.deepEqual(done(await get(path)), body);
      const list = done(await get(`${path.slice(0, path.lastIndexOf('/'))}?limit=1`)).data;
      assert.deepEqual(list, [body]);
      const resumed = await resume(path);
      assert.deepEqual([resumed.status, resumed.body], [200, { ...body, collection_pause: null }]);
      assert.equal(await pauseOf(path), null);
    }
  });

  it('need no last day and no note', async () => {
    for (const path of await owed()) {
      const { reason, until, note } = done(await pause(path, { reason: 'disputed' })).collection_pause;
      assert.deepEqual([reason, until, note], ['disputed', null, null]);
    }
  });

  it('are refused twice, and ended once', async () => {
    for (const path of await owed()) {
      assertRefused(await resume(path), STATE);
      done(await pause(path));
      const paused = await pauseOf(path);
      assertRefused(await pause(path, { reason: 'disputed' }), STATE);
      assert.deepEqual(await pauseOf(path), paused);
      done(await resume(path));
      assertRefused(await resume(path), STATE);
    }
  });

  it('of an invoice and of its customer do not end each other', async () => {
    const [invoice, customer] = await owed();
    for (const path of [invoice, customer]) done(await pause(path));
    done(await resume(customer));
    assert.notEqual(await pauseOf(invoice), null);
  });

  it('are made once by ten requests at once', async () => {
    for (const path of await owed()) {
      const received = await Promise.all(Array.from({ length: 10 }, () => pause(path)));
      assert.deepEqual(received.map(({ status }) => status).toSorted(), [200, ...Array(9).fill(409)]);
    }
  });

  it('are made once by a request that is sent again with its Idempotency-Key', async () => {
    const [path] = await owed();
    const send = () =>
      api.post(
        `${path}/pause-collection`,
        { reason: 'other' },
        { key: api.live_key, headers: { 'Idempotency-Key': path } },
      );
    const [first, second] = [await send(), await send()];
    assert.deepEqual([second.status, second.body], [200, first.body]);
  });

  it('are refused for a draft, a void and a paid invoice', async () => {
    const [voided] = await owed();
    done(await post(`${voided}/void`, { reason: 'Mistake' }));
    const [paid] = await owed();
    done(await post(`${paid}/pay`));
    for (const path of [voided, paid, `/v1/invoices/${await aDraft()}`]) {
      assertRefused(await pause(path), STATE);
      assert.equal(await pauseOf(path), null);
    }
  });

  it('of an invoice that is paid meanwhile stand, and can be ended', async () => {
    const [path] = await owed();
    done(await pause(path));
    done(await post(`${path}/pay`));
    assert.equal((await pauseOf(path)).reason, 'other');
    assert.equal(done(await resume(path)).status, 'paid');
  });

  it('are entries of the audit log, with neither the note nor more', async () => {
    for (const path of await owed()) {
      const { id } = done(await pause(path, { reason: 'promised', note: 'Ada called' }));
      done(await resume(path));
      const { data } = done(await get(`/v1/audit-log?object_id=${id}`));
      const type = path.includes('invoices') ? 'invoice' : 'customer';
      assert.deepEqual(
        data.slice(0, 2).map(({ action, actor }: Json) => [action, actor.type]),
        [
          [`${type}.collection_resumed`, 'key'],
          [`${type}.collection_paused`, 'key'],
        ],
      );
      assert.doesNotMatch(JSON.stringify(data), /Ada called/);
    }
  });

  it('lose their note by an erasure', async () => {
    const paths = await owed();
    for (const path of paths) done(await pause(path, { reason: 'promised', note: 'Ada called' }));
    done(await post(`${paths[1]}/redact`));
    for (const path of paths) {
      const { reason, note } = await pauseOf(path);
      assert.deepEqual([reason, note], ['promised', null]);
    }
    const { rows: left } = await api.pool.query(`select from feed where data::text like '%Ada called%'`);
    assert.equal(left.length, 0);
  });

  const text = (length: number) => 'x'.repeat(length);
  const BAD: readonly [body: object, param: string, reason: string][] = [
    [{}, 'reason', 'missing'],
    [{ reason: 'late' }, 'reason', 'not_allowed'],
    [{ reason: 'other', until: dayIn(-2) }, 'until', 'out_of_range'],
    [{ reason: 'other', until: dayIn(368) }, 'until', 'out_of_range'],
    [{ reason: 'other', until: '2026-02-30' }, 'until', 'malformed'],
    [{ reason: 'other', until: `${dayIn(1)}T00:00:00Z` }, 'until', 'malformed'],
    [{ reason: 'other', note: '' }, 'note', 'missing'],
    [{ reason: 'other', note: 'a\nb' }, 'note', 'malformed'],
    [{ reason: 'other', note: text(501) }, 'note', 'too_long'],
    [{ reason: 'other', days: 3 }, 'days', 'unknown_member'],
  ];
  for (const [body, param, reason] of BAD)
    it(`are refused with ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const stored = await rows();
      for (const path of await owed())
        assertRefused(await pause(path, body), { code: 'invalid_request', param, reason } as never);
      assert.deepEqual(
        (await rows()).filter(({ id }) => stored.some((row) => row.id === id)),
        stored,
      );
    });

  it('take 366 days ahead, and a note of 500 characters', async () => {
    for (const path of await owed())
      done(await pause(path, { reason: 'other', until: dayIn(366), note: text(500) }));
  });

  it('are refused for what is unknown, or of another account', async () => {
    for (const path of ['/v1/invoices/inv_1', '/v1/customers/nobody'])
      for (const received of [await pause(path), await resume(path)])
        assertRefused(received, { code: 'not_found' });
    for (const path of await owed())
      for (const act of ['pause', 'resume'])
        assertRefused(
          await api.post(`${path}/${act}-collection`, act === 'pause' ? { reason: 'other' } : {}, {
            key: api.other_key,
          }),
          { code: 'not_found' },
        );
  });
});
