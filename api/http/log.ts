import { createLog } from '../../src/log.ts';
import { perDeps } from './per-deps.ts';

/** The logger of an API. */
export const logOf = perDeps((deps) => createLog('api', deps.config.log_level));
