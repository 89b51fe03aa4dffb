import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { anyFreePort } from '../../../dev/ports.ts';
import type { Json } from '../../support/servers/api.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { changesAfter, changesUpTo } from '../../support/ledger/feed.ts';
import { startService, type Service } from './processes.ts';

/** The whole drill: `WEBHOOK_INVOICES=2000 WEBHOOK_KILLS=20 npm test -- test/drills/faults/webhooks-under-faults.test.ts`. */
const { WEBHOOK_INVOICES = '200', WEBHOOK_KILLS = '2' } = inheritedEnvironment();
const INVOICES = Number(WEBHOOK_INVOICES);
const KILLS = Number(WEBHOOK_KILLS);
const CUSTOMERS = 10;
const DAYS_AT_ONCE = 10;
const DAY_MS = 86_400_000;
const KILL_INTERVAL_MS = 6000;
const GIVEN_UP_MS = 20 * 60_000;
/** Parts of the requests that a receiver refuses, resets, or never answers. */
const FAULTS = { refused: 0.02, reset: 0.02, hangs: 0.001 };

/** A receiver that fails in every way, and keeps what it has acknowledged: the change as the library of Standard Webhooks verified it. */
function aBadReceiver(port: number) {
  const acknowledged: Json[] = [];
  const failures: string[] = [];
  let secret = '';
  let server: Server | null = null;
  const answer = (response: ServerResponse, change: Json) => {
    const chance = Math.random();
    if (chance < FAULTS.refused) return response.writeHead(500).end();
    if (chance < FAULTS.refused + FAULTS.reset) return response.socket!.destroy();
    if (chance < FAULTS.refused + FAULTS.reset + FAULTS.hangs) return undefined;
    acknowledged.push(change);
    return response.writeHead(200).end();
  };
  const start = async () => {
    server = createServer((request, response) => {
      text(request).then(
        (body) => {
          try {
            answer(response, new Webhook(secret).verify(body, request.headers as Record<string, string>));
          } catch (error) {
            failures.push(`${error}`);
            response.destroy();
          }
        },
        () => response.destroy(),
      );
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const kill = async () => {
    if (server?.listening !== true) return;
    const ended = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await ended;
  };
  return { acknowledged, failures, start, kill, trust: (own: string) => void (secret = own) };
}

/** changes.md, Webhooks: nothing is lost, and each object comes in order, also if a process dies. */
describe('webhooks while the receiver fails and the worker is killed', function () {
  this.timeout(GIVEN_UP_MS + 300_000);
  let service: Service;

  before(async () => {
    service = await startService();
  });

  async function send(method: string, path: string, body?: object): Promise<Json> {
    const { api_url, test_key } = service.stack;
    // As a client does, until the request is done: an advance that a killed worker interrupts goes on.
    for (;;) {
      const response = await fetch(api_url + path, {
        method,
        headers: { Authorization: `Bearer ${test_key}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => null);
      // The connection is lost on a busy machine.
      if (response === null) continue;
      const received = (await response.json()) as Json;
      if (response.status < 300) return received;
      assert.ok([429, 500].includes(response.status), JSON.stringify(received));
    }
  }

  function killWorker(): void {
    try {
      service.kill('worker');
    } catch {
      // On a slow machine it is still being started after the last kill.
    }
  }

  async function bill(customer_id: string): Promise<void> {
    const begins = Date.now();
    for (let days = DAYS_AT_ONCE; days <= INVOICES / CUSTOMERS; days += DAYS_AT_ONCE) {
      const to = new Date(begins + days * DAY_MS + 1000).toISOString();
      await send('POST', '/v1/test-clock/advance', { customer_id, to });
    }
  }

  /** A number that no earlier change exceeds: that of a change which is made now, since the worker numbers changes after they are made. */
  async function lastNumber(): Promise<number> {
    await send('POST', '/v1/customers', { external_id: 'last' });
    await send('DELETE', '/v1/customers/last');
    const changes = await changesUpTo((path) => send('GET', path), 0, 'customer.deleted');
    return changes.at(-1)!['sequence'];
  }

  it('every change arrives, verified, and each object in order', async () => {
    const port = await anyFreePort();
    const receiver = aBadReceiver(port);
    await receiver.start();
    atEnd(receiver.kill);
    const endpoint = await send('POST', '/v1/webhook-endpoints', {
      url: `http://127.0.0.1:${port}/hooks`,
      types: ['invoice.*', 'payment.*'],
      after: 0,
    });
    receiver.trust(endpoint['secret']);
    const charges = [{ event_name: 'fee', pricing_model: 'flat', flat_amount: '10' }];
    const plan = await send('POST', '/v1/pricing-plans', { name: 'Daily', interval: 'day', charges });
    const customers = Array.from({ length: CUSTOMERS }, (_, place) => `c-${place}`);
    for (const customer_id of customers) {
      await send('POST', '/v1/customers', { external_id: customer_id });
      await send('POST', '/v1/subscriptions', { customer_id, plan_id: plan['id'] });
    }
    const billed = Promise.all(customers.map(bill));
    for (let kills = 0; kills < KILLS; kills++) {
      await pause(KILL_INTERVAL_MS);
      killWorker();
      if (kills % 4 !== 3) continue;
      await receiver.kill();
      await pause(KILL_INTERVAL_MS);
      await receiver.start();
    }
    await billed;
    const last_number = await lastNumber();
    await eventually(
      () => send('GET', `/v1/webhook-endpoints/${endpoint['id']}`),
      ({ delivered_up_to, status, status_reason }) => {
        assert.equal(status, 'active', status_reason ?? '');
        return delivered_up_to >= last_number;
      },
      GIVEN_UP_MS,
    );
    const changes = await changesAfter(
      (path) => send('GET', path),
      0,
      'limit=1000&types=invoice.*,payment.*',
    );
    const issued = changes.filter(({ type }) => type === 'invoice.issued');
    assert.ok(issued.length >= INVOICES - CUSTOMERS * DAYS_AT_ONCE, `${issued.length} invoices`);
    assert.deepEqual(receiver.failures, []);
    assertAllInOrder(changes, receiver.acknowledged);
    console.log(
      `      ${changes.length} changes, ${receiver.acknowledged.length} deliveries that were acknowledged`,
    );
  });
});

/** Asserts that every change was acknowledged, and that of each object none came for the first time after a later one. */
function assertAllInOrder(changes: readonly Json[], acknowledged: readonly Json[]): void {
  const first = new Map<string, Json>();
  for (const change of acknowledged) if (!first.has(change['id'])) first.set(change['id'], change);
  assert.deepEqual(
    changes.filter(({ id }) => !first.has(id)).map(({ sequence }) => sequence),
    [],
    'changes that never arrived',
  );
  const newest = new Map<string, number>();
  for (const { object_id, sequence } of first.values()) {
    assert.ok(
      (newest.get(object_id) ?? 0) < sequence,
      `${object_id}: ${sequence} after ${newest.get(object_id)}`,
    );
    newest.set(object_id, sequence);
  }
}
