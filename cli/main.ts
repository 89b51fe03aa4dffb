import { configAtStart } from '../src/settings/config.ts';
import { reportFailure } from './failure.ts';
import { createProgram } from './program.ts';

// EPIPE: the reader of our output, such as `head`, has closed the pipe. That is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await createProgram(configAtStart()).parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
