import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { createDatabase } from '../support/servers/cluster.ts';
import { functionsOf, schemaText } from '../support/sources/schema-text.ts';

const FILE = new URL('../../docs/schema.sql', import.meta.url);

describe('the schema', () => {
  let pool: Pool;
  before(async () => {
    pool = createPool(await createDatabase(), 1);
  });
  after(() => pool.end());

  it('that the migrations make is the one in docs/schema.sql', async () => {
    const text = await schemaText(pool);
    if (existsSync(FILE) && readFileSync(FILE, 'utf8') === text) return;
    writeFileSync(FILE, text);
    assert.fail(
      'docs/schema.sql was old and is written anew: read what changed, commit it, and run the test again',
    );
  });

  it('has the functions that docs/schema.sql shows: to create them again changes none', async () => {
    const definitions = () =>
      pool.query(
        `select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
      );
    const { rows } = await definitions();
    const shown = await functionsOf(pool);
    assert.equal(new Set(shown.map(({ name }) => name)).size, rows.length);
    for (const { text } of shown) await pool.query(`create or replace ${text}`);
    assert.deepEqual((await definitions()).rows, rows);
  });

  it('gets each later index of events by a migration of its own, which a cluster needs', () => {
    const folder = new URL('../../migrations/', import.meta.url);
    const later = readdirSync(folder).filter((name) => name !== '0001_start.sql');
    const wrong = later.filter((name) => {
      const statements = readFileSync(new URL(name, folder), 'utf8').split(/;\s*$/m);
      const is_of_events = /^create (?:unique )?index \w+ on (?:events|event_keys)\b/m;
      return statements.length > 2 && statements.some((text) => is_of_events.test(text));
    });
    assert.deepEqual(wrong, []);
  });

  it('shows functions in lines that fit a screen', async () => {
    const lines = (await functionsOf(pool)).flatMap(({ text }) => text.split('\n'));
    assert.deepEqual(
      lines.filter((line) => line.length > 140),
      [],
    );
  });
});
