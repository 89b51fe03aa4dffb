import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { consumeAll } from '../../src/db/changes/consume.ts';
import { FEED } from '../../src/db/feed/consumer.ts';
import { resumeEndpoint } from '../../src/webhooks/endpoints.ts';
import * as given from '../support/ledger/billing.ts';
import { useDeliveries } from '../support/ledger/deliveries.ts';
import type { Posted } from '../support/servers/receiver.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

describe('the deliveries of a webhook endpoint', () => {
  const {
    anEndpoint,
    deliver,
    draw,
    deliveriesOf,
    endpointOf,
    sequencesOf,
    newest,
    now,
    pass,
    pool,
    receiver,
    grants,
    outcomes,
    inTransaction,
  } = useDeliveries();

  it('have every change once, signed, each object in order', async () => {
    const { id, secret } = await anEndpoint();
    for (let count = 0; count < 4; count++) for (const grant of grants()) await draw(grant);
    const left = await deliver(id);
    assert.deepEqual(left, { state: 'asleep', reason: null, wait_ms: null, is_idle: false });
    assert.equal(receiver().posted.length, 12);
    for (const grant of grants()) {
      const sequences = sequencesOf(grant);
      assert.equal(sequences.length, 4);
      assert.deepEqual(
        sequences,
        sequences.toSorted((a: number, b: number) => a - b),
      );
    }
    for (const one of receiver().posted) {
      const change = receiver().verified(one, secret);
      assert.equal(change['timestamp'], change['created_at']);
      assert.equal(one.headers['webhook-id'], change['id']);
    }
    assert.equal((await endpointOf(id)).delivered_up_to, await newest());
  });

  it('are CloudEvents, thin where asked, and of the types of the endpoint', async () => {
    const { id } = await anEndpoint({ types: ['credit_grant.*'], payload: 'thin' });
    await pool().query(`update customers set name = 'New'`);
    await draw(grants()[0]!);
    await deliver(id);
    const [{ headers, change }] = receiver().posted as [Posted];
    assert.equal(receiver().posted.length, 1);
    assert.deepEqual([change['type'], change['data']], ['credit_grant.updated', null]);
    assert.deepEqual(Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('ce-'))), {
      'ce-specversion': '1.0',
      'ce-id': change['id'],
      'ce-type': 'credit_grant.updated',
      'ce-time': change['created_at'],
      'ce-source': 'https://example.com/v1/changes',
      'ce-subject': grants()[0],
      'ce-sequence': `${change['sequence']}`,
    });
  });

  it('that fail hold up their object alone, and come again with the same bytes', async () => {
    const { id } = await anEndpoint();
    const [broken, ...sound] = grants() as [string, string, string];
    receiver().answer(
      (response, { change }) => void response.writeHead(change['object_id'] === broken ? 500 : 200).end('no'),
    );
    for (const grant of grants()) await draw(grant, 2);
    const left = await deliver(id);
    assert.equal(left.state, 'failing');
    assert.ok(left.wait_ms! > 4 * SECOND_MS && left.wait_ms! <= 5.5 * SECOND_MS, `${left.wait_ms}`);
    assert.equal(sequencesOf(broken).length, 1);
    for (const grant of sound) assert.equal(sequencesOf(grant).length, 2);
    const [failing] = (await deliveriesOf(id)).filter(({ status }) => status === 'failing');
    assert.deepEqual([failing!.attempts, failing!.response_status, failing!.response_body], [1, 500, 'no']);
    const { delivered_up_to, failing_since } = await endpointOf(id);
    assert.deepEqual([delivered_up_to, failing_since], [failing!.sequence! - 1, failing!.first_attempt_at]);
    receiver().answer(200);
    pass(6 * SECOND_MS);
    await deliver(id);
    const of_broken = receiver().posted.filter(({ change }) => change['object_id'] === broken);
    assert.equal(of_broken.length, 3);
    assert.equal(of_broken[1]!.body, of_broken[0]!.body);
    assert.ok(of_broken[2]!.change['sequence'] > of_broken[1]!.change['sequence']);
    assert.equal((await endpointOf(id)).failing_since, null);
  });

  it('are tried after 5 s, 30 s, 2 and 10 minutes, 1, 3 and then each 6 hours; after 18 tries the endpoint is parked, and goes on there', async () => {
    const { id } = await anEndpoint();
    receiver().answer(500);
    await draw(grants()[0]!);
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
      pass(wait_ms!);
    }
    const expected = [5, 30, 120, 600, 3600, 3 * 3600, ...Array<number>(11).fill(6 * 3600)];
    for (const [at, seconds] of expected.entries()) {
      const wait = waits[at]! / SECOND_MS;
      assert.ok(wait > seconds * 0.9 && wait <= seconds * 1.1 + 1, `${at}: ${wait}`);
    }
    const hours = (now().getTime() - began_ms) / HOUR_MS;
    assert.ok(hours > 69 && hours < 78, `${hours}`);
    await draw(grants()[1]!);
    receiver().answer(200);
    assert.equal((await deliver(id)).state, 'parked');
    const posted = receiver().posted.length;
    await inTransaction((db) => resumeEndpoint(db, given.LIVE, { id, after: undefined, at: now() }));
    await deliver(id);
    assert.deepEqual(
      receiver()
        .posted.slice(posted)
        .map(({ change }) => change['object_id']),
      [grants()[0], grants()[1]],
    );
  });

  it('to an endpoint that is down are its oldest one alone, until one arrives', async () => {
    const customer = await given.aCustomer(pool());
    for (let count = 0; count < 12; count++) grants().push(await given.aGrant(pool(), customer, 10));
    await consumeAll(pool(), FEED);
    const { id } = await anEndpoint();
    receiver().answer(503);
    for (const grant of grants()) await draw(grant);
    await deliver(id);
    const tried = receiver().posted.length;
    assert.ok(tried >= 8 && tried <= 15, `${tried}`);
    pass(6 * SECOND_MS);
    assert.equal((await deliver(id)).state, 'failing');
    assert.equal(receiver().posted.length, tried + 1);
    assert.equal(receiver().posted.at(-1)!.change['object_id'], grants()[0]);
    receiver().answer(200);
    pass(60 * SECOND_MS);
    await deliver(id);
    pass(60 * SECOND_MS);
    await deliver(id);
    assert.ok((await deliveriesOf(id)).every(({ status }) => status === 'delivered'));
  });

  it('wait as long as a 429 asks for, and 6 hours at most', async () => {
    const { id } = await anEndpoint();
    await draw(grants()[0]!);
    const asks = (retry_after: string) =>
      receiver().answer(
        (response: ServerResponse) => void response.writeHead(429, { 'Retry-After': retry_after }).end(),
      );
    asks('90');
    assert.equal(Math.round((await deliver(id)).wait_ms! / SECOND_MS), 90);
    pass(90 * SECOND_MS);
    asks('100000');
    assert.equal(Math.round((await deliver(id)).wait_ms! / HOUR_MS), 6);
  });

  it('count as soon as a status from 200 to 299 has come, and a redirect is a failure', async () => {
    const { id } = await anEndpoint();
    await draw(grants()[0]!);
    receiver().answer((response) => {
      response.writeHead(204);
      response.flushHeaders();
      response.destroy();
    });
    await deliver(id);
    assert.deepEqual(outcomes(), ['delivered']);
    await draw(grants()[0]!);
    receiver().answer((response) => void response.writeHead(307, { Location: receiver().url }).end());
    await deliver(id);
    assert.deepEqual(outcomes(), ['delivered', 'failed']);
    assert.equal(receiver().posted.length, 2);
  });

  it('are not lost where a receiver resets the connection', async () => {
    const { id } = await anEndpoint();
    await draw(grants()[0]!);
    receiver().answer((response) => void response.socket!.destroy());
    await deliver(id);
    const [failing] = await deliveriesOf(id);
    assert.deepEqual([failing!.status, failing!.response_status], ['failing', null]);
    assert.ok(failing!.error!.length > 0);
  });

  it('pause after 410 Gone', async () => {
    const { id } = await anEndpoint();
    await draw(grants()[0]!);
    receiver().answer(410);
    const left = await deliver(id);
    assert.deepEqual(
      [left.state, left.reason, left.wait_ms],
      ['paused', 'the receiver answered 410 Gone', null],
    );
    const { status, status_reason } = await endpointOf(id);
    assert.deepEqual([status, status_reason], ['paused', 'the receiver answered 410 Gone']);
  });
});
