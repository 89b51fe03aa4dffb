import { encodeCursor } from '../../api/routing/cursor.ts';
import { createPool } from '../../src/db/connection/pool.ts';
import type { Figure } from '../figure.ts';
import { SECRET, startApi } from '../programs.ts';
import { openPage } from '../size/pages.ts';
import { liveEnvironment, openTable } from '../size/tables.ts';

const LIMIT = 200;

export const deepPage: Figure = {
  kind: 'ratio',
  name: 'T14',
  title: `the last page of 10 million events, ${LIMIT} a page, which is the 50,000th / page 1`,
  unit: 'ms',
  floor: 1.3,
  goal: 1.1,
  async open(place) {
    const table = await openTable(place, 'large');
    const api = await startApi(table);
    const pages = Math.floor(place.events / LIMIT);
    const cursor = await cursorBehind(table.database_url, (pages - 1) * LIMIT);
    place.say(`  page ${pages.toLocaleString('en')} / page 1`);
    const first = `events?limit=${LIMIT}`;
    const deep = `${first}&cursor=${cursor}`;
    return {
      ours: await openPage(api, { path: deep, events: LIMIT }),
      theirs: await openPage(api, { path: first, events: LIMIT }),
    };
  },
};

/** The cursor after the first `events` events, newest first. Counted from the oldest event, which is nearer. */
async function cursorBehind(database_url: string, events: number): Promise<string> {
  const pool = createPool(database_url, 1);
  const environment_id = await liveEnvironment(database_url);
  const { rows } = await pool.query<{ timestamp: string; id: string }>(
    `select timestamp, id from events where environment_id = $1 order by timestamp, id limit 1
     offset (select count(*) from events where environment_id = $1) - $2::bigint`,
    [environment_id, events],
  );
  await pool.end();
  const scope = { caller: { environment_id }, list: 'events', filters: {} };
  return encodeCursor({ secrets: [SECRET] }, scope, `${rows[0]!.timestamp} ${rows[0]!.id}`);
}
