import { ARCHIVE_PLANTS } from './archive.ts';
import { AUDIT_PLANTS } from './audit-log.ts';
import { BILLING_DAY_PLANTS } from './billing-days.ts';
import { BOUNDS_PLANTS } from './bounds.ts';
import { CLOSED_MONTH_PLANTS } from './closed-months.ts';
import { COLLECTION_PLANTS } from './collections.ts';
import { CREDIT_PLANTS } from './credit.ts';
import { CUSTOM_PLAN_PLANTS } from './custom-plans.ts';
import { DISCOUNT_PLANTS } from './discounts.ts';
import { EMAIL_PLANTS } from './emails.ts';
import { PAYMENT_ATTEMPT_PLANTS } from './payment-attempts.ts';
import { PAYMENT_REFUND_PLANTS } from './payment-refunds.ts';
import { PAYMENT_METHOD_PLANTS } from './payment-methods.ts';
import { PAYMENT_PAGE_PLANTS } from './payment-pages.ts';
import { FEED_PLANTS } from './feed.ts';
import { INVOICES_PLANTS } from './invoices.ts';
import { INVOICE_ITEM_PLANTS } from './invoice-items.ts';
import { KEY_PLANTS } from './keys.ts';
import { OWED_PLANTS } from './owed.ts';
import { PERIODS_PLANTS } from './periods.ts';
import { PERIOD_LINE_PLANTS } from './period-lines.ts';
import { PLAN_MIGRATION_PLANTS } from './plan-migrations.ts';
import { PLAN_PLANTS } from './plans.ts';
import { ROLLUP_PLANTS } from './rollup.ts';
import { STRETCH_PLANTS } from './stretches.ts';
import { USAGE_PLANTS } from './usage.ts';
import type { Plant } from './plant.ts';

/** One breach of each invariant, or more, that can be planted in a sound ledger. */
export const PLANTS: readonly Plant[] = [
  ...USAGE_PLANTS,
  ...INVOICES_PLANTS,
  ...OWED_PLANTS,
  ...CLOSED_MONTH_PLANTS,
  ...INVOICE_ITEM_PLANTS,
  ...PERIODS_PLANTS,
  ...CREDIT_PLANTS,
  ...BOUNDS_PLANTS,
  ...ROLLUP_PLANTS,
  ...BILLING_DAY_PLANTS,
  ...KEY_PLANTS,
  ...ARCHIVE_PLANTS,
  ...FEED_PLANTS,
  ...PLAN_PLANTS,
  ...DISCOUNT_PLANTS,
  ...CUSTOM_PLAN_PLANTS,
  ...PERIOD_LINE_PLANTS,
  ...STRETCH_PLANTS,
  ...PLAN_MIGRATION_PLANTS,
  ...EMAIL_PLANTS,
  ...PAYMENT_METHOD_PLANTS,
  ...PAYMENT_ATTEMPT_PLANTS,
  ...COLLECTION_PLANTS,
  ...PAYMENT_PAGE_PLANTS,
  ...PAYMENT_REFUND_PLANTS,
  ...AUDIT_PLANTS,
];
