import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Json } from './support/servers/api.ts';
import { eventually } from './support/servers/eventually.ts';
import { runLines } from './support/servers/run-lines.ts';
import { useStack } from './support/servers/stack.ts';
import { requestsTo } from './support/ledger/test-customer.ts';

/** All shell blocks of the document, in order, as a reader copies them. */
function linesOfRecipes(): string[] {
  const text = readFileSync(new URL('../docs/recipes.md', import.meta.url), 'utf8');
  return [...text.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block]) => block!.trimEnd().split('\n'));
}

describe('docs/recipes.md', () => {
  const stack = useStack();
  const request = requestsTo(stack);

  it('its lines run, and leave the subscriptions as it says', async function () {
    this.timeout(180_000);
    await runLines(linesOfRecipes(), stack());
    const { data } = (await request('/v1/subscriptions')).body;
    const plans: Json[] = (await request('/v1/pricing-plans')).body.data;
    const keyOf = (plan_id: string) => plans.find(({ id }) => id === plan_id)?.key;
    assert.deepEqual(
      data.map(({ plan_id, status }: Json) => [keyOf(plan_id), status]),
      [
        ['team', 'active'],
        ['support', 'canceled'],
        ['pro', 'active'],
      ],
    );
    const newest = plans.find(({ key, version }) => key === 'pro' && version === 2);
    const subscription = await eventually(
      async () => (await request(`/v1/subscriptions/${data.at(-1).id}`)).body,
      ({ pending_change }) => pending_change !== null,
    );
    assert.deepEqual(subscription.pending_change, {
      plan_id: newest!.id,
      at: subscription.current_period_end,
    });
  });
});
