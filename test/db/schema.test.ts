import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createPool } from '../../src/db/connection/pool.ts';
import { createDatabase } from '../support/cluster.ts';
import { schemaText } from '../support/schema-text.ts';

const FILE = new URL('../../docs/schema.sql', import.meta.url);

describe('the schema', () => {
  it('that the migrations make is the one in docs/schema.sql', async () => {
    const pool = createPool(await createDatabase(), 1);
    const text = await schemaText(pool).finally(() => pool.end());
    if (existsSync(FILE) && readFileSync(FILE, 'utf8') === text) return;
    writeFileSync(FILE, text);
    assert.fail(
      'docs/schema.sql was old and is written anew: read what changed, commit it, and run the test again',
    );
  });
});
