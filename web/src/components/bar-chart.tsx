import type { ComponentChildren } from 'preact';
import { axisOf, Chart, Gridlines, placeOn, type Area } from './chart.tsx';
import { Table, type Column } from './table.tsx';
import { grouped } from './grouped.ts';
import { Quantity } from './values.tsx';

/**
 * A bar: its label, and its value as the API sent it, of either sign; `above` is a second value on top of one that is
 * not below zero.
 */
export type Bar = { label: string; value: string; above?: string; href?: string };

type BarChartProps = {
  title: string;
  /** Column heading of the values. */
  unit: string;
  /** Column heading of the labels. */
  label: string;
  bars: readonly Bar[];
  /** Column heading of the values on top; absent where bars have none. */
  above?: string;
  /** The page has a table of the bars. */
  has_table?: boolean;
};

/** A bar chart with the same numbers as a table. */
export function BarChart({ title, unit, label, bars, above, has_table = false }: BarChartProps) {
  const columns: Column<Bar>[] = [
    {
      title: label,
      show: (bar) => (bar.href === undefined ? bar.label : <a href={bar.href}>{bar.label}</a>),
    },
    { title: unit, show: (bar) => <Quantity value={bar.value} />, is_number: true },
  ];
  if (above !== undefined)
    columns.push({ title: above, show: (bar) => <Quantity value={bar.above ?? '0'} />, is_number: true });
  const table = <Table caption={title} keyOf={(bar) => bar.label} items={bars} columns={columns} />;
  const draw = (area: Area) => <Bars area={area} bars={bars} unit={unit} above={above} />;
  const has_links = bars.some(({ href }) => href !== undefined);
  return <Chart title={title} table={has_table ? null : table} draw={draw} has_links={has_links} />;
}

type BarsProps = Pick<BarChartProps, 'bars' | 'unit'> & { area: Area; above: string | undefined };

/** Widths of letters in pixels, about: where labels are drawn below their bars. */
const LETTER = 8;

/** Heights are only drawn, so they may be JavaScript numbers; the printed values stay text. */
function Bars({ area, bars, unit, above }: BarsProps) {
  const axis = axisOf(bars.map((bar) => Number(bar.value) + Number(bar.above ?? 0)));
  const step = (area.width - area.left) / Math.max(1, bars.length);
  const gap = Math.min(4, step * 0.2);
  const placeOf = (value: number) => placeOn(axis, area, value);
  return (
    <>
      <Gridlines area={area} axis={axis} />
      {bars.map((bar, index) => {
        const [value, on_top] = [Number(bar.value), Number(bar.above ?? 0)];
        const mark = { x: area.left + index * step + gap / 2, width: step - gap };
        const [zero, end, top] = [0, value, value + on_top].map(placeOf);
        return (
          <BarLink key={bar.label} bar={bar}>
            <title>{wordsOf(bar, unit, above)}</title>
            <rect
              class="bar-hit"
              x={area.left + index * step}
              y={area.top}
              width={step}
              height={area.bottom - area.top}
            />
            <rect class="bar-mark" {...mark} y={Math.min(zero!, end!)} height={Math.abs(end! - zero!)} />
            <rect class="bar-above" {...mark} y={top} height={end! - top!} />
          </BarLink>
        );
      })}
      <AxisLabels area={area} bars={bars} step={step} />
    </>
  );
}

function BarLink({ bar: { href }, children }: { bar: Bar; children: ComponentChildren }) {
  if (href === undefined) return <g class="bar">{children}</g>;
  return (
    <a class="bar" href={href}>
      {children}
    </a>
  );
}

function wordsOf(
  { label, value, above: on_top = '0' }: Bar,
  unit: string,
  above: string | undefined,
): string {
  const words = `${label}: ${grouped(value)} ${unit}`;
  return above === undefined ? words : `${words}, ${grouped(on_top)} ${above}`;
}

/** All labels where they have room, else the first and the last. */
function AxisLabels({ area, bars, step }: { area: Area; bars: readonly Bar[]; step: number }) {
  const y = area.height - 6;
  const has_room = bars.every(({ label }) => label.length * LETTER < step);
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <g class="axis">
      {has_room ? (
        bars.map(({ label }, index) => (
          <text key={label} x={area.left + (index + 0.5) * step} y={y} text-anchor="middle">
            {label}
          </text>
        ))
      ) : (
        <>
          <text x={area.left} y={y}>
            {first?.label}
          </text>
          <text x={area.width} y={y} text-anchor="end">
            {bars.length > 1 ? last?.label : ''}
          </text>
        </>
      )}
    </g>
  );
}
