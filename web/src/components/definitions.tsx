import type { ComponentChildren } from 'preact';

/** Names and their values, as in a form that is filled in. What is null, false or undefined shows as a dash. */
export function Definitions({ of: entries }: { of: readonly [name: string, value: ComponentChildren][] }) {
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
