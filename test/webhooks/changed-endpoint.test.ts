import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { keepNumbering } from '../../worker/feed.ts';
import { compareNumbers } from '../../src/billing/close/compare-numbers.ts';
import { forgetDeliveries } from '../../src/db/webhooks/deliveries.ts';
import { sleepersWithChanges, type EndpointKey } from '../../src/db/webhooks/endpoints.ts';
import {
  deleteEndpoint,
  replayEndpoint,
  resumeEndpoint,
  rotateEndpoint,
} from '../../src/webhooks/endpoints.ts';
import * as given from '../support/ledger/billing.ts';
import { SECRETS, useDeliveries } from '../support/ledger/deliveries.ts';

const HOUR_MS = 3_600_000;

describe('the deliveries of an endpoint that a person changes', () => {
  const {
    anEndpoint,
    deliver,
    draw,
    deliveriesOf,
    newest,
    now,
    pass,
    pool,
    receiver,
    grants,
    inTransaction,
  } = useDeliveries();

  it('are signed by both secrets for a day after a rotation', async () => {
    const { id, secret } = await anEndpoint();
    const rotated = await inTransaction((db) =>
      rotateEndpoint(db, given.LIVE, { id, at: now(), secrets: SECRETS }),
    );
    assert.notEqual(rotated!.secret, secret);
    await draw(grants()[0]!);
    await deliver(id);
    for (const one of [secret, rotated!.secret]) receiver().verified(receiver().posted[0]!, one);
    pass(25 * HOUR_MS);
    await draw(grants()[0]!);
    await deliver(id);
    assert.equal(`${receiver().posted.at(-1)!.headers['webhook-signature']}`.split(' ').length, 1);
  });

  it('go on under a new TIDEMARK_SECRET that keeps the old one as its second value, and park under another', async () => {
    const { id } = await anEndpoint();
    await draw(grants()[0]!);
    await deliver(id, ['another secret of a test', SECRETS[0]]);
    await draw(grants()[0]!);
    await deliver(id, ['another secret of a test']);
    assert.equal(receiver().posted.length, 2);
    await draw(grants()[0]!);
    const left = await deliver(id, ['a third secret of a test']);
    assert.equal(left.state, 'parked');
    assert.match(left.reason!, /TIDEMARK_SECRET/);
  });

  it('come again from a number on, with the same ids', async () => {
    const after = await newest();
    const { id } = await anEndpoint();
    for (const grant of grants()) await draw(grant);
    await deliver(id);
    await inTransaction((db) => replayEndpoint(db, given.LIVE, { id, after: after + 2 }));
    await deliver(id);
    const ids = receiver().posted.map(({ change }) => change['id']);
    assert.equal(ids.length, 5);
    assert.deepEqual(new Set(ids).size, 3);
  });

  it('that a person passes over are listed as skipped', async () => {
    const { id } = await anEndpoint();
    receiver().answer(410);
    await draw(grants()[0]!);
    await deliver(id);
    await draw(grants()[1]!, 2);
    const after = await newest();
    await draw(grants()[2]!);
    receiver().answer(200);
    await inTransaction((db) => resumeEndpoint(db, given.LIVE, { id, after, at: now() }));
    await deliver(id);
    assert.deepEqual((await deliveriesOf(id)).map(({ status, object_id }) => [status, object_id]).reverse(), [
      ['skipped', grants()[0]],
      ['skipped', grants()[1]],
      ['skipped', grants()[1]],
      ['delivered', grants()[2]],
    ]);
  });

  it('park where the feed no longer has what comes next', async () => {
    const { id } = await anEndpoint();
    await draw(grants()[0]!, 3);
    await pool().query('delete from feed where sequence < $1', [await newest()]);
    const left = await deliver(id);
    assert.equal(left.state, 'parked');
    assert.match(left.reason!, /no longer kept/);
  });

  it('end with the endpoint, and a sleeper with changes is found', async () => {
    const { id } = await anEndpoint();
    await deliver(id);
    assert.deepEqual(await sleepersWithChanges(pool()), []);
    await draw(grants()[0]!);
    assert.deepEqual(await sleepersWithChanges(pool()), [{ environment_id: given.LIVE, endpoint_id: id }]);
    assert.ok(await inTransaction((db) => deleteEndpoint(db, given.LIVE, id)));
    assert.deepEqual(await sleepersWithChanges(pool()), []);
    assert.deepEqual((await deliver(id)).state, 'deleted');
    assert.equal(receiver().posted.length, 0);
  });

  it('wake a sleeper once a change has its number, and none has one before the last numbers are compared', async () => {
    const { id } = await anEndpoint();
    await deliver(id);
    await pool().query('update credit_grants set remaining = remaining - 1 where id = $1', [grants()[0]]);
    const asked: EndpointKey[] = [];
    const wakeEndpoints = async (endpoints: readonly EndpointKey[]) => asked.push(...endpoints);
    const before = await newest();
    const numbered = async (until: () => boolean) => {
      const stop = new AbortController();
      const failures: unknown[] = [];
      const numbering = keepNumbering({ pool: pool(), temporal: { wakeEndpoints } }, stop.signal, (error) =>
        failures.push(error),
      );
      for (let looks = 0; looks < 40 && !until(); looks++) await pause(25);
      stop.abort();
      await numbering;
      assert.deepEqual(failures, []);
    };
    await numbered(() => false);
    assert.deepEqual([await newest(), asked], [before, []]);
    await inTransaction((db) => compareNumbers(db, []));
    await numbered(() => asked.length > 0);
    assert.ok((await newest()) > before);
    assert.deepEqual(asked[0], { environment_id: given.LIVE, endpoint_id: id });
  });

  it('are kept for 30 days, those that wait longer', async () => {
    const { id } = await anEndpoint();
    await draw(grants()[0]!);
    await deliver(id);
    receiver().answer(500);
    await draw(grants()[1]!);
    await deliver(id);
    assert.equal(await forgetDeliveries(pool(), 10), 0);
    await pool().query(`update webhook_deliveries set created_at = now() - interval '31 days'`);
    assert.equal(await forgetDeliveries(pool(), 10), 1);
    assert.deepEqual(
      (await deliveriesOf(id)).map(({ status }) => status),
      ['failing'],
    );
  });
});
