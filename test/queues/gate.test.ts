import assert from 'node:assert/strict';
import { createGate, type Gate, type GateLimits } from '../../src/queues/gate.ts';
import { BillingError, rateLimited } from '../../src/domain/money/errors.ts';

const LONG_MS = 60_000;

describe('a gate', () => {
  /** Runs numbered jobs through a gate: `begun` lists the started jobs, `end` finishes one. A waiting job has not started. */
  function aGate(limits: Partial<GateLimits> = {}) {
    const gate = createGate({ running_max: 2, waiting_max: 2, waiting_ms: LONG_MS, ...limits }, () =>
      rateLimited(),
    );
    const begun: number[] = [];
    const ends: ((error?: Error) => void)[] = [];
    const pass = (number: number) =>
      gate.pass(() => {
        begun.push(number);
        return new Promise<number>((resolve, reject) => {
          ends[number] = (error) => (error === undefined ? resolve(number) : reject(error));
        });
      });
    return { gate, begun, pass, end: (number: number, error?: Error) => ends[number]!(error) };
  }

  const isSentAway = (error: unknown) => error instanceof BillingError && error.code === 'rate_limited';
  const isFull = (gate: Gate) => {
    try {
      gate.refuseIfFull();
      return false;
    } catch (error) {
      return isSentAway(error);
    }
  };

  it('starts jobs up to its limit, and the others in order of arrival', async () => {
    const { begun, pass, end } = aGate();
    const passed = [0, 1, 2, 3].map(pass);
    assert.deepEqual(begun, [0, 1]);
    end(1);
    await passed[1];
    assert.deepEqual(begun, [0, 1, 2]);
    end(0);
    await passed[0];
    assert.deepEqual(begun, [0, 1, 2, 3]);
    end(2);
    end(3);
    assert.deepEqual(await Promise.all(passed), [0, 1, 2, 3]);
  });

  it('refuses a job while too many wait', async () => {
    const { gate, begun, pass, end } = aGate();
    const passed = [0, 1, 2].map(pass);
    assert.equal(isFull(gate), false);
    passed.push(pass(3));
    assert.equal(isFull(gate), true);
    await assert.rejects(pass(4), isSentAway);
    end(0);
    await passed[0];
    assert.equal(isFull(gate), false);
    for (const number of [1, 2]) end(number);
    await Promise.all([passed[1], passed[2]]);
    end(3);
    await passed[3];
    assert.deepEqual(begun, [0, 1, 2, 3]);
  });

  it('starts the next job when a job fails, at once or later', async () => {
    const { gate, begun, pass, end } = aGate({ running_max: 1 });
    const failing = pass(0);
    const thrown = gate.pass(() => {
      throw new Error('at once');
    });
    const last = pass(2);
    end(0, new Error('later'));
    await assert.rejects(failing, /later/);
    await assert.rejects(thrown, /at once/);
    assert.deepEqual(begun, [0, 2]);
    end(2);
    assert.equal(await last, 2);
  });

  it('refuses a job that has waited for too long, and frees its place in the queue', async () => {
    const { begun, pass, end } = aGate({ running_max: 1, waiting_ms: 1 });
    const inside = pass(0);
    await assert.rejects(pass(1), isSentAway);
    await assert.rejects(pass(2), isSentAway);
    end(0);
    await inside;
    const next = pass(3);
    end(3);
    await next;
    assert.deepEqual(begun, [0, 3]);
  });

  it('keeps its limits while jobs come and go', async () => {
    const { begun, pass, end } = aGate({ running_max: 3, waiting_max: 4 });
    const passed = Array.from({ length: 10 }, (_, number) => pass(number));
    const outcomes = Promise.allSettled(passed);
    for (let number = 0; number < 7; number++) {
      assert.equal(begun.length, Math.min(7, number + 3));
      end(number);
      await passed[number];
    }
    const kept = (await outcomes).map(({ status }) => status);
    assert.deepEqual(kept, [...Array(7).fill('fulfilled'), ...Array(3).fill('rejected')]);
    const again = pass(10);
    end(10);
    assert.equal(await again, 10);
  });
});
