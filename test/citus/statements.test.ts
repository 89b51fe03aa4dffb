import assert from 'node:assert/strict';
import pg from 'pg';
import { BUILD_LIMIT_MS, findCitus, startCitus } from '../support/citus/citus-cluster.ts';
import {
  isAfterAllTests,
  NAMES_EVENTS,
  sentStatements,
  type SentStatement,
} from '../support/citus/sent-statements.ts';
import { fragmentsThat, isIn, sizeOf } from '../support/sources/event-fragments.ts';
import { textOf } from '../support/sources/sources.ts';
import { ofServerBesideEvents } from './beside-events.ts';

/** Functions that store events: the clock is read beside common tables and arrays alone, so that the coordinator reads it. */
const STORING = ['src/db/events/events.ts insert', 'src/db/events/new-batch.ts lookUp'];

/** SQLSTATEs of values that the rows of this database refuse: the statement was planned, and ran so far. */
const OF_ROWS = /^(?:22|23|TM)/;

/** A statement that is not as it should be: the function that sends it, and why. */
type Fault = { place: string; says: string; text: string };

describe('the statements of src/db that name events', () => {
  const fragments = fragmentsThat(NAMES_EVENTS);
  let statements: SentStatement[];

  /** The function that sends a statement, and the other file that has the longest part of it. */
  const placeOf = ({ place, text }: SentStatement) => {
    const [longest] = fragments
      .filter((fragment) => isIn(text, fragment))
      .sort((a, b) => sizeOf(b) - sizeOf(a));
    return longest === undefined || place.startsWith(longest.file) ? place : `${place}, ${longest.file}`;
  };

  const assertNone = (faults: readonly Fault[]) =>
    assert.ok(
      faults.length === 0,
      faults.map(({ place, says, text }) => `${place}: ${says}\n${text}`).join('\n\n'),
    );

  // In `npm test` what all tests have sent, else what the files before this one have.
  before(function () {
    statements = sentStatements().map((statement) => ({ ...statement, place: placeOf(statement) }));
    if (statements.length > 0) return;
    console.log(
      'No statement was sent; name tests before these: npm test -- test/db test/archive test/citus',
    );
    this.skip();
  });

  it('are all sent by some test', function () {
    if (!isAfterAllTests()) return this.skip();
    assert.ok(fragments.length > 50, `${fragments.length} fragments`);
    const unsent = fragments.filter((fragment) => !statements.some(({ text }) => isIn(text, fragment)));
    assert.deepEqual(unsent, []);
  });

  it('read no clock and no transaction beside events, which a node would read', () => {
    const reading = statements.flatMap(({ place, text }) => {
      const sql = ofServerBesideEvents(text);
      return sql === null || STORING.includes(place) ? [] : [{ place, says: `reads ${sql}`, text }];
    });
    assertNone(reading);
  });

  describe('on one server with Citus', () => {
    let client: pg.Client;

    before(async function () {
      this.timeout(BUILD_LIMIT_MS);
      const programs = await findCitus();
      if ('lacking' in programs) {
        console.log(programs.lacking);
        return this.skip();
      }
      const { url } = await startCitus(programs.folder, 0);
      client = new pg.Client({ connectionString: url, options: '-c statement_timeout=10000' });
      await client.connect();
    });
    after(() => client?.end());

    it('are planned and run', async () => {
      const refused: Fault[] = [];
      for (const { place, text, values } of statements) {
        const says = await refusalOf(client, text, values);
        if (says !== null) refused.push({ place, says, text });
      }
      assertNone(refused);
    });
  });
});

describe('the functions of the database that name events', () => {
  it('read no clock and no transaction beside them', () => {
    const reading = textOf('docs/schema.sql')
      .split(';')
      .filter((statement) => ofServerBesideEvents(statement) !== null)
      .map((statement) => /function (\w+)/.exec(statement)?.[1] ?? statement);
    assert.deepEqual(reading, []);
  });
});

/** The error of the server if it refuses to plan or to run the statement, whose effects are rolled back; else null. */
async function refusalOf(client: pg.Client, text: string, values: unknown[]): Promise<string | null> {
  await client.query('begin');
  try {
    await client.query(text, values);
    return null;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return OF_ROWS.test(error.code ?? '')
      ? null
      : [error.code, error.message, error.detail ?? ''].join(' ').trim();
  } finally {
    await client.query('rollback');
  }
}
