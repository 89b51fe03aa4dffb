import assert from 'node:assert/strict';
import { useDeliveries } from '../support/ledger/deliveries.ts';
import { watchedPool } from '../support/ledger/watched-pool.ts';

const STATEMENTS_MAX = 12;
/** A receiver that a busy machine slows down is looked after every 250 ms: the least of some deliveries counts. */
const DELIVERIES = 5;

describe('the statements of a webhook', () => {
  const { anEndpoint, deliver, deliveriesOf, draw, grants, newest, pool, sequencesOf } = useDeliveries();

  it(`from the wake of an endpoint to its sleep are at most ${STATEMENTS_MAX} for one change, begin and commit included`, async () => {
    const { id } = await anEndpoint();
    await deliver(id);
    const runs: string[][] = [];
    for (let run = 0; run < DELIVERIES; run++) {
      const sent: string[] = [];
      await draw(grants()[0]!);
      const watched = watchedPool(pool(), async (text) => void sent.push(text));
      await deliver(id, undefined, watched);
      runs.push(sent);
    }
    assert.deepEqual(
      (await deliveriesOf(id)).map(({ status, attempts }) => `${status} ${attempts}`),
      Array<string>(DELIVERIES).fill('delivered 1'),
    );
    const [least] = runs.toSorted((a, b) => a.length - b.length) as [string[]];
    assert.ok(least.length <= STATEMENTS_MAX, `${least.length}:\n${least.join('\n')}`);
  });

  it('may each be the last of a process: every change arrives, in order, and only the one whose outcome is lost comes twice', async () => {
    const { id } = await anEndpoint();
    await deliver(id);
    const [grant] = grants() as [string];
    for (let allowed = 0; ; allowed++) {
      await draw(grant, 2);
      const posted = sequencesOf(grant).length;
      let left = allowed;
      const ending = watchedPool(pool(), async () => {
        if (left-- <= 0) throw new Error('the process ended');
      });
      const has_ended = await deliver(id, undefined, ending).then(
        () => false,
        (error: Error) => error.message === 'the process ended',
      );
      await deliver(id);
      const sequences = sequencesOf(grant).slice(posted);
      assert.deepEqual([...new Set(sequences)], [(await newest()) - 1, await newest()], `after ${allowed}`);
      assert.ok(sequences.length <= 3, `after ${allowed}: ${sequences.join(' ')}`);
      assert.ok((await deliveriesOf(id)).every(({ status }) => status === 'delivered'));
      if (!has_ended) return assert.ok(allowed > STATEMENTS_MAX, `${allowed}`);
    }
  });
});
