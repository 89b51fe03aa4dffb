import { createPool } from '../../../src/db/connection/pool.ts';
import { emailerOf, send, write } from '../ledger/outgoing-emails.ts';
import { watchedPool } from '../ledger/watched-pool.ts';

/**
 * The process of a test that kills it: writes the emails of what was issued, and sends what is due. Its arguments are
 * the database and the port of the server; with a third one, a number, it kills itself before its statement of this number.
 */
const [, , database_url, port, killed_at] = process.argv;
let statements = 0;
const pool = watchedPool(createPool(database_url!, 5), async () => {
  statements++;
  if (statements === Number(killed_at)) process.kill(process.pid, 'SIGKILL');
});
await write(pool);
await send(emailerOf(pool, { port: Number(port) }));
// Connections that are idle would keep it for seconds.
process.exit();
