import assert from 'node:assert/strict';
import { ofServerBesideEvents } from './beside-events.ts';

describe('SQL that gives the clock or the transaction of a server', () => {
  const READ = `read as materialized (select * from events e where (e.customer_key) = any($1))`;
  const CASES: [statement: string, found: string | null][] = [
    ['select from events e where e.created_at < now()', 'now()'],
    ['insert into event_keys select $1, pg_current_xact_id()', 'pg_current_xact_id()'],
    ['with read as (select * from events e) select now() from read', 'now()'],
    ['select from epochs where rolled_up_to < pg_snapshot_xmin(pg_current_snapshot())', null],
    [`with ${READ} select now() from read`, null],
    [`with ${READ} select from read join events e on e.created_at < now()`, 'now()'],
    ['with read as materialized (select now() from events) select from read', 'now()'],
    ['with events as materialized (select * from events e) select now() from events e', null],
    ['with events as materialized (select now() from events e) select from events e', 'now()'],
    ['select to_timestamp($1) from events', null],
  ];

  for (const [statement, found] of CASES)
    it(`${found === null ? 'is not' : 'is'} beside events: ${statement}`, () => {
      assert.equal(ofServerBesideEvents(statement), found);
    });
});
