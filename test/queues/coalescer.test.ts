import assert from 'node:assert/strict';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { createCoalescer, halvesOf, type CoalescerLimits } from '../../src/queues/coalescer.ts';
import { BillingError, rateLimited } from '../../src/domain/money/errors.ts';

const LIMITS: CoalescerLimits = {
  group_items: 4,
  group_bytes: 100,
  queue_items: 1000,
  queue_bytes: 100_000,
  overtaken_ms: 0,
  overtaken_max: 0,
};

class NodeAway extends Error {}
const isAway = ({ key }: Item) => key.startsWith('away');

type Item = { key: string; bytes: number };
const ITEMS = { keyOf: ({ key }: Item) => key, bytesOf: ({ bytes }: Item) => bytes };

/** A coalescer and the groups it has written; after `hold`, writes wait for `letGo`. */
function aCoalescer({ limits = LIMITS, poison = '' } = {}) {
  const groups: string[][] = [];
  let letGo: () => void = () => undefined;
  let gate: Promise<void> = Promise.resolve();
  const coalescer = createCoalescer<Item, string>({
    ...ITEMS,
    limits,
    divide: (items, error) => {
      if (error instanceof NodeAway)
        return [items.filter(isAway), items.filter((one) => !isAway(one))].filter(({ length }) => length > 0);
      return error instanceof RangeError ? halvesOf(items) : [items];
    },
    refusal: () => rateLimited(),
    async write(items) {
      const keys = items.map(({ key }) => key);
      groups.push(keys);
      await gate;
      if (keys.includes(poison)) throw new RangeError(poison);
      if (keys.includes('down')) throw new Error('down');
      if (items.some(isAway)) throw new NodeAway('away');
      return keys.map((key) => `${key} written`);
    },
  });
  const hold = () => {
    gate = new Promise((resolve) => (letGo = resolve));
  };
  return { coalescer, groups, hold, letGo: () => letGo() };
}

const item = (key: string, bytes = 10): Item => ({ key, bytes });
const settled = async (promises: readonly Promise<string>[]) =>
  (await Promise.allSettled(promises)).map((one) =>
    one.status === 'fulfilled' ? one.value : `${one.reason}`,
  );

