import { accountLogoRoutes } from './resources/account-logo.ts';
import { accountRoutes } from './resources/account.ts';
import { auditRoutes } from './resources/audit-log.ts';
import { changeRoutes } from './resources/changes.ts';
import { closedMonthRoutes } from './resources/closed-months.ts';
import { collectionRoutes } from './resources/collections.ts';
import { collectionPauseRoutes } from './resources/collection-pauses.ts';
import { correctionRoutes } from './resources/corrections.ts';
import { creditGrantRoutes } from './resources/credit-grants.ts';
import { customerUsageRoutes } from './resources/customer-usage.ts';
import { discountRoutes } from './resources/discounts.ts';
import { invoiceItemRoutes } from './resources/invoice-items.ts';
import { customerRoutes } from './resources/customers.ts';
import { emailTextRoutes } from './resources/email-texts.ts';
import { emailRoutes } from './resources/emails.ts';
import { eventRoutes } from './resources/events.ts';
import { ingestRoutes } from './ingest/ingest.ts';
import { invoiceComparisonRoutes } from './resources/invoice-comparisons.ts';
import { invoiceFileRoutes } from './resources/invoice-files.ts';
import { invoiceRoutes } from './resources/invoices.ts';
import { lineItemEventRoutes } from './resources/line-item-events.ts';
import { planRoutes } from './resources/plans.ts';
import { planMigrationRoutes } from './resources/plan-migrations.ts';
import { regenerationRoutes } from './resources/regenerations.ts';
import { balanceRoutes } from './resources/balance.ts';
import { creditNoteRoutes } from './resources/credit-notes.ts';
import { journalRoutes } from './resources/journal.ts';
import { paymentAttemptRoutes } from './resources/payment-attempts.ts';
import { paymentRefundRoutes } from './resources/payment-refunds.ts';
import { paymentRoutes } from './resources/payments.ts';
import { portalSessionRoutes } from './resources/portal-sessions.ts';
import { receivableRoutes } from './resources/receivables.ts';
import type { Route } from './routing/route.ts';
import { recurringRevenueRoutes } from './resources/recurring-revenue.ts';
import { revenueRoutes } from './resources/revenue.ts';
import { searchRoutes } from './resources/search.ts';
import { statementRoutes } from './resources/statements.ts';
import { subscriptionRoutes } from './resources/subscriptions.ts';
import { testClockRoutes } from './resources/test-clock.ts';
import { transferRoutes } from './resources/transfers.ts';
import { webhookDeliveryRoutes } from './resources/webhook-deliveries.ts';
import { paymentMethodRoutes } from './resources/payment-methods.ts';
import { paymentProviderRoutes } from './resources/payment-providers.ts';
import { paymentSessionRoutes } from './resources/payment-sessions.ts';
import { webhookEndpointRoutes } from './resources/webhook-endpoints.ts';
import { upcomingInvoiceRoutes } from './resources/upcoming-invoice.ts';
import { usageReportRoutes } from './resources/usage-report.ts';

/** Every route of /v1, in the order of the reference. */
export const routes: readonly Route[] = [
  ...ingestRoutes,
  ...eventRoutes,
  ...usageReportRoutes,
  ...customerRoutes,
  ...customerUsageRoutes,
  ...planRoutes,
  ...subscriptionRoutes,
  ...planMigrationRoutes,
  ...discountRoutes,
  ...upcomingInvoiceRoutes,
  ...invoiceRoutes,
  ...invoiceComparisonRoutes,
  ...invoiceFileRoutes,
  ...invoiceItemRoutes,
  ...paymentRoutes,
  ...transferRoutes,
  ...creditNoteRoutes,
  ...balanceRoutes,
  ...journalRoutes,
  ...closedMonthRoutes,
  ...receivableRoutes,
  ...revenueRoutes,
  ...recurringRevenueRoutes,
  ...correctionRoutes,
  ...regenerationRoutes,
  ...lineItemEventRoutes,
  ...creditGrantRoutes,
  ...searchRoutes,
  ...testClockRoutes,
  ...changeRoutes,
  ...paymentProviderRoutes,
  ...paymentMethodRoutes,
  ...webhookEndpointRoutes,
  ...webhookDeliveryRoutes,
  ...statementRoutes,
  ...collectionPauseRoutes,
  ...collectionRoutes,
  ...emailRoutes,
  ...emailTextRoutes,
  ...paymentAttemptRoutes,
  ...paymentSessionRoutes,
  ...paymentRefundRoutes,
  ...portalSessionRoutes,
  ...accountRoutes,
  ...accountLogoRoutes,
  ...auditRoutes,
];
