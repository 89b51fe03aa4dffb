import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import type { World } from '../model/world.ts';
import type { Session } from './session.ts';

/** Asserts that the customer's plans are its custom plans, newest first, each with its base, and that no other list has them. */
export async function compareCustomPlans(world: World, session: Session): Promise<void> {
  const { request, customer_id, plans } = session;
  const read = async (query: string): Promise<Json[]> => {
    const { status, body } = await request(`/v1/pricing-plans?limit=200${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const custom = world.plans.filter((plan) => plan.custom !== undefined);
  const idOf = (plan: World['plans'][number]) => plans[world.plans.indexOf(plan)]!.id;
  const seen = (await read(`&customer_id=${customer_id}`)).map(({ id, based_on, overrides }) => ({
    ...{ id, based_on },
    places: overrides.map(({ charge }: Json) => charge),
  }));
  const expected = custom.toReversed().map((plan) => ({
    ...{ id: idOf(plan), based_on: idOf(plan.custom!.base) },
    places: plan.custom!.terms.overrides.map(({ charge }) => charge),
  }));
  assert.deepEqual(seen, expected);
  const ids = new Set(custom.map(idOf));
  const all = await read('');
  assert.ok(all.every(({ id, based_on }) => !ids.has(id) && based_on === null));
}
