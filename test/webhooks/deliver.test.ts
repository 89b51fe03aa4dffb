import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { consumeAll } from '../../activities/consume.ts';
import { transaction, type Db, type Pool } from '../../src/db/connection/pool.ts';
import { FEED } from '../../src/db/feed/consumer.ts';
import { readBounds } from '../../src/db/feed/feed.ts';
import { forgetDeliveries, listDeliveries } from '../../src/db/webhooks/deliveries.ts';
import { findEndpoint, sleepersWithChanges } from '../../src/db/webhooks/endpoints.ts';
import { networksOf } from '../../src/networks.ts';
import type { SigningSecrets } from '../../src/signing-secrets.ts';
import { deliverChanges } from '../../src/webhooks/deliver.ts';
import {
  createEndpoint,
  deleteEndpoint,
  replayEndpoint,
  resumeEndpoint,
  rotateEndpoint,
  type ShownEndpoint,
} from '../../src/webhooks/endpoints.ts';
import { createNewest } from '../../src/webhooks/newest.ts';
import type { Outcome } from '../../src/webhooks/try.ts';
import * as given from '../support/billing.ts';
import { aReceiver, type Posted, type Receiver } from '../support/receiver.ts';

const SECRETS: SigningSecrets = ['secret of a test'];
const REACH = { allowed: networksOf('192.0.2.0/24'), is_loopback_allowed: true };
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

