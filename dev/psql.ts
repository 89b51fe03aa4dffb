import { spawn } from 'node:child_process';
import { configAtStart } from '../src/settings/config.ts';
import { runningStack } from './running-stack.ts';

/** `npm run psql`: psql on the database of the stack that runs in the data directory, with the arguments after `--`. */
const { data_dir } = configAtStart();
const stack = runningStack(data_dir);
if (stack === null) end(`No stack is running in ${data_dir}. Start a stack with: npm start`);

const psql = spawn('psql', [stack.database_url, ...process.argv.slice(2)], { stdio: 'inherit' });
// In a terminal Ctrl-C reaches psql as well, which only gives up the statement.
process.on('SIGINT', () => undefined);
psql.once('error', () => end(`psql is not installed. Use another client to open ${stack.database_url}`));
psql.once('close', (code) => process.exit(code ?? 1));

function end(reason: string): never {
  console.error(reason);
  process.exit(1);
}
