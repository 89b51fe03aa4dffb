import { newKey } from './draft-parts.ts';

/** A property and the values that it may have, one in a line. */
export type DraftCondition = { key: number; property: string; values: string };

export function newCondition(): DraftCondition {
  return { key: newKey(), property: '', values: '' };
}

/** The values of each property, as they are sent. A property that is written twice may have the values of both. */
export function sentConditions(conditions: readonly DraftCondition[]): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const condition of conditions) {
    const property = condition.property.trim();
    values.set(property, [...(values.get(property) ?? []), ...valuesIn(condition.values)]);
  }
  return Object.fromEntries(values);
}

/** Values are compared as text, so that a number need not be one here. */
function valuesIn(lines: string): string[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
