import { setImmediate as turn } from 'node:timers/promises';
import { isLate } from '../../src/late.ts';

export type Coalesced = {
  /** Two items with one key never share a group. */
  key: string;
  /** What the item holds in memory, roughly. */
  bytes: number;
};

export type CoalescerLimits = {
  group_items: number;
  group_bytes: number;
  queue_items: number;
  queue_bytes: number;
  /** A group that takes longer is overtaken by the next one, as long as there are no more of these. */
  overtaken_ms: number;
  overtaken_max: number;
};

export type Coalescer<Item, Result> = {
  /** The item's own result, once the group that it went in is written. Throws the refusal where the queue is full. */
  add: (item: Item) => Promise<Result>;
  /** Throws the refusal where the queue is full. Call it before reading an item. */
  refuseIfFull: () => void;
  /** Resolves when nothing waits any more. */
  drain: () => Promise<void>;
};

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

type Options<Item, Result> = {
  write: (items: readonly Item[]) => Promise<readonly Result[]>;
  isWorthDividing: (error: unknown) => boolean;
  limits: CoalescerLimits;
  /** What an item is told that finds the queue full. */
  refusal: () => Error;
};

/**
 * Writes items that come one by one in groups. There is no timer: a group is half of what is about (fairShare),
 * so that groups grow with the load and a lone item waits for nobody. Where `isWorthDividing` says of a group's error that one
 * item may be to blame, its halves are written instead, down to the item that fails alone.
 */
export function createCoalescer<Item extends Coalesced, Result>(
  options: Options<Item, Result>,
): Coalescer<Item, Result> {
  const { limits } = options;
  let queue: Waiting<Item, Result>[] = [];
  let queue_bytes = 0;
  let running: Promise<void> | null = null;
  /** Groups that are overtaken. */
  const overtaken = new Set<Promise<void>>();

  async function run(): Promise<void> {
    // What else arrived in this turn of the event loop goes into the first group, all of it.
    await turn();
    let answered_items = Infinity;
    while (queue.length > 0) {
      const group_items = fairShare(queue.length, answered_items, limits);
      const { group, rest, bytes } = nextGroup(queue, { ...limits, group_items });
      answered_items = group.length;
      queue = rest;
      queue_bytes -= bytes;
      const writing = writeGroup(group, options);
      if (overtaken.size < limits.overtaken_max && (await isLate(writing, limits.overtaken_ms))) {
        overtaken.add(writing);
        void writing.then(() => overtaken.delete(writing));
      } else {
        await writing;
      }
    }
    running = null;
  }

  const refuseIfFull = (bytes = 0) => {
    if (queue.length >= limits.queue_items || queue_bytes + bytes > limits.queue_bytes)
      throw options.refusal();
  };

  return {
    refuseIfFull,
    add(item) {
      refuseIfFull(item.bytes);
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        queue_bytes += item.bytes;
        running ??= run();
      });
    },
    async drain() {
      await running;
      await Promise.all(overtaken);
    },
  };
}

/**
 * Half of the items that are about: who was just answered sends again. Were all that wait taken, a large group would follow a small
 * one for ever, and the API would have nothing to do while the large one is written.
 */
function fairShare(waiting_items: number, answered_items: number, limits: CoalescerLimits): number {
  return Math.min(limits.group_items, Math.ceil((waiting_items + answered_items) / 2));
}

/** The oldest items that fit together, at least one; the rest keeps its order. */
function nextGroup<Item extends Coalesced, Result>(
  queue: readonly Waiting<Item, Result>[],
  limits: CoalescerLimits,
): { group: Waiting<Item, Result>[]; rest: Waiting<Item, Result>[]; bytes: number } {
  const group: Waiting<Item, Result>[] = [];
  const rest: Waiting<Item, Result>[] = [];
  const keys = new Set<string>();
  let bytes = 0;
  for (const waiting of queue) {
    const { key, bytes: item_bytes } = waiting.item;
    const is_full =
      group.length === limits.group_items || (bytes > 0 && bytes + item_bytes > limits.group_bytes);
    if (is_full || keys.has(key)) {
      rest.push(waiting);
    } else {
      keys.add(key);
      bytes += item_bytes;
      group.push(waiting);
    }
  }
  return { group, rest, bytes };
}

async function writeGroup<Item, Result>(
  group: readonly Waiting<Item, Result>[],
  options: Options<Item, Result>,
): Promise<void> {
  try {
    const results = await options.write(group.map(({ item }) => item));
    for (const [at, waiting] of group.entries()) waiting.resolve(results[at]!);
  } catch (error) {
    if (group.length > 1 && options.isWorthDividing(error)) {
      const middle = Math.ceil(group.length / 2);
      await writeGroup(group.slice(0, middle), options);
      await writeGroup(group.slice(middle), options);
    } else {
      for (const waiting of group) waiting.reject(error);
    }
  }
}
