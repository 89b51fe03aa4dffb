import { changedBy, type ChangedObject, type RowChange } from './change-types.ts';

/** A row of the log: `xid` is its transaction, `noted_at` the real time of the change. */
export type LoggedChange = RowChange & {
  environment_id: number;
  xid: string;
  actor: string | null;
  noted_at: string;
};

/** A change to be numbered: `type` with the object's name before it. */
export type NewChange = {
  environment_id: number;
  xid: string;
  type: string;
  object_type: ChangedObject;
  object_id: string;
  actor: string | null;
  created_at: string;
  /** The row after the change; of a deletion the last one. */
  row: Readonly<Record<string, unknown>>;
};

/**
 * The changes of rows of the log, in their order, which is the order of transactions. Of one transaction and object
 * each type stands once, at its first row; `updated` only alone (docs/changes.md).
 */
export function changesOf(rows: readonly LoggedChange[]): NewChange[] {
  const told = new Map<string, NewChange>();
  const objects = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const { object_type, object_id, part, types } of changedBy(row)) {
      const object = JSON.stringify([row.environment_id, row.xid, object_type, object_id, part]);
      for (const type of types) {
        objects.set(object, (objects.get(object) ?? new Set()).add(type));
        const key = `${object} ${type}`;
        if (!told.has(key)) told.set(key, changeOf(row, { object_type, object_id, type }));
      }
    }
  }
  const isSaidBesides = (key: string) =>
    key.endsWith(' updated') && objects.get(key.slice(0, -' updated'.length))!.size > 1;
  return [...told].filter(([key]) => !isSaidBesides(key)).map(([, change]) => change);
}

function changeOf(
  { environment_id, xid, actor, noted_at, before, after }: LoggedChange,
  { object_type, object_id, type }: { object_type: ChangedObject; object_id: string; type: string },
): NewChange {
  return {
    environment_id,
    xid,
    type: `${object_type}.${type}`,
    object_type,
    object_id,
    actor,
    created_at: noted_at,
    row: (after ?? before)!,
  };
}
