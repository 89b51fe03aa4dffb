import { axisEnd, Chart, Gridlines, type Area } from './chart.tsx';
import { Table } from './table.tsx';
import { Quantity, grouped } from './values.tsx';

/** A bar: its label, and its value as the API sent it. */
export type Bar = { label: string; value: string };

type BarChartProps = {
  title: string;
  /** Column heading of the values. */
  unit: string;
  /** Column heading of the labels. */
  label: string;
  bars: readonly Bar[];
};

/** A bar chart with the same numbers as a table. */
export function BarChart({ title, unit, label, bars }: BarChartProps) {
  const table = (
    <Table
      caption={title}
      keyOf={(bar) => bar.label}
      items={bars}
      columns={[
        { title: label, show: (bar) => bar.label },
        { title: unit, show: (bar) => <Quantity value={bar.value} />, is_number: true },
      ]}
    />
  );
  return <Chart title={title} table={table} draw={(area) => <Bars area={area} bars={bars} unit={unit} />} />;
}

/** Heights are only drawn, so they may be JavaScript numbers; the printed values stay text. */
function Bars({ area, bars, unit }: { area: Area; bars: readonly Bar[]; unit: string }) {
  const end = axisEnd(Math.max(0, ...bars.map(({ value }) => Number(value))));
  const step = (area.width - area.left) / Math.max(1, bars.length);
  const gap = Math.min(4, step * 0.2);
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <>
      <Gridlines area={area} end={end} />
      {bars.map(({ label, value }, index) => {
        const height = (Number(value) / end) * (area.bottom - area.top);
        const x = area.left + index * step;
        return (
          <g key={label} class="bar">
            <title>{`${label}: ${grouped(value)} ${unit}`}</title>
            <rect class="bar-hit" x={x} y={area.top} width={step} height={area.bottom - area.top} />
            <rect
              class="bar-mark"
              x={x + gap / 2}
              y={area.bottom - height}
              width={step - gap}
              height={height}
            />
          </g>
        );
      })}
      <g class="axis">
        <text x={area.left} y={area.height - 6}>
          {first?.label}
        </text>
        <text x={area.width} y={area.height - 6} text-anchor="end">
          {bars.length > 1 ? last?.label : ''}
        </text>
      </g>
    </>
  );
}
