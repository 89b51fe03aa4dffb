import { Counter, type Registry } from 'prom-client';

/** A counter of what happens at every request. `labels` are the values of its labels, in the order of their names. */
export type Tally = { add: (count: number, ...labels: readonly string[]) => void };

/** Counts by itself and tells prom-client when it is asked: that sorts and joins the labels of each single count anew. */
export function createTally(counter: {
  name: string;
  help: string;
  label_names: readonly string[];
  registry: Registry;
}): Tally {
  const { name, help, label_names, registry } = counter;
  const counts = new Map<string, { labels: Record<string, string>; count: number }>();
  new Counter({
    name,
    help,
    labelNames: label_names,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count } of counts.values()) this.inc(labels, count);
    },
  });
  return {
    add(count, ...values) {
      const key = values.join(' ');
      const known = counts.get(key);
      if (known !== undefined) return void (known.count += count);
      const labels = Object.fromEntries(label_names.map((label, at) => [label, values[at]!]));
      counts.set(key, { labels, count });
    },
  };
}
