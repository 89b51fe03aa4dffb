import { readFromStandby } from '../../src/db/connection/standby-read.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { REPORT_MS } from '../../src/db/reports/report-time.ts';
import type { Deps } from '../http/deps.ts';
import { rateLimited } from '../../src/domain/money/errors.ts';
import { createGate } from '../../src/queues/gate.ts';

/** Reports that one process reads at once, so that they leave most connections of the pool to others. */
const REPORTS_MAX = 2;
const gate = createGate({ running_max: REPORTS_MAX, waiting_max: 10, waiting_ms: 20_000 }, rateLimited);

/**
 * Reads a report in one snapshot, of the standby if there is one. A report that waits for its turn holds no connection.
 * For a route without a transaction of its own. Throws rate_limited if too many reports wait.
 */
export function readReport<T>(deps: Deps, work: (db: Db) => Promise<T>): Promise<T> {
  return gate.pass(() => readFromStandby(deps, work, { statement_ms: REPORT_MS }));
}