describe('the coalescer', () => {
  it('writes the items that arrived during a write next, half of all active items at a time', async () => {
    const { coalescer, groups, hold, letGo } = aCoalescer();
    hold();
    const firsts = ['a', 'b'].map((key) => coalescer.add(item(key)));
    await turn();
    await turn();
    const others = ['c', 'd', 'e', 'f'].map((key) => coalescer.add(item(key)));
    letGo();
    assert.deepEqual(
      await settled([...firsts, ...others]),
      ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => `${key} written`),
    );
    assert.deepEqual(groups, [['a', 'b'], ['c', 'd', 'e'], ['f']]);
  });

  it('converges to groups of one size if clients send again some time after their response', async () => {
    const sizes: number[] = [];
    const coalescer = createCoalescer<Item, void>({
      ...ITEMS,
      limits: { ...LIMITS, group_items: 100, group_bytes: 10_000 },
      divide: () => [],
      refusal: () => rateLimited(),
      async write(items) {
        sizes.push(items.length);
        for (let turns = 0; turns < 5; turns += 1) await turn();
        return items.map(() => undefined);
      },
    });
    const send = async (key: string) => {
      for (let times = 0; times < 20; times += 1) {
        await coalescer.add(item(key));
        await turn();
      }
    };
    const first = send('0');
    await turn();
    await Promise.all([first, ...Array.from({ length: 19 }, (_, at) => send(`${at + 1}`))]);
    assert.deepEqual(sizes, [1, ...Array(39).fill(10), 9]);
  });

  it('never puts one key twice in a group, and keeps the order of a key', async () => {
    const { coalescer, groups } = aCoalescer();
    await settled(['a', 'a', 'b', 'a'].map((key) => coalescer.add(item(key))));
    assert.deepEqual(groups, [['a', 'b'], ['a'], ['a']]);
  });

  it('limits a group by items and bytes; a larger item is a group of its own', async () => {
    const { coalescer, groups } = aCoalescer();
    const sizes = [60, 60, 30, 500, 1, 1, 1, 1, 1];
    await settled(sizes.map((bytes, at) => coalescer.add(item(`${at}`, bytes))));
    assert.deepEqual(groups, [['0', '2', '4', '5'], ['1', '6', '7', '8'], ['3']]);
  });

  it('refuses items that do not fit in the queue, and says when to retry', async () => {
    for (const limits of [
      { ...LIMITS, queue_items: 2 },
      { ...LIMITS, queue_bytes: 25 },
    ]) {
      const { coalescer } = aCoalescer({ limits });
      const taken = [coalescer.add(item('a')), coalescer.add(item('b'))];
      assert.throws(
        () => coalescer.add(item('c')),
        (error) =>
          error instanceof BillingError && error.code === 'rate_limited' && error.retry_after_seconds === 1,
      );
      assert.deepEqual(await settled(taken), ['a written', 'b written']);
      assert.equal(await coalescer.add(item('c')), 'c written');
    }
  });

  it('fails the whole group if no single item can be the cause', async () => {
    const { coalescer, groups } = aCoalescer();
    assert.deepEqual(
      await settled(['a', 'down', 'b'].map((key) => coalescer.add(item(key)))),
      Array(3).fill('Error: down'),
    );
    assert.equal(groups.length, 1);
    assert.equal(await coalescer.add(item('a')), 'a written');
  });

  it('writes the parts of a group that failed by themselves, and fails a part that cannot be divided', async () => {
    const { coalescer, groups } = aCoalescer();
    assert.deepEqual(await settled(['a', 'away 1', 'b', 'away 2'].map((key) => coalescer.add(item(key)))), [
      'a written',
      'Error: away',
      'b written',
      'Error: away',
    ]);
    assert.deepEqual(groups.slice(1), [
      ['away 1', 'away 2'],
      ['a', 'b'],
    ]);
  });

  it('lets later groups overtake a slow group, up to a limit, and waits for all when it drains', async () => {
    const { coalescer, groups, hold, letGo } = aCoalescer({
      limits: { ...LIMITS, overtaken_ms: 1, overtaken_max: 2 },
    });
    hold();
    const added: Promise<string>[] = [];
    for (const key of ['a', 'b', 'c', 'd']) {
      added.push(coalescer.add(item(key)));
      await pause(20);
    }
    // The third write blocks the fourth: only two may be overtaken.
    assert.deepEqual(groups, [['a'], ['b'], ['c']]);
    letGo();
    await coalescer.drain();
    assert.deepEqual(
      await settled(added),
      ['a', 'b', 'c', 'd'].map((key) => `${key} written`),
    );
  });

  it('drains', async () => {
    const { coalescer, groups } = aCoalescer();
    void settled(Array.from({ length: 10 }, (_, at) => coalescer.add(item(`${at}`))));
    await coalescer.drain();
    assert.equal(groups.flat().length, 10);
    await coalescer.drain();
  });

  it('gives each item its own result, for any items and any that fail', async () => {
    const anItem = fc.record({
      key: fc.integer({ min: 0, max: 20 }).map(String),
      bytes: fc.integer({ min: 1, max: 120 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anItem, { maxLength: 60 }), async (items) => {
        const { coalescer, groups } = aCoalescer({ poison: '7' });
        const results = await settled(items.map((one) => coalescer.add(one)));
        const expected = items.map(({ key }) => (key === '7' ? 'RangeError: 7' : `${key} written`));
        assert.deepEqual(results, expected);
        for (const keys of groups) assert.equal(new Set(keys).size, keys.length);
      }),
    );
  });
});
