/** A field whose value differs, as text: of a list or an object its JSON. Null: it is missing there. */
export type FieldChange = { field: string; current: string | null; proposed: string | null };

/**
 * The fields, named as in errors (`charges[0].tiers[1].up_to`), in which two values of JSON differ. The order of the
 * members of an object does not count; lists are compared place by place.
 */
export function differencesOf(current: unknown, proposed: unknown, field = ''): FieldChange[] {
  const [before, after] = [membersOf(current), membersOf(proposed)];
  if (before === null || after === null || Array.isArray(current) !== Array.isArray(proposed))
    return changeOf(field, current ?? null, proposed ?? null);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const path = (name: string) => {
    if (Array.isArray(current)) return `${field}[${name}]`;
    return field === '' ? name : `${field}.${name}`;
  };
  return names.flatMap((name) => differencesOf(before.get(name), after.get(name), path(name)));
}

function membersOf(value: unknown): Map<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
}

function changeOf(field: string, current: unknown, proposed: unknown): FieldChange[] {
  if (JSON.stringify(current) === JSON.stringify(proposed)) return [];
  const [before, after] = [textOf(current), textOf(proposed)];
  // The text "5" and the number 5.
  if (before === after)
    return [{ field, current: JSON.stringify(current), proposed: JSON.stringify(proposed) }];
  return [{ field, current: before, proposed: after }];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || value === null ? value : JSON.stringify(value);
}
