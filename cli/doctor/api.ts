import type { Config } from '../../src/settings/config.ts';
import { runningStack } from '../../dev/running-stack.ts';
import { fail, ok, type Check, type Finding } from './check.ts';

const ANSWER_LIMIT_MS = 4000;

/** Whether the API is ready. */
export function apiChecks(config: Config): Check[] {
  return [
    {
      what: 'API',
      needs: [],
      next_step: 'start the API, with npm start or separately, and check TIDEMARK_URL',
      ask: () => readinessFinding(config),
    },
  ];
}

async function readinessFinding({ tidemark_url, data_dir }: Config): Promise<Finding> {
  const url = tidemark_url ?? runningStack(data_dir)?.api_url;
  if (url === undefined) return fail(`no stack is running in ${data_dir}, and TIDEMARK_URL is not set`);
  const address = `${url.replace(/\/+$/, '')}/readyz`;
  const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  await response.arrayBuffer();
  return response.ok
    ? ok(`${url} is ready`)
    : fail(`${address} responded with the status ${response.status}`);
}
