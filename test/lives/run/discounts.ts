import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { isEnded } from '../model/discounts.ts';
import type { Discount } from '../model/percents.ts';
import type { World } from '../model/world.ts';
import type { Session } from './session.ts';

/** Asserts that the list of discounts by status, or of one subscription, has the model's, newest first, each as it is by itself. */
export async function compareDiscounts(world: World, session: Session): Promise<void> {
  for (const status of ['active', 'ended'])
    await assertListed(world, session, {
      query: `status=${status}`,
      isIn: (discount) => isEnded(world, discount) === (status === 'ended'),
    });
  for (const [place, subscription] of world.subscriptions.entries())
    await assertListed(world, session, {
      query: `subscription_id=${session.subscriptions[place]}`,
      isIn: (discount) => discount.subscription === subscription,
    });
}

type Filter = { query: string; isIn: (discount: Discount) => boolean };

async function assertListed(world: World, session: Session, { query, isIn }: Filter): Promise<void> {
  const { request, customer_id, discounts } = session;
  const { status, body } = await request(`/v1/discounts?customer_id=${customer_id}&${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  const ids = discounts.filter((_, place) => isIn(world.discounts[place]!)).toReversed();
  assert.deepEqual(
    body.data.map(({ id }: Json) => id),
    ids,
    query,
  );
  for (const discount of body.data)
    assert.deepEqual((await request(`/v1/discounts/${discount.id}`)).body, discount);
}
