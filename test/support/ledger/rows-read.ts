import type { Db } from '../../../src/db/connection/pool.ts';

/** Sends statements to `to`, and keeps the number of rows of each result. */
export function countingRows(to: Db): { db: Db; rows: number[] } {
  const rows: number[] = [];
  const query = async (text: string, values: unknown[]) => {
    const result = await to.query(text, values);
    rows.push(result.rows.length);
    return result;
  };
  return { db: { query: query as Db['query'] }, rows };
}
