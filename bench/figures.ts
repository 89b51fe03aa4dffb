import type { Figure } from './figure.ts';
import { batchAgainstCopy, batchAgainstLoop } from './figures/batch-ingest.ts';
import { checkOfAnHour } from './figures/check-of-an-hour.ts';
import { deepPage } from './figures/deep-page.ts';
import { pageOfAbsentName, pageOfCustomer } from './figures/filtered-page.ts';
import { fullTableIngest, fullTableWal } from './figures/full-table-ingest.ts';
import { latency } from './figures/latency.ts';
import { moneyReports } from './figures/money-reports.ts';
import { neighbour } from './figures/neighbour.ts';
import { batchOverload, singleOverload } from './figures/overload.ts';
import { closeAmongMillions, closeOfMillion, closeOnFilters } from './figures/period-close.ts';
import {
  ingestAtPeriodEnd,
  periodEnd,
  periodEndAtOwnPrices,
  periodEndBesideSteps,
} from './figures/period-end.ts';
import { batchProcessorTime, singleAgainstBare, singleProcessorTime } from './figures/processor-time.ts';
import { processes } from './figures/processes.ts';
import { rateLimit } from './figures/rate-limit.ts';
import { rateOfRollup, reportOfMonth } from './figures/report.ts';
import { replays } from './figures/replays.ts';
import { singleIngest, wideSingleIngest } from './figures/single-ingest.ts';

/** Figures in the order of the table of figures, with two exceptions. */
export const FIGURES: readonly Figure[] = [
  batchAgainstCopy,
  batchAgainstLoop,
  singleIngest,
  wideSingleIngest,
  latency,
  replays,
  closeOfMillion,
  closeAmongMillions,
  closeOnFilters,
  periodEnd,
  periodEndBesideSteps,
  ingestAtPeriodEnd,
  periodEndAtOwnPrices,
  deepPage,
  pageOfCustomer,
  pageOfAbsentName,
  reportOfMonth,
  rateOfRollup,
  moneyReports,
  checkOfAnHour,
  // After the other figures on the large table, because these add rows to it.
  fullTableIngest,
  fullTableWal,
  batchProcessorTime,
  singleProcessorTime,
  singleAgainstBare,
  processes,
  rateLimit,
  neighbour,
  singleOverload,
  batchOverload,
];
