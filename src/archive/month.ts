/** The first instants of a month (UTC), `2024-12`, and of the next one. */
export function monthRange(month: string): { from: string; to: string } {
  const [year, number] = month.split('-').map(Number);
  const firstOf = (months: number) => new Date(Date.UTC(year!, months)).toISOString();
  return { from: firstOf(number! - 1), to: firstOf(number!) };
}
