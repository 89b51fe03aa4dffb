import type { PageOfRows } from '../routing/list.ts';

/** The most rows of a page of a list: statements are planned for that. */
const PAGE_ROWS = 200;

/**
 * All pages of a list, each after the last row of the page before. Nothing is held between two pages: no connection and
 * no snapshot.
 */
export async function* pagesAfter<Row>(
  page_rows: number,
  fetch: (after: Row | null) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: Row | null = null;
  for (;;) {
    const rows: Row[] = await fetch(after);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < page_rows) return;
    after = last;
  }
}

/** All pages of a list in the descending order of ids, as listResponse fetches them. */
export function pagesById<Row extends { id: string }>(
  fetch: (page: PageOfRows) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  return pagesAfter<Row>(PAGE_ROWS, (last) => fetch({ before: last?.id ?? null, limit: PAGE_ROWS }));
}

/** Pages with other rows in place of each row: the lines of an invoice, the movements of a grant. */
export async function* flattened<Row, Part>(
  pages: AsyncIterable<readonly Row[]>,
  partsOf: (row: Row) => readonly Part[],
): AsyncGenerator<Part[]> {
  for await (const page of pages) yield page.flatMap(partsOf);
}
