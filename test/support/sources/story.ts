import { REGENERATION } from '../../../api/reference/examples/ids.ts';
import type { Received } from '../servers/api.ts';
import { eventually } from '../servers/eventually.ts';
import { createLikeness } from '../documents/likeness.ts';
import { aReceiver, type Receiver } from '../servers/receiver.ts';
import { tokenOf } from '../servers/signed-in.ts';
import { requestsTo } from '../ledger/test-customer.ts';
import type { Stack } from '../servers/stack.ts';
import { shownExamples } from './shown-examples.ts';

/** The address in the examples of webhooks, to which nothing is sent. */
const RECEIVER_URL = 'https://example.com/tidemark';

/** One sequence of requests in which every example of the reference finds the objects that it needs. */
const CHAPTERS: [operation_id: string, ...names: string[]][] = [
  ['createCustomer', 'A customer', 'The same customer again'],
  [
    'createPricingPlan',
    'Graduated tiers',
    'Prices by model, and a line for each region',
    'A fee, a sum of a property, and packages',
  ],
  ['listPricingPlans', 'One plan per page'],
  ['createPricingPlan', 'With a key'],
  ['previewPricingPlan', 'Preview of the next version', 'What one customer pays instead'],
  ['createPricingPlan', 'Another first tier for one customer'],
  ['listPricingPlans', 'The versions of a key', 'The custom plans of a customer'],
  ['archivePricingPlan', 'A price that nobody is to get any more'],
  ['unarchivePricingPlan', 'A price that is offered again'],
  ['getPricingPlan', 'A plan with tiers'],
  ['createSubscription', 'From the first of January'],
  ['getSubscription', 'A subscription in its first period'],
  ['listSubscriptions', 'Active subscriptions of a customer', 'No subscription needs attention'],
  ['wakeSubscription', 'No failure to retry'],
  ['createWebhookEndpoint', 'Credit, from the first change that is kept'],
  ['createCreditGrant', 'Credit for a year'],
  ['listChanges', 'Credit of a customer, as soon as there is some'],
  ['listWebhookDeliveries', 'What was delivered'],
  ['getWebhookDelivery', 'What was sent, and what the receiver answered'],
  ['getWebhookEndpoint', 'An endpoint to which everything is delivered'],
  ['listWebhookEndpoints', 'All endpoints'],
  ['resendWebhookDelivery', 'A change that the receiver has lost'],
  ['skipWebhookDelivery', 'A change that the receiver cannot read'],
  ['testWebhookEndpoint', 'A receiver that works'],
  ['updateWebhookEndpoint', 'All types of changes'],
  ['pauseWebhookEndpoint', 'While the shop moves'],
  ['resumeWebhookEndpoint', 'Where it stopped'],
  ['replayWebhookEndpoint', 'All changes that are kept'],
  ['rotateWebhookSecret', 'Once a year'],
  ['deleteWebhookEndpoint', 'An endpoint'],
  ['listCustomers', 'Newest first'],
  ['getCustomer', 'By external_id'],
  ['updateCustomer', 'A new name and additional metadata'],
  ['search', 'A customer by a part of its name'],
  ['createEvent', 'An API call', 'The same event again'],
  ['createEvents', 'Three events, one already stored'],
  ['listEvents', 'Newest events of a customer in January'],
  ['listCustomerUsage', 'By day'],
  ['getUpcomingInvoice', 'Three calls, two of them covered by credit'],
  ['changePlan', 'To a plan by tokens, as a preview'],
  ['listPeriods', 'The first month'],
  ['advanceTestClock', 'To the end of January'],
  ['getInvoice', 'Three calls, two of them covered by credit'],
  ['getUpcomingInvoiceComparison', 'A month without a call so far'],
  ['search', 'An invoice by its number'],
  ['listInvoices', 'Open invoices of a customer'],
  ['listInvoices', 'Invoices issued in February'],
  ['getInvoiceSummary', 'Open invoices of a customer'],
  ['pauseInvoiceCollection', 'A promise to pay'],
  ['listCollections', 'What is paused'],
  ['getStatement', 'One open invoice'],
  ['sendStatement', 'To the address of the customer'],
  ['resumeInvoiceCollection', 'The promise was not kept'],
  ['pauseCustomerCollection', 'Everything is disputed'],
  ['resumeCustomerCollection', 'Nothing is disputed any more'],
  ['getJournalSummary', 'The trial balance of a month'],
  ['getJournalDocuments', 'A month whose documents are all booked in it'],
  ['closeMonth', 'A month with one invoice'],
  ['listClosedMonths', 'The latest first'],
  ['getClosedMonth', 'A month that is closed'],
  ['openMonth', 'A wrong price'],
  ['getReceivables', 'A customer at the end of February'],
  ['getRevenue', 'A month by customer'],
  ['getRecurringRevenue', 'A month with usage alone, which does not recur'],
  ['listRecurringRevenueMovements', 'Nothing moved'],
  ['listLineItemEvents', 'Newest events of a line item'],
  ['getEvent', 'An event on an invoice'],
  ['listEvents', 'By idempotency key, with the billing status'],
  ['getUsageReport', 'One day for a customer', 'A month of a customer by event name'],
  ['listCreditGrants', 'Grants of a customer'],
  ['getCreditGrant', 'A grant without remaining credit'],
  ['createEvent', 'Late usage of a billed period', 'Without a timestamp'],
  ['getEvent', 'An event that arrived after the invoice of its period'],
  ['regenerateInvoice', 'Preview of the changes', 'With a late event'],
  ['getRegeneration', 'Done'],
  ['createPayment', 'A part'],
  ['reversePayment', 'Recorded by mistake'],
  ['payInvoice', 'Paid by bank transfer'],
  ['listPayments', 'By reference'],
  ['getPayment', 'A payment by transfer'],
  ['createCreditNote', 'Preview', 'Half of a line of a paid invoice'],
  ['getCreditNote', 'A credit note'],
  ['listCreditNotes', 'Of a customer'],
  ['setEmailText', 'A text of your own'],
  ['getEmailText', 'The text of emails now'],
  ['deleteEmailText', "Tidemark's text again"],
  ['sendInvoice', 'To the address of the customer'],
  ['getEmail', 'One that waits'],
  ['cancelEmail', 'To the wrong address'],
  ['listEmails', 'Canceled emails of an invoice'],
  ['resendEmail', 'To another address'],
  ['sendCreditNote', 'To the address of the customer'],
  ['sendReceipt', 'To the address of the customer'],
  ['voidCreditNote', 'Issued by mistake'],
  ['advanceTestClock', 'To the end of February, with held drafts'],
  ['getInvoiceComparison', 'A month with fewer calls, and without credit'],
  ['finalizeInvoice', 'A draft'],
  ['voidInvoice', 'For goodwill'],
  ['listAuditEntries', 'Who voided an invoice'],
  ['createPortalSession', 'A link for an hour'],
  ['listPortalSessions', 'Links of a customer'],
  ['getPortalSession', 'A link'],
  [
    'revokePortalSession',
    'A link that went to the wrong person',
    'A payer who is done, with the link as the key',
  ],
  ['createPortalSession', 'A link that opens at an invoice'],
  ['listPayments', 'Of an invoice, with a portal link as the key'],
  ['generateInvoices', 'A period with a void invoice', 'No period is due'],
  ['createBalanceAdjustment', 'For goodwill'],
  ['getBalanceEntry', 'An adjustment'],
  ['applyBalance', 'All of the balance'],
  ['listBalanceEntries', 'Newest first'],
  ['createDeposit', 'A transfer in advance'],
  ['reversePaymentById', 'Taken back by the bank'],
  ['matchTransfers', "Rows of a bank's file"],
  ['createTransfer', 'More than what is due'],
  ['getTransfer', 'Of an invoice and in advance'],
  ['listTransfers', 'Of a customer'],
  ['reverseTransfer', 'Recorded for the wrong customer'],
  ['createInvoiceItem', 'Hours of work'],
  ['getInvoiceItem', 'A pending item'],
  ['listInvoiceItems', 'Pending items of a customer'],
  ['deleteInvoiceItem', 'Posted by mistake'],
  ['createDiscount', '10 percent off the calls of a year'],
  ['getDiscount', 'A discount of all subscriptions'],
  ['listDiscounts', 'Discounts of a customer that have not ended'],
  ['endDiscount', 'Half a year earlier'],
  ['createDiscount', '25.00 off each month of a quarter'],
  ['createCreditGrant', 'Asked for 90 days, but ends with the period: a preview'],
  ['createCreditGrant', 'Credit for the current period'],
  ['voidCreditGrant', 'A grant that is not used yet'],
  ['changePlan', 'At the end of the period'],
  ['takeBackChange', 'The plan goes on'],
  ['createPlanMigration', 'A preview', 'All subscribers, each at the end of its period'],
  ['getPlanMigration', 'One that is done'],
  ['listPlanMigrations', 'Newest first'],
  ['listPlanMigrationOutcomes', 'What was changed'],
  ['takeBackPlanMigration', 'What is still scheduled'],
  ['stopPlanMigration', 'One that runs'],
  ['cancelSubscription', 'At the end of the period', 'In the middle of the month, in its place'],
  ['takeBackCancel', 'The subscription goes on'],
  ['createSubscription', 'With a trial of two weeks'],
  ['changeTrial', 'A week longer'],
  ['updateSubscription', 'Billed at 500.00 of usage'],
  ['createPricingPlan', 'An amount for each seat'],
  ['createSubscription', 'With ten seats'],
  [
    'changeQuantities',
    'Five more from the middle of the month on, as a preview',
    'Five more from the middle of the month on',
  ],
  ['takeBackQuantities', 'Ten seats stay'],
  ['createCustomer', 'A customer by mistake'],
  ['redactCustomer', 'A customer whose events have the address of a person'],
  ['deleteCustomer', 'A customer that was created by mistake'],
  ['getAccount', 'The settings'],
  [
    'updateAccount',
    'A German seller, who is paid within two weeks',
    'Notices a week before a renewal and three days before the end of a trial',
    'Reminders three days before the due date, and 1, 7 and 14 days after it',
    'The numbers of the bookkeeper, and the head of files for DATEV',
  ],
  ['setAccountLogo', 'A PNG file'],
  ['deleteAccountLogo', 'No logo any more'],
];

