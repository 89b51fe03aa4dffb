import assert from 'node:assert/strict';
import pg from 'pg';
import { createDatabase } from '../support/servers/cluster.ts';
import { typedStatements } from '../support/sources/described-statements.ts';

/** Minimum number of statements whose text is known without running them. */
const LEAST = 100;

/** Column names of a statement's result: Postgres parses and describes it, but does not run it. Rejects with the error of Postgres. */
function columnsOf(client: pg.Client, text: string): Promise<string[]> {
  let columns: string[] = [];
  return new Promise((resolve, reject) => {
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
        return null;
      },
      handleRowDescription({ fields }: { fields: { name: string }[] }) {
        columns = fields.map(({ name }) => name);
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    } as pg.Submittable);
  });
}

describe('the statements of src/db that assert the type of their rows', function () {
  let client: pg.Client;
  before(async () => {
    client = new pg.Client(await createDatabase());
    await client.connect();
  });
  after(() => client.end());

  it('match the schema, and return the columns that the type names', async () => {
    const statements = typedStatements();
    const constant = statements.flatMap(({ text, ...rest }) => (text === null ? [] : [{ ...rest, text }]));
    // The other statements are composed at run time.
    assert.ok(constant.length >= LEAST, `${constant.length} of ${statements.length}`);
    const wrong: object[] = [];
    for (const { place, text, members } of constant) {
      const columns = await columnsOf(client, text).catch((error: Error) => [error.message]);
      const missing = members.filter((name) => !columns.includes(name));
      if (missing.length > 0) wrong.push({ place, columns, missing });
    }
    assert.deepEqual(wrong, []);
  });
});
