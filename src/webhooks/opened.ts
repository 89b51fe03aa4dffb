import type { Db } from '../db/connection/pool.ts';
import { findChange } from '../db/feed/feed.ts';
import type { DeliveryKey } from '../db/webhooks/deliveries.ts';
import { findTriedDelivery, type TriedDelivery } from '../db/webhooks/tries.ts';
import type { OpenedDelivery } from '../objects/webhook-delivery.ts';
import { bodyOf, changeOfTest, headersOf, type SentChange } from './message.ts';
import { signedHeaders } from './signature.ts';

/**
 * A delivery with the body and the headers of its tries, made again of its change; null if it does not exist. `source`
 * is the address of the feed.
 */
export async function openDelivery(
  db: Db,
  environment_id: number,
  key: DeliveryKey,
  source: string,
): Promise<OpenedDelivery | null> {
  const found = await findTriedDelivery(db, environment_id, key);
  if (found === null) return null;
  const change = await changeOf(db, environment_id, found);
  const { tries, test_data: _, ...delivery } = found;
  const [last] = tries;
  return {
    ...delivery,
    body: last === undefined || change === null ? null : bodyOf(change, last.payload),
    tries: tries.map(({ signature, ...sent }) => {
      const signed = { id: delivery.change_id, sent_at: new Date(sent.at), signature };
      const headers = change === null ? null : { ...headersOf(change, source), ...signedHeaders(signed) };
      return { ...sent, headers };
    }),
  };
}

/** The change that a delivery sends, as it is kept now; null if it is not. */
async function changeOf(
  db: Db,
  environment_id: number,
  { sequence, change_id, livemode, created_at, endpoint_id, test_data }: TriedDelivery,
): Promise<SentChange | null> {
  if (sequence !== null) return findChange(db, environment_id, sequence);
  return changeOfTest({ id: change_id, livemode, created_at, endpoint_id, data: test_data });
}
