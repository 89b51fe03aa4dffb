import { collectDefaultMetrics } from 'prom-client';
import { createPool, SHORT_STATEMENT_MS } from '../src/db/pool.ts';
import { prepareDatabase } from '../src/db/prepare.ts';
import { configAtStart, refuseToStart } from '../src/config.ts';
import { messageOf } from '../src/message-of.ts';
import { announceReady, exitWithParent } from '../src/lifecycle.ts';
import { connectTemporal } from '../src/temporal.ts';
import { ingestOf } from './ingest/ingest.ts';
import { logOf } from './http/log.ts';
import { metricsOf } from './http/metrics.ts';
import type { Deps } from './http/deps.ts';
import { routes } from './routes.ts';
import { createMetricsServer } from './metrics-server.ts';
import { createApiServer } from './server.ts';

const config = configAtStart();
const { database_url, secret, port, host, metrics_port } = config;
if (database_url === null || secret === null) refuseToStart('DATABASE_URL and TIDEMARK_SECRET must be set');

await prepareDatabase(database_url);
const pool = createPool(database_url, config.database_pool_size, { statement_ms: SHORT_STATEMENT_MS });
const temporal = connectTemporal(config);
const deps: Deps = { config, pool, secret, nudge: temporal.nudge };
const ingest = ingestOf(deps);
const server = createApiServer(deps, { routes, ingest: ingest.handle });
const metrics = createMetricsServer(deps);
collectDefaultMetrics({ register: metricsOf(deps).registry });

exitWithParent(async () => {
  await server.close();
  await metrics.close();
  await ingest.close();
  await temporal.close();
  await pool.end();
});
if (metrics_port !== null)
  await metrics
    .listen(metrics_port, host)
    .catch((error: unknown) => refuseToStart(`METRICS_PORT cannot be used: ${messageOf(error)}`));
logOf(deps).info({ port: await server.listen(port, host), host }, 'listening');
announceReady();