describe('the deliveries of a webhook endpoint', () => {
  let pool: Pool;
  let receiver: Receiver;
  let grants: string[];
  let outcomes: Outcome[];
  /** Added to the time of the machine. */
  let ahead_ms: number;

  beforeEach(async () => {
    pool = await given.aLedger();
    const customer = await given.aCustomer(pool);
    grants = [];
    for (let count = 0; count < 3; count++) grants.push(await given.aGrant(pool, customer, 100));
    await consumeAll(pool, FEED);
    receiver = await aReceiver();
    [outcomes, ahead_ms] = [[], 0];
  });
  afterEach(async () => {
    await receiver.close();
    await pool.end();
  });

  const now = () => new Date(Date.now() + ahead_ms);
  const in_transaction = <T>(work: (db: Db) => Promise<T>) => transaction(pool, work);

  function anEndpoint(settings: object = {}): Promise<ShownEndpoint> {
    const asked = {
      url: receiver.url,
      types: ['credit_grant.*', 'customer.*'],
      description: null,
      after: undefined,
    };
    return in_transaction((db) =>
      createEndpoint(
        db,
        given.LIVE,
        { ...asked, payload: 'full', ...settings },
        { reach: REACH, secrets: SECRETS },
      ),
    );
  }

  /** Sends until nothing is due; as if the process had these secrets. */
  const deliver = (endpoint_id: string, secrets = SECRETS) =>
    deliverChanges(
      {
        ...{ pool, secrets, reach: REACH, source: 'https://example.com/v1/changes', now },
        ...{ newest: createNewest(pool), count: (outcome) => void outcomes.push(outcome) },
        stopping: new AbortController().signal,
      },
      { environment_id: given.LIVE, endpoint_id },
      { active_ms: 20_000, may_sleep: true, signal: new AbortController().signal },
    );

  /** Draws on a grant, each time in a transaction of its own: a change each. */
  async function draw(grant: string, times = 1): Promise<void> {
    for (let count = 0; count < times; count++)
      await pool.query('update credit_grants set remaining = remaining - 1 where id = $1', [grant]);
    await consumeAll(pool, FEED);
  }

  const deliveriesOf = (endpoint_id: string) =>
    listDeliveries(pool, given.LIVE, { endpoint_id, status: null, before: null, limit: 100 });
  const endpointOf = async (id: string) => (await findEndpoint(pool, given.LIVE, id))!;
  const sequencesOf = (object_id: string) =>
    receiver.posted.flatMap(({ change }) => (change['object_id'] === object_id ? [change['sequence']] : []));
  const newest = async () => (await readBounds(pool, given.LIVE)).newest_sequence;

  it('have every change once, signed, each object in order', async () => {
    const { id, secret } = await anEndpoint();
    for (let count = 0; count < 4; count++) for (const grant of grants) await draw(grant);
    const left = await deliver(id);
    assert.deepEqual(left, { state: 'asleep', reason: null, wait_ms: null, is_idle: false });
    assert.equal(receiver.posted.length, 12);
    for (const grant of grants) {
      const sequences = sequencesOf(grant);
      assert.equal(sequences.length, 4);
      assert.deepEqual(
        sequences,
        sequences.toSorted((a: number, b: number) => a - b),
      );
    }
    for (const one of receiver.posted) {
      const change = receiver.verified(one, secret);
      assert.equal(change['timestamp'], change['created_at']);
      assert.equal(one.headers['webhook-id'], change['id']);
    }
    assert.equal((await endpointOf(id)).delivered_up_to, await newest());
  });

  it('are CloudEvents, thin where asked, and of the types of the endpoint', async () => {
    const { id } = await anEndpoint({ types: ['credit_grant.*'], payload: 'thin' });
    await pool.query(`update customers set name = 'New'`);
    await draw(grants[0]!);
    await deliver(id);
    const [{ headers, change }] = receiver.posted as [Posted];
    assert.equal(receiver.posted.length, 1);
    assert.deepEqual([change['type'], change['data']], ['credit_grant.updated', null]);
    assert.deepEqual(Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('ce-'))), {
      'ce-specversion': '1.0',
      'ce-id': change['id'],
      'ce-type': 'credit_grant.updated',
      'ce-time': change['created_at'],
      'ce-source': 'https://example.com/v1/changes',
      'ce-subject': grants[0],
      'ce-sequence': `${change['sequence']}`,
    });
  });

  it('that fail hold up their object alone, and come again with the same bytes', async () => {
    const { id } = await anEndpoint();
    const [broken, ...sound] = grants as [string, string, string];
    receiver.answer(
      (response, { change }) => void response.writeHead(change['object_id'] === broken ? 500 : 200).end('no'),
    );
    for (const grant of grants) await draw(grant, 2);
    const left = await deliver(id);
    assert.equal(left.state, 'failing');
    assert.ok(left.wait_ms! > 4 * SECOND_MS && left.wait_ms! <= 5.5 * SECOND_MS, `${left.wait_ms}`);
    assert.equal(sequencesOf(broken).length, 1);
    for (const grant of sound) assert.equal(sequencesOf(grant).length, 2);
    const [failing] = (await deliveriesOf(id)).filter(({ status }) => status === 'failing');
    assert.deepEqual([failing!.attempts, failing!.response_status, failing!.response_body], [1, 500, 'no']);
    const { delivered_up_to, failing_since } = await endpointOf(id);
    assert.deepEqual([delivered_up_to, failing_since], [failing!.sequence! - 1, failing!.first_attempt_at]);
    receiver.answer(200);
    ahead_ms += 6 * SECOND_MS;
    await deliver(id);
    const of_broken = receiver.posted.filter(({ change }) => change['object_id'] === broken);
    assert.equal(of_broken.length, 3);
    assert.equal(of_broken[1]!.body, of_broken[0]!.body);
    assert.ok(of_broken[2]!.change['sequence'] > of_broken[1]!.change['sequence']);
    assert.equal((await endpointOf(id)).failing_since, null);
  });

  it('are tried after 5 s, 30 s, 2 and 10 minutes, 1, 3 and then each 6 hours; after 18 tries the endpoint is parked, and goes on there', async () => {
    const { id } = await anEndpoint();
    receiver.answer(500);
    await draw(grants[0]!);
    const began_ms = now().getTime();
    const waits: number[] = [];
    for (let tries = 1; ; tries++) {
      const { state, wait_ms, reason } = await deliver(id);
      if (state === 'parked') {
        const [delivery] = await deliveriesOf(id);
        assert.equal(tries, 18);
        assert.match(
          reason!,
          new RegExp(`^the change ${delivery!.sequence} \\(credit_grant.updated\\) failed 18 times`),
        );
        break;
      }
      waits.push(wait_ms!);
      ahead_ms += wait_ms!;
    }
    const expected = [5, 30, 120, 600, 3600, 3 * 3600, ...Array<number>(11).fill(6 * 3600)];
    for (const [at, seconds] of expected.entries()) {
      const wait = waits[at]! / SECOND_MS;
      assert.ok(wait > seconds * 0.9 && wait <= seconds * 1.1 + 1, `${at}: ${wait}`);
    }
    const hours = (now().getTime() - began_ms) / HOUR_MS;
    assert.ok(hours > 69 && hours < 78, `${hours}`);
    await draw(grants[1]!);
    receiver.answer(200);
    assert.equal((await deliver(id)).state, 'parked');
    const posted = receiver.posted.length;
    await in_transaction((db) => resumeEndpoint(db, given.LIVE, { id, after: undefined, at: now() }));
    await deliver(id);
    assert.deepEqual(
      receiver.posted.slice(posted).map(({ change }) => change['object_id']),
      [grants[0], grants[1]],
    );
  });

  it('to an endpoint that is down are its oldest one alone, until one arrives', async () => {
    const customer = await given.aCustomer(pool);
    for (let count = 0; count < 12; count++) grants.push(await given.aGrant(pool, customer, 10));
    await consumeAll(pool, FEED);
    const { id } = await anEndpoint();
    receiver.answer(503);
    for (const grant of grants) await draw(grant);
    await deliver(id);
    const tried = receiver.posted.length;
    assert.ok(tried >= 8 && tried <= 15, `${tried}`);
    ahead_ms += 6 * SECOND_MS;
    assert.equal((await deliver(id)).state, 'failing');
    assert.equal(receiver.posted.length, tried + 1);
    assert.equal(receiver.posted.at(-1)!.change['object_id'], grants[0]);
    receiver.answer(200);
    ahead_ms += 60 * SECOND_MS;
    await deliver(id);
    ahead_ms += 60 * SECOND_MS;
    await deliver(id);
    assert.ok((await deliveriesOf(id)).every(({ status }) => status === 'delivered'));
  });

  it('wait as long as a 429 asks for, and 6 hours at most', async () => {
    const { id } = await anEndpoint();
    await draw(grants[0]!);
    const asks = (retry_after: string) =>
      receiver.answer(
        (response: ServerResponse) => void response.writeHead(429, { 'Retry-After': retry_after }).end(),
      );
    asks('90');
    assert.equal(Math.round((await deliver(id)).wait_ms! / SECOND_MS), 90);
    ahead_ms += 90 * SECOND_MS;
    asks('100000');
    assert.equal(Math.round((await deliver(id)).wait_ms! / HOUR_MS), 6);
  });

  it('count as soon as a status from 200 to 299 has come, and a redirect is a failure', async () => {
    const { id } = await anEndpoint();
    await draw(grants[0]!);
    receiver.answer((response) => {
      response.writeHead(204);
      response.flushHeaders();
      response.destroy();
    });
    await deliver(id);
    assert.deepEqual(outcomes, ['delivered']);
    await draw(grants[0]!);
    receiver.answer((response) => void response.writeHead(307, { Location: receiver.url }).end());
    await deliver(id);
    assert.deepEqual(outcomes, ['delivered', 'failed']);
    assert.equal(receiver.posted.length, 2);
  });

  it('are not lost where a receiver resets the connection', async () => {
    const { id } = await anEndpoint();
    await draw(grants[0]!);
    receiver.answer((response) => void response.socket!.destroy());
    await deliver(id);
    const [failing] = await deliveriesOf(id);
    assert.deepEqual([failing!.status, failing!.response_status], ['failing', null]);
    assert.ok(failing!.error!.length > 0);
  });

  it('pause after 410 Gone', async () => {
    const { id } = await anEndpoint();
    await draw(grants[0]!);
    receiver.answer(410);
    const left = await deliver(id);
    assert.deepEqual(
      [left.state, left.reason, left.wait_ms],
      ['paused', 'the receiver answered 410 Gone', null],
    );
    const { status, status_reason } = await endpointOf(id);
    assert.deepEqual([status, status_reason], ['paused', 'the receiver answered 410 Gone']);
  });

  it('are signed by both secrets for a day after a rotation', async () => {
    const { id, secret } = await anEndpoint();
    const rotated = await in_transaction((db) =>
      rotateEndpoint(db, given.LIVE, { id, at: now(), secrets: SECRETS }),
    );
    assert.notEqual(rotated!.secret, secret);
    await draw(grants[0]!);
    await deliver(id);
    for (const one of [secret, rotated!.secret]) receiver.verified(receiver.posted[0]!, one);
    ahead_ms += 25 * HOUR_MS;
    await draw(grants[0]!);
    await deliver(id);
    assert.equal(`${receiver.posted.at(-1)!.headers['webhook-signature']}`.split(' ').length, 1);
  });

  it('go on under a new TIDEMARK_SECRET that keeps the old one as its second value, and park under another', async () => {
    const { id } = await anEndpoint();
    await draw(grants[0]!);
    await deliver(id, ['another secret of a test', SECRETS[0]]);
    await draw(grants[0]!);
    await deliver(id, ['another secret of a test']);
    assert.equal(receiver.posted.length, 2);
    await draw(grants[0]!);
    const left = await deliver(id, ['a third secret of a test']);
    assert.equal(left.state, 'parked');
    assert.match(left.reason!, /TIDEMARK_SECRET/);
  });

  it('come again from a number on, with the same ids', async () => {
    const after = await newest();
    const { id } = await anEndpoint();
    for (const grant of grants) await draw(grant);
    await deliver(id);
    await in_transaction((db) => replayEndpoint(db, given.LIVE, { id, after: after + 2 }));
    await deliver(id);
    const ids = receiver.posted.map(({ change }) => change['id']);
    assert.equal(ids.length, 5);
    assert.deepEqual(new Set(ids).size, 3);
  });

  it('that a person passes over are listed as skipped', async () => {
    const { id } = await anEndpoint();
    receiver.answer(410);
    await draw(grants[0]!);
    await deliver(id);
    await draw(grants[1]!, 2);
    const after = await newest();
    await draw(grants[2]!);
    receiver.answer(200);
    await in_transaction((db) => resumeEndpoint(db, given.LIVE, { id, after, at: now() }));
    await deliver(id);
    assert.deepEqual((await deliveriesOf(id)).map(({ status, object_id }) => [status, object_id]).reverse(), [
      ['skipped', grants[0]],
      ['skipped', grants[1]],
      ['skipped', grants[1]],
      ['delivered', grants[2]],
    ]);
  });

  it('park where the feed no longer has what comes next', async () => {
    const { id } = await anEndpoint();
    await draw(grants[0]!, 3);
    await pool.query('delete from feed where sequence < $1', [await newest()]);
    const left = await deliver(id);
    assert.equal(left.state, 'parked');
    assert.match(left.reason!, /no longer kept/);
  });

  it('end with the endpoint, and a sleeper with changes is found', async () => {
    const { id } = await anEndpoint();
    await deliver(id);
    assert.deepEqual(await sleepersWithChanges(pool), []);
    await draw(grants[0]!);
    assert.deepEqual(await sleepersWithChanges(pool), [{ environment_id: given.LIVE, endpoint_id: id }]);
    assert.ok(await in_transaction((db) => deleteEndpoint(db, given.LIVE, id)));
    assert.deepEqual(await sleepersWithChanges(pool), []);
    assert.deepEqual((await deliver(id)).state, 'deleted');
    assert.equal(receiver.posted.length, 0);
  });

  it('are kept for 30 days, those that wait longer', async () => {
    const { id } = await anEndpoint();
    await draw(grants[0]!);
    await deliver(id);
    receiver.answer(500);
    await draw(grants[1]!);
    await deliver(id);
    assert.equal(await forgetDeliveries(pool, 10), 0);
    await pool.query(`update webhook_deliveries set created_at = now() - interval '31 days'`);
    assert.equal(await forgetDeliveries(pool, 10), 1);
    assert.deepEqual(
      (await deliveriesOf(id)).map(({ status }) => status),
      ['failing'],
    );
  });
});
