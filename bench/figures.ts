import type { Figure } from './figure.ts';
import { batchIngest } from './figures/batch-ingest.ts';
import { neighbour } from './figures/neighbour.ts';
import { periodEnd } from './figures/period-end.ts';
import { rateLimit } from './figures/rate-limit.ts';
import { singleIngest } from './figures/single-ingest.ts';

/** In the order of the table of figures. */
export const FIGURES: readonly Figure[] = [batchIngest, singleIngest, periodEnd, rateLimit, neighbour];
