import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Charging, type Bank } from './charging.ts';

/** Acts that may come next: to one of two processes, to the invoice, at the bank. */
type Act =
  | { does: 'begin' | 'void' | 'credit' | 'pause' | 'resume' | 'forget_keys' | 'land' }
  /** A process goes on to its next change or call, or starts; it dies, with or without its call, or its call is late. */
  | { does: 'go' | 'die' | 'lose_answer' | 'be_late'; worker: 0 | 1 }
  | { does: 'bank'; says: Bank }
  | { does: 'finish'; as: 'succeeded' | 'declined' };

const anAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ does: fc.constant('go' as const), worker: fc.constantFrom(0, 1) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('die' as const, 'lose_answer' as const, 'be_late' as const),
      worker: fc.constantFrom(0, 1),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('begin' as const, 'land' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom('credit', 'void', 'pause', 'resume', 'forget_keys'),
    }) as fc.Arbitrary<Act>,
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('bank' as const),
      says: fc.constantFrom('succeeded', 'processing', 'declined', 'action_required'),
    }) as fc.Arbitrary<Act>,
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('finish' as const),
      as: fc.constantFrom('succeeded' as const, 'declined' as const),
    }),
  },
);

type Process = ReturnType<Charging['process']>;
/** A process, and the call that it is about to send. */
type Working = { process: Process; call: NonNullable<YieldOf<Process>> | null } | null;
type YieldOf<G> = G extends Generator<infer Y, unknown, never> ? Y : never;

/** Plays acts, and in the end lets one process go on alone until nothing is left to do. */
function played(acts: readonly Act[]): Charging {
  const charging = new Charging();
  const workers: [Working, Working] = [null, null];
  const late: (() => unknown)[] = [];
  charging.begin();
  for (const act of acts) play(charging, { workers, late }, act);
  for (const call of late) call();
  charging.finish('succeeded');
  for (let rounds = 0; charging.open !== undefined; rounds++) {
    assert.ok(rounds < 10, 'the attempt ends');
    const process = charging.process();
    for (let next = process.next([]); next.done !== true;) next = process.next(next.value?.() ?? []);
    charging.finish('succeeded');
  }
  return charging;
}

function play(
  charging: Charging,
  { workers, late }: { workers: [Working, Working]; late: (() => unknown)[] },
  act: Act,
): void {
  switch (act.does) {
    case 'begin':
      return charging.begin();
    case 'credit':
      if (charging.due > 30) charging.credited += 30;
      return;
    case 'void':
      if (charging.payments.length === 0) charging.is_void = true;
      return;
    case 'pause':
    case 'resume':
      charging.is_paused = act.does === 'pause';
      return;
    case 'forget_keys':
      return charging.keys.clear();
    case 'land':
      return void late.shift()?.();
    case 'bank':
      charging.bank = act.says;
      return;
    case 'finish':
      return charging.finish(act.as);
    case 'go': {
      const working = workers[act.worker] ?? { process: charging.process(), call: null };
      const next = working.process.next(working.call?.() ?? []);
      workers[act.worker] = next.done === true ? null : { process: working.process, call: next.value };
      return;
    }
    case 'die':
    case 'lose_answer':
    case 'be_late': {
      const call = workers[act.worker]?.call ?? null;
      if (act.does === 'lose_answer') call?.();
      if (act.does === 'be_late' && call !== null) late.push(call);
      workers[act.worker] = null;
    }
  }
}

describe('an invoice, whatever is repeated, lost, late or killed', () => {
  it('has one payment for each charge, of its amount, and is charged once', () => {
    fc.assert(
      fc.property(fc.array(anAct, { maxLength: 60 }), (acts) => {
        const { charges, payments } = played(acts);
        const inOrder = (rows: { reference: string; amount: string }[]) =>
          rows.map(({ reference, amount }) => `${reference} ${amount}`).toSorted();
        assert.deepEqual(inOrder(payments), inOrder(charges));
        assert.ok(charges.length <= 1, `charged ${charges.length} times`);
      }),
      { numRuns: 20_000 },
    );
  });

  it('is not charged again after a restore that has forgotten a charge', () => {
    fc.assert(
      fc.property(
        fc.array(anAct, { maxLength: 40 }),
        fc.constantFrom<Bank>('succeeded', 'processing'),
        (acts, bank) => {
          const charging = played(acts.filter(({ does }) => does !== 'void' && does !== 'bank'));
          Object.assign(charging, { attempts: [], payments: [], is_paused: false, bank });
          const charged = charging.charges.length;
          charging.begin();
          while (charging.open !== undefined) {
            const process = charging.process();
            for (let next = process.next([]); next.done !== true;) next = process.next(next.value?.() ?? []);
            charging.finish('succeeded');
          }
          assert.equal(charging.charges.length, Math.max(charged, 1));
          assert.deepEqual(charging.payments, charging.charges);
        },
      ),
    );
  });
});
