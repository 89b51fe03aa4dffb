export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/**
 * An invoice closes a period, opens one with its fees in advance, or is the last one after the end of a subscription.
 */
export const INVOICE_KINDS = ['period', 'opening', 'late'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

/** Why an invoice was made before the end of its period: its usage came to `bill_at` (billing.md 15). */
export const INVOICE_CAUSES = ['threshold'] as const;
export type InvoiceCause = (typeof INVOICE_CAUSES)[number];

/** The state of a period's invoice that the billing steps read. */
export type InvoiceState = {
  id: string;
  status: InvoiceStatus;
  usage_revision: number;
  credit_revision: number;
  period_start: string;
  /** The end that it says, which an end in a period that is billed does not change. */
  period_end: string;
  /**
   * The draft must be counted again before it is issued: a line beside its own was voided, or it leaves late usage out.
   */
  is_stale: boolean;
};
