import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { createCloseGroups, GroupFailure, type RunGroup } from '../../activities/close-groups.ts';
import type { Outcome } from '../../src/billing/close/bill-next.ts';
import { NOTHING } from '../../src/billing/close/next-step.ts';

const questionOf = (subscription_id: string, environment_id = 1) => ({ environment_id, subscription_id });
const answered = (subscription_id: string): Outcome => ({
  kind: 'answered',
  answer: { billed: null, step: { ...NOTHING, last_invoice_id: subscription_id }, turns: [] },
});

/** Groups whose runs end when the test says so. */
function heldGroups(outcomeOf: (id: string, how: { waits: boolean }) => Outcome = answered) {
  const runs: { members: string[]; waits: boolean; end: (failure?: unknown) => void }[] = [];
  const run: RunGroup = (_, questions, how) =>
    new Promise((resolve, reject) => {
      const members = questions.map(({ subscription_id }) => subscription_id);
      const end = (failure?: unknown) =>
        failure === undefined ? resolve(members.map((id) => outcomeOf(id, how))) : reject(failure as Error);
      runs.push({ members, waits: how.waits, end });
    });
  const groups = createCloseGroups({ run, mayBeOneMembersFault: (error) => error instanceof RangeError });
  return { runs, groups };
}

/** Lets what is due run: a group begins in the next turn of the event loop. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn();
}

describe('the groups of closes', () => {
  it('take all that has come while groups ran, at most two groups at once, of one environment each', async () => {
    const { runs, groups } = heldGroups();
    const all = [groups.add(questionOf('a'))];
    await settle();
    all.push(groups.add(questionOf('b', 2)));
    await settle();
    for (const id of ['c', 'd']) all.push(groups.add(questionOf(id)), groups.add(questionOf(`${id}2`, 2)));
    await settle();
    assert.deepEqual(
      runs.map(({ members }) => members),
      [['a'], ['b']],
    );
    assert.equal(groups.waiting(), 4);
    runs[0]!.end();
    runs[1]!.end();
    await settle();
    assert.deepEqual(
      runs.slice(2).map(({ members }) => members),
      [
        ['c', 'd'],
        ['c2', 'd2'],
      ],
    );
    for (const { end } of runs.slice(2)) end();
    assert.equal((await Promise.all(all)).length, 6);
  });

  it('have at most 50 members', async () => {
    const { runs, groups } = heldGroups();
    const all = Array.from({ length: 120 }, (_, at) => groups.add(questionOf(`${at}`)));
    await settle();
    assert.deepEqual(
      runs.map(({ members }) => members.length),
      [50, 50],
    );
    for (const { end } of runs.splice(0)) end();
    await settle();
    for (const { end } of runs) end();
    assert.equal(new Set((await Promise.all(all)).map((answer) => JSON.stringify(answer))).size, 120);
  });

  it('put back who is locked, and let it wait for its lock alone after three tries', async () => {
    const { runs, groups } = heldGroups((id, { waits }) =>
      id === 'locked' && !waits ? { kind: 'later', why: 'locked' } : answered(id),
    );
    const all = [groups.add(questionOf('locked')), groups.add(questionOf('free'))];
    for (let ended = 0; ended < 4; ended++) {
      await settle();
      runs[ended]!.end();
    }
    await Promise.all(all);
    assert.deepEqual(
      runs.map(({ members, waits }) => [members.join(), waits]),
      [
        ['locked,free', false],
        ['locked', false],
        ['locked', false],
        ['locked', true],
      ],
    );
  });

  it('are divided down to the member whose row the database refuses, and fail whole for any other error', async () => {
    const { runs, groups } = heldGroups();
    const all = ['a', 'b', 'c', 'bad'].map((id) =>
      groups.add(questionOf(id)).then(
        () => id,
        (error: Error) => error,
      ),
    );
    await settle();
    for (let next = 0; next < runs.length; next++) {
      const { members, end } = runs[next]!;
      end(members.includes('bad') ? new RangeError('refused') : undefined);
      await settle();
    }
    assert.deepEqual((await Promise.all(all)).slice(0, 3), ['a', 'b', 'c']);
    assert.ok((await all[3]) instanceof RangeError);
    const lost = ['a', 'b'].map((id) => groups.add(questionOf(id)).catch((error: unknown) => error));
    await settle();
    runs.at(-1)!.end(new Error('connection lost'));
    for (const error of await Promise.all(lost)) assert.ok(error instanceof GroupFailure);
  });
});
