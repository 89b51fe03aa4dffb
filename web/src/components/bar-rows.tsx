import type { ComponentChildren } from 'preact';
import { ChartFrame } from './chart.tsx';

/** A bar beside a line for zero, of either sign: what it is of, its value as text, and words below it. */
export type RowBar = {
  key: string;
  label: ComponentChildren;
  value: string;
  shown: ComponentChildren;
  note: string;
};

type BarRowsProps = {
  title: string;
  bars: readonly RowBar[];
  /** A table of the same numbers. */
  table: ComponentChildren;
};

/** A bar chart whose bars are below each other, for labels that are too long to stand below a bar. */
export function BarRows({ title, bars, table }: BarRowsProps) {
  // Only drawn, so they may be JavaScript numbers.
  const values = bars.map(({ value }) => Number(value));
  const [least, greatest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const percentOf = (value: number) => ((value - least) / (greatest - least || 1)) * 100;
  return (
    <ChartFrame table={table}>
      <ul class="bar-rows" aria-label={title}>
        {bars.map(({ key, label, value, shown, note }) => {
          const [from, to] = [Math.min(0, Number(value)), Math.max(0, Number(value))].map(percentOf);
          return (
            <li key={key}>
              <p class="line">
                <span class="line-words">{label}</span>
                {shown}
              </p>
              <svg class="bar-row" width="100%" height="12" aria-hidden="true">
                <rect class="bar-mark" x={`${from}%`} width={`${to! - from!}%`} y="2" height="8" />
                <line x1={`${percentOf(0)}%`} x2={`${percentOf(0)}%`} y1="0" y2="12" />
              </svg>
              <p class="faint">{note}</p>
            </li>
          );
        })}
      </ul>
    </ChartFrame>
  );
}
