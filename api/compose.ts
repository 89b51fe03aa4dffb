import { createAdmission, type Admission } from './access/admission.ts';
import { createDeps, type Deps, type Settings } from './http/deps.ts';
import { gaugeQueues } from './http/metrics.ts';
import { openIngest, type Ingest } from './ingest/ingest.ts';

/** Whether /readyz returns 503: the server sets `is_draining` when it starts to drain. */
export type Readiness = { is_draining: boolean };

/** The parts of one API. */
export type Api = { deps: Deps; admission: Admission; ingest: Ingest; readiness: Readiness };

/**
 * Composition root: makes every part of an API that holds state, once. Two APIs in one process share nothing. The
 * caller must close the ingest. Throws an Error without DATABASE_URL.
 */
export function composeApi(settings: Settings): Api {
  const deps = createDeps(settings);
  const admission = createAdmission(deps);
  const ingest = openIngest(deps, admission);
  gaugeQueues(deps.metrics.registry, ingest.waiting);
  return { deps, admission, ingest, readiness: { is_draining: false } };
}
