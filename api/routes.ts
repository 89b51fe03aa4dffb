import { correctionRoutes } from './corrections.ts';
import { creditGrantRoutes } from './credit-grants.ts';
import { customerUsageRoutes } from './customer-usage.ts';
import { customerRoutes } from './customers.ts';
import { eventRoutes } from './events.ts';
import { ingestRoutes } from './ingest/ingest.ts';
import { invoiceRoutes } from './invoices.ts';
import { lineItemEventRoutes } from './line-item-events.ts';
import { planRoutes } from './plans.ts';
import { regenerationRoutes } from './regenerations.ts';
import type { Route } from './routing/route.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { testClockRoutes } from './test-clock.ts';
import { upcomingInvoiceRoutes } from './upcoming-invoice.ts';
import { usageReportRoutes } from './usage-report.ts';

/** Every route of /v1, in the order of the reference. */
export const routes: readonly Route[] = [
  ...ingestRoutes,
  ...eventRoutes,
  ...usageReportRoutes,
  ...customerRoutes,
  ...customerUsageRoutes,
  ...planRoutes,
  ...subscriptionRoutes,
  ...upcomingInvoiceRoutes,
  ...invoiceRoutes,
  ...correctionRoutes,
  ...regenerationRoutes,
  ...lineItemEventRoutes,
  ...creditGrantRoutes,
  ...testClockRoutes,
];
