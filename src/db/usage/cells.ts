import type { Charge } from '../../domain/charge.ts';
import { type Cell, dimensionsOf, type Values } from '../../domain/series.ts';
import { createParameters, type Parameter } from '../parameters.ts';
import type { Db } from '../pool.ts';
import { aggregateOf, heldEvents, type HeldEvents } from './usage.ts';

type Held = HeldEvents & { charge: Charge };

/** SQL: the values of a charge's dimensions in the event `e`, a JSON object. */
function valuesOf(charge: Charge, parameter: Parameter): string {
  const members = dimensionsOf(charge).map((name) => {
    const property = `${parameter(name)}::text`;
    return `${property}, dimension_value(e.properties -> ${property})`;
  });
  return `jsonb_build_object(${members.join(', ')})`;
}

/** Totals of the events in the spans by the values of the charge's dimensions; reads every event once. */
export async function readCells(db: Db, held: Held): Promise<Cell[]> {
  const { values, parameter } = createParameters();
  const { aggregation } = held.charge;
  const { value } = aggregateOf(aggregation, parameter);
  const is_number = aggregation.type === 'sum' || aggregation.type === 'max';
  const { rows } = await db.query<Cell>(
    `select cell."values", count(*)::text as events,
       ${value === null ? '0' : `(count(*) filter (where value is null))::integer`} as skipped_events,
       ${is_number ? 'trim_scale(sum(value))::text' : 'null'} as total,
       ${is_number ? 'trim_scale(max(value))::text' : 'null'} as maximum
     ${heldEvents(held, parameter)}
     cross join lateral (select ${valuesOf(held.charge, parameter)} as "values", ${value ?? 'null'} as value offset 0) as cell
     group by cell."values"`,
    values,
  );
  return rows;
}

/** A set of cells whose events are counted together. */
export type CellSet = { key: string; cells: readonly { values: Values }[] };

export type CountedSet = { key: string; quantity: string; skipped_events: number };

/** The quantity of each set of cells, for aggregations whose parts do not add up: reads every event once more. */
export async function countSets(db: Db, held: Held, sets: readonly CellSet[]): Promise<CountedSet[]> {
  if (sets.length === 0) return [];
  const { values, parameter } = createParameters();
  const { quantity, value } = aggregateOf(held.charge.aggregation, parameter);
  const rows = sets.flatMap(({ key, cells }) => cells.map((cell) => ({ key, values: cell.values })));
  const { rows: counted } = await db.query<CountedSet>(
    `with cell as materialized (
       select * from jsonb_to_recordset(${parameter(JSON.stringify(rows))}) as cell(key text, "values" jsonb)
     )
     select cell.key, trim_scale(greatest(coalesce((${quantity})::numeric, 0), 0))::text as quantity,
       (count(*) filter (where (${value ?? '0'}) is null))::integer as skipped_events
     ${heldEvents(held, parameter)}
     join cell on cell."values" = ${valuesOf(held.charge, parameter)}
     group by cell.key`,
    values,
  );
  return counted;
}
