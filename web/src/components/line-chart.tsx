import { axisLabel, axisOf, Chart, Gridlines, placeOn, type Area } from './chart.tsx';
import { Table } from './table.tsx';
import { grouped } from './grouped.ts';
import { Quantity } from './values.tsx';

/**
 * A point; both values as the API sent them, points in ascending order of x. An unmarked point is only a bend of the
 * line.
 */
export type Point = { x: string; y: string; is_unmarked?: boolean };

type LineChartProps = {
  title: string;
  /** Column headings, also the units of the axes: horizontal and vertical. */
  x_label: string;
  y_label: string;
  points: readonly Point[];
};

/** A line chart with the same numbers as a table. */
export function LineChart({ title, x_label, y_label, points }: LineChartProps) {
  const table = (
    <Table
      caption={title}
      keyOf={(point) => point.x}
      items={points}
      columns={[
        { title: x_label, show: ({ x }) => <Quantity value={x} />, is_number: true },
        { title: y_label, show: ({ y }) => <Quantity value={y} />, is_number: true },
      ]}
    />
  );
  const draw = (area: Area) => <Line area={area} points={points} x_label={x_label} y_label={y_label} />;
  return <Chart title={title} table={table} draw={draw} />;
}

/** Coordinates are only drawn, so they may be JavaScript numbers; the printed values stay text. */
function Line({ area, points, x_label, y_label }: Omit<LineChartProps, 'title'> & { area: Area }) {
  const x_end = Math.max(0, ...points.map(({ x }) => Number(x))) || 1;
  const axis = axisOf(points.map(({ y }) => Number(y)));
  const placed = points.map((point) => ({
    ...point,
    left: area.left + (Number(point.x) / x_end) * (area.width - area.left - 6),
    top: placeOn(axis, area, Number(point.y)),
  }));
  return (
    <>
      <Gridlines area={area} axis={axis} />
      <polyline class="line-mark" points={placed.map(({ left, top }) => `${left},${top}`).join(' ')} />
      {placed.map(({ x, y, left, top, is_unmarked = false }) => (
        <g key={x} class="point">
          <title>{`${grouped(x)} ${x_label}: ${grouped(y)} ${y_label}`}</title>
          <circle class="point-hit" cx={left} cy={top} r={8} />
          {!is_unmarked && <circle class="point-mark" cx={left} cy={top} r={2.5} />}
        </g>
      ))}
      <g class="axis">
        <text x={area.left} y={area.height - 6}>
          0
        </text>
        <text x={area.width} y={area.height - 6} text-anchor="end">
          {axisLabel(x_end)} {x_label}
        </text>
      </g>
    </>
  );
}
