import { setTimeout as pause } from 'node:timers/promises';
import { collectDefaultMetrics } from 'prom-client';
import { findAccountId } from '../src/db/account/accounts.ts';
import { createPool, SHORT_STATEMENT_MS } from '../src/db/connection/pool.ts';
import { openStandby } from '../src/db/account/standby.ts';
import { prepareDatabase } from '../src/db/connection/prepare.ts';
import { configAtStart, refuseToStart } from '../src/settings/config.ts';
import { guardedNudges } from '../src/temporal/guarded-nudge.ts';
import { createLog } from '../src/telemetry/log.ts';
import { messageOf } from '../src/process/message-of.ts';
import { announceReady, exitWithParent } from '../src/process/lifecycle.ts';
import { orRefuse } from '../src/settings/refusal.ts';
import { connectTemporal } from '../src/temporal/temporal.ts';
import { startTracing, stopTracing } from '../src/telemetry/tracing.ts';
import { composeApi } from './compose.ts';
import { routes } from './routes.ts';
import { plainHttpFault } from './http/plain-http.ts';
import { openCertificate } from './http/tls.ts';
import { createMetricsServer } from './metrics-server.ts';
import { createApiServer } from './server.ts';

const config = configAtStart();
const { database_url, secrets, port, host, metrics_port } = config;
if (database_url === null || secrets === null) refuseToStart('DATABASE_URL and TIDEMARK_SECRET must be set');

const fault = plainHttpFault(config);
if (fault !== null) refuseToStart(fault);
const certificate =
  config.tls_files === null
    ? null
    : await openCertificate(config.tls_files).catch((error: unknown) => refuseToStart(messageOf(error)));
await startTracing('tidemark-api', config.otlp_endpoint);
await orRefuse(prepareDatabase(database_url));
const pool = createPool(database_url, config.database_pool_size, { statement_ms: SHORT_STATEMENT_MS });
const standby_pool = await orRefuse(openStandby(config, pool));
const temporal = connectTemporal(config);
const log = createLog('api', config.log_level);
const nudges = guardedNudges({
  temporal,
  findAccount: () => findAccountId(pool),
  report: (reason) => log.error({ reason }, 'workflows are not started'),
});
const api = composeApi({ config, pool, standby_pool, secrets, ...nudges });
const server = createApiServer(api, routes, { certificate });
const { ingest, deps } = api;
const metrics = createMetricsServer(deps.metrics);
collectDefaultMetrics({ register: deps.metrics.registry });

exitWithParent(async () => {
  server.drain();
  deps.log.info({ ms: config.drain_ms }, 'draining');
  await pause(config.drain_ms);
  await server.close();
  await metrics.close();
  await ingest.close();
  await temporal.close();
  await pool.end();
  await standby_pool?.end();
  await stopTracing();
}, config.drain_ms);
if (metrics_port !== null)
  await metrics
    .listen(metrics_port, config.metrics_host)
    .catch((error: unknown) => refuseToStart(`METRICS_PORT cannot be used: ${messageOf(error)}`));
deps.log.info({ port: await server.listen(port, host), host }, 'listening');
announceReady();
