import type { EventSource } from '../events/rollup.ts';
import type { Cell } from './event-sources.ts';

/** A cell whose events are judged one by one, and how many judgements that takes: one for each event and charge. */
export type UndecidedCell = Cell & { judgements: number };

/**
 * Cells whose events one statement judges, of a cell that is too large for one those whose id divided by `divisor`
 * leaves `remainder`.
 */
export type JudgedPart = { cells: readonly Cell[]; divisor: number; remainder: number };

/** Divides cells into parts of at most `judgements_max` judgements, because a statement has a time limit. */
export function judgedParts(cells: readonly UndecidedCell[], judgements_max: number): JudgedPart[] {
  const parts: JudgedPart[] = [];
  let together: UndecidedCell[] = [];
  let judgements = 0;
  const end = () => {
    if (together.length > 0) parts.push({ cells: together, divisor: 1, remainder: 0 });
    [together, judgements] = [[], 0];
  };
  for (const cell of cells) {
    const divisor = Math.ceil(cell.judgements / judgements_max);
    if (divisor > 1) {
      for (let remainder = 0; remainder < divisor; remainder++)
        parts.push({ cells: [cell], divisor, remainder });
      continue;
    }
    if (judgements + cell.judgements > judgements_max) end();
    together.push(cell);
    judgements += cell.judgements;
  }
  end();
  return parts;
}

/** The events of a source that are of a part. */
export function eventsOfPart(source: EventSource, { divisor, remainder }: JudgedPart): EventSource {
  if (divisor === 1) return source;
  return (parameter) => `(
    select * from ${source(parameter)} as e where mod(e.id, ${parameter(divisor)}) = ${parameter(remainder)})`;
}
