/** How often each situation occurred, as a table. */
export function tallyOf(seen: ReadonlyMap<string, number>): string {
  const rows = [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return rows.map(([situation, times]) => `${`${times}`.padStart(6)}  ${situation}`).join('\n');
}
