import { consumeAll } from '../../../src/db/changes/consume.ts';
import { transaction, type Db, type Pool } from '../../../src/db/connection/pool.ts';
import { FEED } from '../../../src/db/feed/consumer.ts';
import { readBounds } from '../../../src/db/feed/feed.ts';
import { listDeliveries } from '../../../src/db/webhooks/deliveries.ts';
import { findEndpoint } from '../../../src/db/webhooks/endpoints.ts';
import { networksOf } from '../../../src/settings/networks.ts';
import type { SigningSecrets } from '../../../src/settings/signing-secrets.ts';
import { deliverChanges } from '../../../src/webhooks/deliver.ts';
import { createEndpoint, type ShownEndpoint } from '../../../src/webhooks/endpoints.ts';
import { createNewest } from '../../../src/webhooks/newest.ts';
import type { Outcome } from '../../../src/webhooks/try.ts';
import * as given from './billing.ts';
import { aReceiver, type Receiver } from '../servers/receiver.ts';

export const SECRETS: SigningSecrets = ['secret of a test'];
const REACH = { allowed: networksOf('192.0.2.0/24'), is_loopback_allowed: true };

/**
 * Sets up, for each test of a describe, a ledger with three grants, a receiver, and endpoints whose deliveries run without Temporal, by a clock that a test
 * moves.
 */
export function useDeliveries() {
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

  return {
    ...{ now, anEndpoint, deliver, draw, deliveriesOf, endpointOf, sequencesOf, newest },
    pool: () => pool,
    receiver: () => receiver,
    grants: () => grants,
    outcomes: () => outcomes,
    inTransaction: in_transaction,
    /** Moves the clock forward. */
    pass: (ms: number) => void (ahead_ms += ms),
  };
}
