import assert from 'node:assert/strict';
import { redactCustomer } from '../../src/billing/customers/redact.ts';
import { findChange } from '../../src/db/feed/feed.ts';
import { changeEndpoint, resendDelivery } from '../../src/webhooks/endpoints.ts';
import { openDelivery } from '../../src/webhooks/opened.ts';
import * as given from '../support/ledger/billing.ts';
import { REACH, SECRETS, useDeliveries } from '../support/ledger/deliveries.ts';
import type { Posted } from '../support/servers/receiver.ts';

const SOURCE = 'https://example.com/v1/changes';
const MINUTE_MS = 60_000;

describe('a delivery that is opened', () => {
  const { anEndpoint, deliver, deliveriesOf, draw, grants, inTransaction, now, pass, pool, receiver } =
    useDeliveries();

  const opened = async (endpoint_id: string) => {
    const [newest] = await deliveriesOf(endpoint_id);
    return (await openDelivery(pool(), given.LIVE, { endpoint_id, id: newest!.id }, SOURCE))!;
  };
  /** The headers that a delivery has of its own, without those of HTTP. */
  const ownHeaders = ({ headers }: Posted) => {
    const { host: _host, connection: _connection, 'content-length': _length, ...own } = headers;
    return own;
  };

  it('has the body and the headers of each try as the receiver got them, the newest first', async () => {
    const { id, secret } = await anEndpoint();
    await draw(grants()[0]!);
    for (const status of [500, 503, 200]) {
      receiver().answer((response) => void response.writeHead(status).end(`answer ${status}`));
      await deliver(id);
      pass(MINUTE_MS);
    }
    const delivery = await opened(id);
    const posted = receiver().posted.toReversed();
    assert.deepEqual([delivery.status, delivery.attempts], ['delivered', 3]);
    assert.deepEqual(
      delivery.tries.map(({ response_status, response_body, payload, url }) => [
        ...[response_status, response_body, payload, url],
      ]),
      [200, 503, 500].map((status) => [status, `answer ${status}`, 'full', receiver().url]),
    );
    assert.deepEqual(
      delivery.tries.map(({ headers }) => headers),
      posted.map(ownHeaders),
    );
    for (const { headers } of delivery.tries)
      receiver().verified({ headers: headers!, body: delivery.body!, change: {} }, secret);
    assert.equal(delivery.body, posted[0]!.body);
    const times = delivery.tries.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.deepEqual([times[0], times[2]], [delivery.last_attempt_at, delivery.first_attempt_at]);
    assert.ok(!JSON.stringify(delivery).includes(secret));
  });

  it('has nothing sent before its first try', async () => {
    const { id } = await anEndpoint();
    await draw(grants()[0]!, 2);
    receiver().answer(500);
    await deliver(id);
    const { status, body, tries } = await opened(id);
    assert.deepEqual([status, body, tries], ['pending', null, []]);
  });

  it('says of each try what the endpoint asked for then, and has the body of the last', async () => {
    const { id } = await anEndpoint();
    await draw(grants()[0]!);
    receiver().answer(500);
    await deliver(id);
    await inTransaction((db) => changeEndpoint(db, given.LIVE, { id, payload: 'thin' }, REACH));
    pass(MINUTE_MS);
    await deliver(id);
    const { body, tries } = await opened(id);
    assert.deepEqual(
      tries.map(({ payload }) => payload),
      ['thin', 'full'],
    );
    assert.equal(body, receiver().posted[1]!.body);
    assert.equal(JSON.parse(body!).data, null);
  });

  it('has its 25 newest tries', async () => {
    const { id } = await anEndpoint();
    await draw(grants()[0]!);
    await deliver(id);
    const sender = { pool: pool(), secrets: SECRETS, reach: REACH, source: SOURCE, now };
    const [delivery] = await deliveriesOf(id);
    const change = await findChange(pool(), given.LIVE, delivery!.sequence!);
    for (let tries = 2; tries <= 27; tries++) {
      receiver().answer((response) => void response.end(`answer ${tries}`));
      await resendDelivery(sender, given.LIVE, { change, delivery: delivery!, at: now() });
    }
    const { attempts, tries } = await opened(id);
    assert.equal(attempts, 27);
    assert.deepEqual(
      tries.map(({ response_body }) => response_body),
      Array.from({ length: 25 }, (_, place) => `answer ${27 - place}`),
    );
  });

  it('of a customer that is erased has neither its data nor what receivers answered', async () => {
    const { id } = await anEndpoint({ types: ['customer.*'] });
    const { rows } = await pool().query(`update customers set name = 'Ada' returning id`);
    await draw(grants()[0]!);
    const answer = (status: number) =>
      receiver().answer((response) => void response.writeHead(status).end('hello Ada'));
    answer(500);
    await deliver(id);
    answer(200);
    pass(MINUTE_MS);
    await deliver(id);
    assert.match(JSON.stringify(await opened(id)), /"name\\":\\"Ada.*hello Ada/);
    await inTransaction((db) =>
      redactCustomer(db, given.LIVE, { id: rows[0].id, properties: [], by: 'key_1' }),
    );
    const erased = await opened(id);
    assert.doesNotMatch(JSON.stringify(erased), /Ada/);
    assert.equal(JSON.parse(erased.body!).data, null);
    assert.deepEqual(
      erased.tries.map(({ response_status, response_body }) => [response_status, response_body]),
      [
        [200, null],
        [500, null],
      ],
    );
  });

  it('has its tries after its change is forgotten, without what they sent', async () => {
    const { id } = await anEndpoint();
    await draw(grants()[0]!);
    await deliver(id);
    await pool().query('delete from feed');
    const { body, tries } = await opened(id);
    assert.deepEqual(
      [body, tries.map(({ headers, response_status }) => [headers, response_status])],
      [null, [[null, 200]]],
    );
  });
});
