export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void';

/**
 * An invoice closes a period, opens one with its fees in advance, or is the last one after the end of a subscription.
 */
export const INVOICE_KINDS = ['period', 'opening', 'late'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

/** The state of a period's invoice that the billing steps read. */
export type InvoiceState = {
  id: string;
  status: InvoiceStatus;
  usage_revision: number;
  credit_revision: number;
  period_start: string;
  /**
   * The draft must be counted again before it is issued: a line beside its own was voided, or it leaves late usage out.
   */
  is_stale: boolean;
};
