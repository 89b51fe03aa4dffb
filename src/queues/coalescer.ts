import { setImmediate as turn } from 'node:timers/promises';
import { isStillRunning } from '../process/still-running.ts';

export type CoalescerLimits = {
  group_items: number;
  group_bytes: number;
  queue_items: number;
  queue_bytes: number;
  /**
   * A group that takes longer than `overtaken_ms` is overtaken: the next one starts beside it. At most `overtaken_max`
   * at a time.
   */
  overtaken_ms: number;
  overtaken_max: number;
};

export type Coalescer<Item, Result> = {
  /** Queues an item. Resolves with its result once its group is written. Throws the refusal if the queue is full. */
  add: (item: Item) => Promise<Result>;
  /** Throws the refusal if the queue is full. Call it before reading an item. */
  refuseIfFull: () => void;
  /** How many items wait for their group. */
  waiting: () => number;
  /** Resolves when the queue is empty and every group is written. */
  drain: () => Promise<void>;
};

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

type Parts<Item> = readonly (readonly Item[])[];

type Options<Item, Result> = {
  /** Two items with the same key never share a group. */
  keyOf: (item: Item) => string;
  /** Approximate memory of an item. */
  bytesOf: (item: Item) => number;
  write: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The parts of a group to write by themselves after it failed as a whole; a single part fails with its error. */
  divide: (items: readonly Item[], error: unknown) => Promise<Parts<Item>> | Parts<Item>;
  limits: CoalescerLimits;
  /** Makes the error for an item that finds the queue full. */
  refusal: () => Error;
};

/**
 * Group commit: collects items that arrive one by one and writes them in groups. There is no timer: groups grow with
 * the load (groupSizeOf), and a lone item is written at once. If a group fails, the coalescer writes the parts into
 * which `divide` divides it instead, down to the item that fails alone.
 */
export function createCoalescer<Item, Result>(options: Options<Item, Result>): Coalescer<Item, Result> {
  const { limits } = options;
  let queue: Waiting<Item, Result>[] = [];
  let queue_bytes = 0;
  let running: Promise<void> | null = null;
  /** Groups that were overtaken and are still being written. */
  const overtaken = new Set<Promise<void>>();

  async function run(): Promise<void> {
    // The first group takes all items that arrive in this turn of the event loop.
    await turn();
    let answered_items = Infinity;
    while (queue.length > 0) {
      const group_items = groupSizeOf(queue.length, answered_items, limits);
      const { group, rest, bytes } = nextGroup(queue, options, group_items);
      answered_items = group.length;
      queue = rest;
      queue_bytes -= bytes;
      const writing = writeGroup(group, options);
      if (overtaken.size < limits.overtaken_max && (await isStillRunning(writing, limits.overtaken_ms))) {
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
      const bytes = options.bytesOf(item);
      refuseIfFull(bytes);
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        queue_bytes += bytes;
        running ??= run();
      });
    },
    waiting: () => queue.length,
    async drain() {
      await running;
      await Promise.all(overtaken);
    },
  };
}

/**
 * Takes half of (waiting + just answered), because answered clients send again at once. If it took all that wait, large
 * and small groups would alternate for ever, and the API would be idle while a large one is written.
 */
function groupSizeOf(waiting_items: number, answered_items: number, limits: CoalescerLimits): number {
  return Math.min(limits.group_items, Math.ceil((waiting_items + answered_items) / 2));
}

/**
 * Splits the queue into the next group, the oldest items that fit together and at least one, and the rest in its order.
 */
function nextGroup<Item, Result>(
  queue: readonly Waiting<Item, Result>[],
  { keyOf, bytesOf, limits }: Options<Item, Result>,
  group_items: number,
): { group: Waiting<Item, Result>[]; rest: Waiting<Item, Result>[]; bytes: number } {
  const group: Waiting<Item, Result>[] = [];
  const rest: Waiting<Item, Result>[] = [];
  const keys = new Set<string>();
  let bytes = 0;
  for (const waiting of queue) {
    const key = keyOf(waiting.item);
    const item_bytes = bytesOf(waiting.item);
    const is_full = group.length === group_items || (bytes > 0 && bytes + item_bytes > limits.group_bytes);
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
  const items = group.map(({ item }) => item);
  try {
    const results = await options.write(items);
    for (const [at, waiting] of group.entries()) waiting.resolve(results[at]!);
  } catch (error) {
    const parts = group.length === 1 ? [] : await options.divide(items, error);
    if (parts.length < 2) return group.forEach(({ reject }) => reject(error));
    const waiting_of = new Map(group.map((waiting) => [waiting.item, waiting]));
    for (const part of parts)
      await writeGroup(
        part.map((item) => waiting_of.get(item)!),
        options,
      );
  }
}

/** Both halves of a group in which a single item may be the cause of the failure. */
export function halvesOf<Item>(items: readonly Item[]): Parts<Item> {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}
