import type { ComponentChildren } from 'preact';

/** A list of names and values. A value that is null or undefined shows as a dash. */
export function Definitions({ entries }: { entries: readonly [name: string, value: ComponentChildren][] }) {
  return (
    <dl class="definitions">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? <span class="faint">–</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
