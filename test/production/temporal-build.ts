import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { inheritedEnvironment } from '../../src/settings/config.ts';
import { run } from '../../dev/processes.ts';
import { withProgress, type Say } from '../../dev/progress.ts';
import { cacheFolder } from '../../dev/temporal-binary.ts';

/** Version of the server that docker-compose.yml runs. The download for development holds an all-in-one server only. */
const VERSION = '1.31.2';
const MODULE = 'go.temporal.io/server';

/** Temporal's server, and its command that creates the schema in a SQL database. */
export type TemporalPrograms = { server: string; sql_tool: string };

/** The programs from the user's cache; the first call builds them with Go, which takes half an hour or more on two processors. */
export async function findTemporalServer(say: Say): Promise<TemporalPrograms> {
  const cached = cacheFolder(`temporal-server-${VERSION}`);
  const programs = { server: join(cached, 'server'), sql_tool: join(cached, 'temporal-sql-tool') };
  if (Object.values(programs).every((path) => fs.existsSync(path))) return programs;
  fs.mkdirSync(dirname(cached), { recursive: true });
  const unfinished = fs.mkdtempSync(`${cached}-unfinished-`);
  const env = { ...inheritedEnvironment(), GOBIN: unfinished };
  const build = ['cmd/server', 'cmd/tools/sql'].map((command) => `${MODULE}/${command}@v${VERSION}`);
  try {
    for (const command of build)
      await withProgress(`Building ${command} with Go (once)`, run('go', ['install', command], { env }), say);
    fs.renameSync(join(unfinished, 'sql'), join(unfinished, 'temporal-sql-tool'));
    fs.rmSync(cached, { recursive: true, force: true });
    fs.renameSync(unfinished, cached);
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
  return programs;
}
