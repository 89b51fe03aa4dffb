import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { anyFreePort } from '../../../dev/ports.ts';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { cacheFolder } from '../../../dev/temporal-binary.ts';
import { atEnd } from './at-end.ts';
import { eventually } from './eventually.ts';

const VERSION = 'v0.203.0';

/**
 * Starts stripe-mock, which holds requests against the description of Stripe's API and has no state; returns its URL. The
 * first call builds it with Go into the user's cache. Throws where that cannot be done.
 */
export async function aStripeMock(): Promise<string> {
  const folder = cacheFolder(`stripe-mock-${VERSION}`);
  const program = join(folder, 'stripe-mock');
  if (!existsSync(program)) await buildInto(folder);
  const port = await anyFreePort();
  const child = spawn(program, ['-http-port', `${port}`], { stdio: 'ignore' });
  atEnd(async () => void child.kill());
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    (answers) => answers,
  );
  return url;
}

async function buildInto(folder: string): Promise<void> {
  const environment = { ...inheritedEnvironment(), GOBIN: folder };
  const child = spawn('go', ['install', `github.com/stripe/stripe-mock@${VERSION}`], { env: environment });
  const [code] = await Promise.race([
    once(child, 'exit'),
    once(child, 'error').then(([error]) => Promise.reject(error)),
  ]);
  if (code !== 0) throw new Error(`go install of stripe-mock ends with ${code}`);
}
