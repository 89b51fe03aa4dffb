import assert from 'node:assert/strict';
import pg from 'pg';
import { createDatabase } from '../support/servers/cluster.ts';
import { isOfCitus, typedStatements, wrongStatements } from '../support/sources/described-statements.ts';

/** Minimum number of statements whose text is known without running them. */
const LEAST = 100;

describe('the statements of src/db that assert the type of their rows', function () {
  let client: pg.Client;
  before(async () => {
    client = new pg.Client(await createDatabase());
    await client.connect();
  });
  after(() => client.end());

  it('match the schema, and return the columns that the type names', async () => {
    const statements = typedStatements().filter((statement) => !isOfCitus(statement));
    const constant = statements.flatMap(({ text, ...rest }) => (text === null ? [] : [{ ...rest, text }]));
    // The other statements are composed at run time.
    assert.ok(constant.length >= LEAST, `${constant.length} of ${statements.length}`);
    assert.deepEqual(await wrongStatements(client, constant), []);
  });
});
