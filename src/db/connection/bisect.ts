/**
 * Works on parts of a list: the whole, and where `tryPart` returns a failure, its halves. One item that fails, or a
 * part that fails after `divisions_max` divisions, goes to `giveUp`.
 */
export async function bisect<Item>(
  items: readonly Item[],
  work: {
    divisions_max: number;
    tryPart: (items: readonly Item[]) => Promise<Error | null>;
    giveUp: (items: readonly Item[], failure: Error) => Promise<void>;
  },
): Promise<void> {
  const parts = items.length === 0 ? [] : [items];
  let divisions_left = work.divisions_max;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const failure = await work.tryPart(part);
    if (failure === null) continue;
    if (part.length === 1 || divisions_left === 0) {
      await work.giveUp(part, failure);
      continue;
    }
    divisions_left--;
    const middle = Math.ceil(part.length / 2);
    parts.push(part.slice(middle), part.slice(0, middle));
  }
}
