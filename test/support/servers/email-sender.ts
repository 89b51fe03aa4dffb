import { createPool } from '../../../src/db/connection/pool.ts';
import { emailerOf, send } from '../ledger/outgoing-emails.ts';

/** The process of a test that kills it: sends what is due. Its arguments are the database and the port of the server. */
const [, , database_url, port] = process.argv;
await send(emailerOf(createPool(database_url!, 5), { port: Number(port) }));
// Connections that are idle would keep it for seconds.
process.exit();
