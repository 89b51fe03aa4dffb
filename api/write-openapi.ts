import { writeFileSync } from 'node:fs';
import { openApiOf } from './openapi.ts';
import { routes } from './routes.ts';

/** Writes docs/openapi.json: run it when test/api/openapi.test.ts says that the file is old. */
const FILE = new URL('../docs/openapi.json', import.meta.url);

writeFileSync(FILE, `${JSON.stringify(openApiOf(routes), null, 2)}\n`);