export const STORY: readonly string[] = CHAPTERS.flatMap(([operation_id, ...names]) =>
  names.map((name) => `${operation_id}: ${name}`),
);

/** Sends examples to a new stack, in the order of STORY. */
export function storyOn(stack: () => Stack) {
  const request = requestsTo(stack);
  const shown = shownExamples();
  const exampleMatcher = createLikeness();
  let receiver: Receiver | null = null;

  const untilFinished = async () =>
    void (await eventually(
      () => stack().pool.query('select from plan_migrations where finished_at is not null'),
      ({ rowCount }) => rowCount === 1,
    ));

  /** Actions that no request can do: set the clock to the start of the story, and look up the id of a finished regeneration. */
  const BESIDE: Readonly<Record<string, () => Promise<void>>> = {
    'createCustomer: A customer': async () =>
      void (await stack().pool.query(`update customers set test_clock = '2026-01-01T00:00:00Z'`)),
    'listChanges: Credit of a customer, as soon as there is some': async () =>
      void (await eventually(
        () => stack().pool.query(`select from webhook_deliveries where status = 'delivered'`),
        ({ rowCount }) => rowCount === 1,
      )),
    'resendWebhookDelivery: A change that the receiver has lost': async () =>
      void (await stack().pool.query(
        `update webhook_deliveries set status = 'failing', next_attempt_at = 'infinity'`,
      )),
    'createPlanMigration: All subscribers, each at the end of its period': untilFinished,
    'takeBackPlanMigration: What is still scheduled': async () => {
      await untilFinished();
      await stack().pool.query(`update plan_migrations set status = 'running', finished_at = null`);
    },
    'sendInvoice: To the address of the customer': async () =>
      void (await stack().pool.query(
        `update emails set status = 'queued', next_attempt_at = '9999-01-01' where created_by is not null`,
      )),
    'regenerateInvoice: With a late event': async () => {
      const { rows } = await stack().pool.query<{ id: string }>('select id from regenerations');
      exampleMatcher.bind(REGENERATION, rows[0]!.id);
    },
  };

  /** The portal link that sends an example, where it is no key of staff. */
  const newLink = async (): Promise<string> => {
    const body = exampleMatcher.toReal({ customer_id: 'acme' });
    return tokenOf((await request('/v1/portal-sessions', { method: 'POST', body })).body.url);
  };
  const SENT_BY_LINKS = [
    'revokePortalSession: A payer who is done, with the link as the key',
    'listPayments: Of an invoice, with a portal link as the key',
  ];

  return {
    shown,
    exampleMatcher,
    tell: async (name: string): Promise<Received> => {
      if (receiver === null) exampleMatcher.bind(RECEIVER_URL, (receiver = await aReceiver()).url);
      const { method, path, body, answer } = shown.get(name)!;
      const sent = body === undefined ? { method } : { method, body: exampleMatcher.toReal(body) };
      const sender = SENT_BY_LINKS.includes(name) ? { key: await newLink() } : {};
      const received = await request(exampleMatcher.toReal(path), { ...sent, ...sender });
      exampleMatcher.learn(answer, received.body);
      await BESIDE[name]?.();
      return received;
    },
  };
}
