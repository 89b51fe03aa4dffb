import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { grouped } from './values.tsx';

/** Where a chart draws, in pixels: text keeps its size on every screen, so the width is measured. */
export type Area = { width: number; height: number; left: number; bottom: number; top: number };

type ChartProps = {
  title: string;
  /** The same numbers as a table, for who cannot see the drawing or wants them exactly. */
  table: ComponentChildren;
  draw: (area: Area) => ComponentChildren;
};

const HEIGHT = 200;

/** A drawing with its numbers behind it. */
export function Chart({ title, table, draw }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const area: Area = { width, height: HEIGHT, left: 56, bottom: HEIGHT - 24, top: 12 };
  return (
    <figure class="chart">
      <div ref={box}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            role="img"
            aria-label={`${title}. The numbers are in the table below.`}
          >
            {draw(area)}
          </svg>
        )}
      </div>
      <details>
        <summary>The numbers as a table</summary>
        {table}
      </details>
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

/** The end of an axis from zero: the least of 1, 2 or 5 times a power of ten that holds the greatest value. */
export function axisEnd(greatest: number): number {
  if (!(greatest > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(greatest));
  return ([1, 2, 5, 10].find((step) => step * power >= greatest) ?? 10) * power;
}

/** Lines across, at none, half and the whole of the axis, with their values. */
export function Gridlines({ area: { width, left, bottom, top }, end }: { area: Area; end: number }) {
  return (
    <g class="grid">
      {[0, 0.5, 1].map((share) => {
        const y = bottom - share * (bottom - top);
        return (
          <g key={share}>
            <line x1={left} x2={width} y1={y} y2={y} />
            <text x={left - 8} y={y + 4} text-anchor="end">
              {axisLabel(end * share)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** A round value of an axis, which is exact enough to be a number: 1500 is 1.5k. */
export function axisLabel(value: number): string {
  if (value < 10_000) return grouped(String(Number(value.toPrecision(3))));
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }).format(value);
}
