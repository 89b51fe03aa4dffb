import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { grouped } from './grouped.ts';

/** The drawing area in pixels. The width is measured, so that text has the same size on every screen. */
export type Area = { width: number; height: number; left: number; bottom: number; top: number };

type ChartProps = {
  title: string;
  /** The chart's numbers as a table, for readers who cannot see the drawing or want exact values; null: beside it. */
  table: ComponentChildren | null;
  draw: (area: Area) => ComponentChildren;
  /** The drawing has links, which an image must not have. */
  has_links?: boolean;
};

const HEIGHT = 200;

/** A drawing in a measured area, and its numbers as a table to open. */
export function Chart({ title, table, draw, has_links = false }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const area: Area = { width, height: HEIGHT, left: 56, bottom: HEIGHT - 24, top: 12 };
  return (
    <ChartFrame table={table}>
      <div ref={box}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            role={has_links ? 'group' : 'img'}
            aria-label={`${title}. The numbers are in the table below.`}
          >
            {draw(area)}
          </svg>
        )}
      </div>
    </ChartFrame>
  );
}

type ChartFrameProps = { table: ComponentChildren | null; children: ComponentChildren };

/** The frame of every chart: a drawing, and its numbers as a table to open. */
export function ChartFrame({ table, children }: ChartFrameProps) {
  return (
    <figure class="chart">
      {children}
      {table !== null && (
        <details>
          <summary>The numbers as a table</summary>
          {table}
        </details>
      )}
    </figure>
  );
}

function useWidth(box: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

/**
 * End of an axis that starts at zero: the smallest 1, 2 or 5 times a power of ten that is not below the greatest value.
 */
function axisEnd(greatest: number): number {
  if (!(greatest > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(greatest));
  return ([1, 2, 5, 10].find((step) => step * power >= greatest) ?? 10) * power;
}

/** The values at the two ends of an axis that has zero: `least` is below it if a value is. */
type Axis = { least: number; end: number };

/** The axis that holds some values. */
export function axisOf(values: readonly number[]): Axis {
  const [lowest, greatest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const least = lowest < 0 ? -axisEnd(-lowest) : 0;
  return { least, end: greatest > 0 || least === 0 ? axisEnd(greatest) : 0 };
}

/** How far down a value is drawn. */
export function placeOn({ least, end }: Axis, { bottom, top }: Area, value: number): number {
  return bottom - ((value - least) / (end - least)) * (bottom - top);
}

/** Pixels between two lines, at least, so that their labels do not touch. */
const LINE_DISTANCE = 14;

/** Horizontal lines at zero, the ends of the axis and half of each, with their values. */
export function Gridlines({ area, axis }: { area: Area; axis: Axis }) {
  const { least, end } = axis;
  const lines: { value: number; y: number }[] = [];
  for (const value of [0, end, least, end / 2, least / 2]) {
    const y = placeOn(axis, area, value);
    if (lines.every((line) => Math.abs(line.y - y) >= LINE_DISTANCE)) lines.push({ value, y });
  }
  return (
    <g class="grid">
      {lines.map(({ value, y }) => (
        <g key={value}>
          <line x1={area.left} x2={area.width} y1={y} y2={y} />
          <text x={area.left - 8} y={y + 4} text-anchor="end">
            {axisLabel(value)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** A round value of an axis as text, such as 1.5k for 1500. Only drawn, so it may be a JavaScript number. */
export function axisLabel(value: number): string {
  if (Math.abs(value) < 10_000) return grouped(String(Number(value.toPrecision(3))));
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }).format(value);
}
