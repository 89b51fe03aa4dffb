import assert from 'node:assert/strict';
import { encodeCursor } from '../../../api/routing/cursor.ts';
import { openApiOf } from '../../../api/reference/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';

/** `frozen` is a list of words. */
function assertFrozen(found: readonly string[], frozen: string): void {
  const words = frozen.trim().split(/\s+/);
  const missing = words.filter((word) => !found.includes(word));
  const added = found.filter((word) => !words.includes(word)).sort();
  assert.deepEqual(missing, [], 'a name that clients use is gone: keep it');
  assert.deepEqual(added, [], 'a new name: add it to the list, if it may stay for ever');
}

/** Names that clients depend on: STYLE.md, "Frozen". Renaming one breaks the programs of clients. */
describe('frozen names of the interface', () => {
  const document: Json = JSON.parse(JSON.stringify(openApiOf(routes)));

  it('names of schemas, which are the type names in generated clients', () => {
    const FROZEN = `
      Account AccountNumber Datev Actor AddedEvents Address AuditEntry AuditMembers Aggregation BalanceEntry BilledCustomer Change Charge ChargeFilters ClosedMonth CountAggregation CreditCharge CreditGrant CreditGrantPreview CreditNote CreditNoteLine CreditNoteOfInvoice CreditNotePreview CausedAmount ComparedLine Debtor
      Discount DiscountChange DiscountOfLine
      Customer DeletedCustomer DeletedInvoiceItem Error ErrorContent ErrorDetail Event EventBatch EventBatchItem EventBilling EventWithBilling
      FlatCharge GraduatedCharge GraduatedChargeByDimension GraduatedPrice Invoice InvoiceCollection InvoiceComparison InvoiceItem InvoiceSum InvoiceSummary ItemOfLine JournalDocuments JournalDocumentSum DifferingDocument JournalSum JournalSummary LedgerEntry LineAggregation LineGroup LineItem LineName PackageCharge PackageChargeByDimension PackagePrice Payment PerUnitCharge PerUnitChargeByDimension PerUnitPrice
      PercentageCharge PricedTier PricingPlan PropertyAggregation ReceivableSum Receivables Redaction Regeneration RegenerationPreview Seller
      Subscription Tax TaxId TestClock Tier UpcomingInvoice UpcomingLineItem Usage UsageReport UsageReportCustomer UsageReportDay
      AccountChange ApiKeyChange BalanceEntryChange ChangedApiKey ChangedCreditGrant CreditGrantChange CreditNoteChange CustomerChange FeedChange FeedPage InvoiceChange InvoiceItemChange PaymentChange PricingPlanChange SubscriptionChange
      UsageReportEventName VolumeCharge VolumeChargeByDimension VolumePrice
       NewPortalSession PortalSession PendingChange PendingQuantities Period PlanChangePreview PlanFieldChange PlanGrant PlanGrantDays
       PlanOverride PlanOverridePrice PlanOverrideTier PricingPlanPreview Quantities QuantityChangePreview Stretch
      PlanMigration PlanMigrationChange PlanMigrationComparison PlanMigrationOutcome PlanMigrationPreview
      MatchCandidate MatchedInvoice MatchedRow Transfer TransferMatch
      RecurringRevenue RecurringRevenueMonth RecurringRevenueMovement Revenue RevenueBucket RevenueGroup
      ChangeType DeletedWebhookEndpoint FeedRestoration FeedRestoredChange NewWebhookEndpoint WebhookDelivery WebhookDeliveryWithTries WebhookHeaders WebhookTry WebhookEndpoint WebhookEndpointChange UsageChange UsageNotice
      CollectionCase CollectionPause LastReminder Statement StatementLine
      PaymentAttempt PaymentAttemptChange
      PaymentDispute PaymentDisputeChange PaymentRefund PaymentRefundChange
      Email EmailAttachment EmailChange EmailRecipient EmailText
      DeletedPaymentProvider PaymentMethod PaymentMethodChange PaymentMethodSession PaymentProvider PaymentProviderChange
      PaymentSession
    `;
    assertFrozen(Object.keys(document.components.schemas), FROZEN);
  });

  it('names of operations, which are the method names in generated clients', () => {
    const operations = Object.values<Json>(document.paths).flatMap((path) => Object.values<Json>(path));
    const FROZEN = `
      advanceTestClock applyBalance exportAuditLog listAuditEntries cancelSubscription createBalanceAdjustment createCreditGrant createCreditNote createCustomer createDeposit createEvent createEvents createInvoiceItem createPayment
      createDiscount endDiscount getDiscount listDiscounts
      createPricingPlan createSubscription deleteCustomer deleteInvoiceItem exportBalanceEntries exportCreditLedger exportCreditNotes exportCustomerUsage exportInvoices exportJournal exportLineItems exportPayments exportReceivables finalizeInvoice generateInvoices getAccount getBalanceEntry getCreditGrant getCreditNote getCreditNotePdf getCreditNoteXml getCustomer getEvent
      getInvoice getInvoiceComparison getInvoiceItem getInvoicePdf getInvoiceSummary getInvoiceXml getJournalSummary getPayment getPaymentPdf getPricingPlan getReceivables getRegeneration getSubscription getUpcomingInvoice getUpcomingInvoiceComparison getUsageReport
      listBalanceEntries listChanges listCreditGrants listCreditNotes listCustomerUsage listCustomers listEvents listInvoiceItems listInvoices listLineItemEvents listPayments
      listPricingPlans listSubscriptions payInvoice previewPricingPlan redactCustomer regenerateInvoice reversePayment reversePaymentById search updateAccount updateCustomer updateSubscription voidCreditGrant voidCreditNote voidInvoice wakeSubscription
      createWebhookEndpoint deleteWebhookEndpoint getWebhookDelivery getWebhookEndpoint listWebhookDeliveries listWebhookEndpoints pauseWebhookEndpoint replayWebhookEndpoint
      createPortalSession getPortalSession listPortalSessions revokePortalSession changePlan changeQuantities changeTrial listPeriods takeBackCancel takeBackQuantities takeBackChange archivePricingPlan unarchivePricingPlan
      createTransfer getTransfer listTransfers matchTransfers reverseTransfer
      getJournalDocuments closeMonth exportClosedMonth getClosedMonth listClosedMonths openMonth
      exportRecurringRevenue exportRevenue getRecurringRevenue getRevenue listRecurringRevenueMovements
      createPlanMigration getPlanMigration listPlanMigrationOutcomes listPlanMigrations stopPlanMigration takeBackPlanMigration
      deleteAccountLogo getAccountLogo setAccountLogo
      chargeInvoice getPaymentAttempt listPaymentAttempts
      createPaymentSession getPaymentSession listPaymentSessions refreshPaymentSession
      getPaymentDispute getPaymentRefund listPaymentDisputes listPaymentRefunds refundPayment
      cancelEmail deleteEmailText getEmail getEmailFile getEmailText listEmails resendEmail sendCreditNote sendInvoice sendReceipt setEmailText
      getStatement getStatementPdf listCollections pauseCustomerCollection pauseInvoiceCollection resumeCustomerCollection resumeInvoiceCollection sendStatement
      createPaymentMethodSession createPaymentProvider deletePaymentProvider getPaymentMethod getPaymentProvider listPaymentMethods listPaymentProviders
      removePaymentMethod setDefaultPaymentMethod updatePaymentProvider
      resendWebhookDelivery resumeWebhookEndpoint rotateWebhookSecret skipWebhookDelivery testWebhookEndpoint updateWebhookEndpoint
    `;
    assertFrozen(
      operations.flatMap(({ operationId }) => operationId ?? []),
      FROZEN,
    );
  });

  it('values of `object`', () => {
    const found = new Set<string>();
    const visit = (node: Json) => {
      if (typeof node !== 'object' || node === null) return;
      if (typeof node.properties?.object?.const === 'string') found.add(node.properties.object.const);
      Object.values(node).forEach(visit);
    };
    visit(document);
    const FROZEN = `
      account api_key audit_entry balance_entry change credit_grant credit_grant_preview credit_note credit_note_preview customer discount event event_batch invoice invoice_item invoice_summary journal_summary list payment pricing_plan pricing_plan_preview receivables regeneration regeneration_preview
      subscription test_clock upcoming_invoice invoice_comparison usage_report feed_restoration webhook_delivery webhook_endpoint usage_notice plan_change_preview plan_migration plan_migration_preview quantity_change_preview
      collection_case statement
      payment_attempt payment_dispute payment_method payment_method_session payment_provider payment_refund payment_session
      email email_text portal_session transfer transfer_match recurring_revenue revenue closed_month journal_documents
    `;
    assertFrozen([...found], FROZEN);
  });

  describe('of lists and their filters, which the seal of a cursor covers', () => {
    const at = '2026-01-01T00:00:00.000Z';
    const to = '2027-01-01T00:00:00.000Z';
    let api: TestApi;
    let environment_id: number;
    let customer_id: string;
    before(async () => {
      api = await startApi();
      await api.post('/v1/customers', { external_id: 'c1' });
      const { rows } = await api.pool.query(
        `select c.environment_id, c.id from customers c where c.external_id = 'c1'`,
      );
      [{ environment_id, id: customer_id }] = rows;
    });
    after(() => api.close());

    const [event, none] = [`${at} 9`, null];
    const usage = `${at} ${to} chg_1 `;
    const LISTS: [path: string, list: string, filters: () => object, position: string][] = [
      ['customers?', 'customers', () => ({ search: none }), 'cus_1'],
      [
        'collections?',
        'collections',
        () => ({ customer_id: none, currency: none, overdue: none, paused: none }),
        '2026-01-31 inv_1',
      ],
      [
        'collections?customer_id=c1&currency=USD&overdue=true&paused=false&',
        'collections',
        () => ({ customer_id: 'c1', currency: 'USD', overdue: true, paused: false }),
        '2026-01-31 inv_1',
      ],
      [
        'receivables?',
        'receivables',
        () => ({ as_of: none, currency: none, customer_id: none }),
        '2026-01-31 cus_1',
      ],
      [
        'receivables?customer_id=c1&currency=USD&as_of=2026-01-31&',
        'receivables',
        () => ({ as_of: '2026-01-31', currency: 'USD', customer_id: 'c1' }),
        '2026-01-31 cus_1',
      ],
      ['customers?search=a&', 'customers', () => ({ search: 'a' }), 'cus_1'],
      ['pricing-plans?', 'pricing_plans', () => ({}), 'plan_1'],
      ['subscriptions?', 'subscriptions', () => ({ customer_id: none, status: none }), 'sub_1'],
      [
        'subscriptions?status=active&customer_id=c1&',
        'subscriptions',
        () => ({ customer_id: 'c1', status: 'active' }),
        'sub_1',
      ],
      [
        'subscriptions?attention=true&',
        'subscriptions',
        () => ({ customer_id: none, status: none, attention: 'true' }),
        'sub_1',
      ],
      ['payment-methods?', 'payment-methods', () => ({ customer_id: none }), 'pmd_1'],
      [
        'payment-sessions?',
        'payment-sessions',
        () => ({ invoice_id: none, customer_id: none, status: none }),
        'pys_1',
      ],
      ['portal-sessions?', 'portal_sessions', () => ({ customer_id: none }), 'ps_1'],
      [
        'discounts?status=active&subscription_id=s&customer_id=c1&',
        'discounts',
        () => ({ customer_id: 'c1', subscription_id: 's', status: 'active' }),
        'dis_1',
      ],
      ['credit-grants?', 'credit_grants', () => ({ customer_id: none }), 'cg_1'],
      [
        `invoices?to=${to}&from=${at}&status=open&subscription_id=s&customer_id=c1&`,
        'invoices',
        () => ({ customer_id: 'c1', subscription_id: 's', status: 'open', from: at, to }),
        'inv_1',
      ],
      [
        'invoices?',
        'invoices',
        () => ({ customer_id: none, subscription_id: none, status: none, from: none, to: none }),
        'inv_1',
      ],
      [
        `invoices?issued_to=${to}&issued_from=${at}&`,
        'invoices',
        () => ({
          ...{ customer_id: none, subscription_id: none, status: none, from: none, to: none },
          ...{ issued_from: at, issued_to: to },
        }),
        'inv_1',
      ],
      [
        `invoices?issued_to=${to}&status=open&`,
        'invoices',
        () => ({
          ...{ customer_id: none, subscription_id: none, status: 'open', from: none, to: none },
          issued_to: to,
        }),
        'inv_1',
      ],
      [
        'invoices?issued_month=2026-10&period_month=2026-09&',
        'invoices',
        () => ({
          ...{ customer_id: none, subscription_id: none, status: none, from: none, to: none },
          ...{ period_month: '2026-09', issued_month: '2026-10' },
        }),
        'inv_1',
      ],
      [
        'credit-notes?issued_month=2026-10&',
        'credit-notes',
        () => ({
          ...{ customer_id: none, invoice_id: none, status: none, from: none, to: none },
          issued_month: '2026-10',
        }),
        'cn_1',
      ],
      [
        'payments?month=2026-10&',
        'payments',
        () => ({
          ...{ customer_id: none, invoice_id: none, reference: none, from: none, to: none },
          month: '2026-10',
        }),
        'pay_1',
      ],
      ['transfers?', 'transfers', () => ({ customer_id: none }), 'trf_1'],
      ['closed-months?', 'closed-months', () => ({ object_id: none }), '2026-02'],
      ['closed-months?object_id=inv_1&', 'closed-months', () => ({ object_id: 'inv_1' }), '2026-02'],
      ['events?', 'events', () => ({}), event],
      [
        `events?customer_id=c1&event_name=e&idempotency_key=k&from=${at}&to=${to}&`,
        'events',
        () => ({ customer_id: 'c1', event_name: 'e', idempotency_key: 'k', from: at, to }),
        event,
      ],
      [
        `customers/c1/usage?from=${at}&to=${to}&`,
        'customer_usage',
        () => ({ customer_id, from: at, to }),
        usage,
      ],
    ];
    for (const [path, list, filters, position] of LISTS) {
      it(path, async () => {
        const scope = { caller: { environment_id }, list, filters: filters() };
        const cursor = encodeCursor(api.deps, scope, position);
        const { status, body } = await api.request(`/v1/${path}cursor=${cursor}`);
        assert.equal(status, 200, JSON.stringify(body));
      });
    }
  });
});
