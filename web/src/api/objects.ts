import type { components } from './schema.ts';

/**
 * Objects of the API by the names that the pages use. Money and quantities are decimal strings, instants are RFC 3339
 * in UTC. Their members are in schema.ts, which a test generates from the schemas of the routes: change one there, in
 * src/objects or api.
 */
type Schemas = components['schemas'];

/** A page of a list. */
export type List<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null };

export type Environment = 'test' | 'live';

export type ErrorContent = Schemas['ErrorContent'];
/** One fault of a request; `param` is the path of the field, such as charges[0].tiers[1].unit_amount. */
export type FaultDetail = Schemas['ErrorDetail'];

export type UsageEvent = Schemas['Event'];
export type EventWithBilling = Schemas['EventWithBilling'];
export type EventBilling = Schemas['EventBilling'];
export type BillingStatus = EventBilling['status'];
/** Events of each day by billing status; `day` is its midnight. */
export type UsageReport = Schemas['UsageReport'];

export type Customer = Schemas['Customer'];
/** Usage; with `group_by`, `group` is the day, the hour or the property's value. */
export type Usage = Schemas['Usage'];
export type Aggregation = Schemas['LineAggregation'];
export type CreditGrant = Schemas['CreditGrant'];
/** A grant as it would be, with its last day. */
export type CreditGrantPreview = Schemas['CreditGrantPreview'];
/** A percent off the lines of a customer, or an amount off its full periods. */
export type Discount = Schemas['Discount'];
/** The account at a provider with which customers are charged. */
export type PaymentProvider = Schemas['PaymentProvider'];
export type PaymentMethod = Schemas['PaymentMethod'];
export type PaymentMethodSession = Schemas['PaymentMethodSession'];
/** One charge of an invoice. */
export type PaymentAttempt = Schemas['PaymentAttempt'];
/** A page of the provider on which an invoice is paid. */
export type PaymentSession = Schemas['PaymentSession'];
/** Money of a charge that goes back to its payer, by a refund or by the payer's bank. */
export type PaymentRefund = Schemas['PaymentRefund'];
export type PaymentDispute = Schemas['PaymentDispute'];
export type TestClock = Schemas['TestClock'];
/** Test clocks by the external ids of their customers. */
export type TestClocks = Schemas['TestClocks'];

export type Plan = Schemas['PricingPlan'];
/** A plan as it would be, and in what it differs from the version before or from its base. */
export type PlanPreview = Schemas['PricingPlanPreview'];
export type Charge = Schemas['Charge'];
export type Tier = Schemas['Tier'];
export type Subscription = Schemas['Subscription'];
export type SubscriptionPeriod = Schemas['Period'];
/** The invoices and credit notes that other quantities lead to. */
export type QuantityChangePreview = Schemas['QuantityChangePreview'];
/** The invoices that a change of plan leads to. */
export type PlanChangePreview = Schemas['PlanChangePreview'];
/** A move of all subscribers of a plan to another one, and what both plans charge them. */
export type PlanMigration = Schemas['PlanMigration'];
export type PlanMigrationOutcome = Schemas['PlanMigrationOutcome'];
export type PlanMigrationPreview = Schemas['PlanMigrationPreview'];

export type Invoice = Schemas['Invoice'];
/** Invoices of one status and currency, added up. */
export type InvoiceSum = Schemas['InvoiceSum'];
export type InvoiceSummary = Schemas['InvoiceSummary'];
/** Debits and credits of the journal, by currency and account. */
export type JournalSummary = Schemas['JournalSummary'];
export type JournalSum = Schemas['JournalSum'];
/** Documents of a month by their day and by the journal. */
export type JournalDocuments = Schemas['JournalDocuments'];
export type ClosedMonth = Schemas['ClosedMonth'];
/** The amounts that customers owe, by the days since they were due. */
export type Receivables = Schemas['Receivables'];
export type Debtor = Schemas['Debtor'];
export type ReceivableSum = Schemas['ReceivableSum'];
export type Payment = Schemas['Payment'];
export type CreditNote = Schemas['CreditNote'];
/** A credit note as it would be now: no number, no state. */
export type CreditNotePreview = Schemas['CreditNotePreview'];
export type InvoiceItem = Schemas['InvoiceItem'];
export type BalanceEntry = Schemas['BalanceEntry'];
/** An object that the search finds; `object` says which it is. */
export type Found = Customer | Invoice | CreditNote | Subscription | Payment | UsageEvent | Plan;
export type LineItem = Schemas['LineItem'];
export type PricedTier = Schemas['PricedTier'];
export type UpcomingInvoice = Schemas['UpcomingInvoice'];
export type UpcomingLineItem = Schemas['UpcomingLineItem'];
/** The members that an invoice and the upcoming one have in common, but for their lines. */
export type Bill = Pick<Invoice, Exclude<keyof UpcomingInvoice & keyof Invoice, 'object' | 'line_items'>>;
/** An invoice beside another one, line by line, with causes. */
export type InvoiceComparison = Schemas['InvoiceComparison'];
export type ComparedLine = Schemas['ComparedLine'];
/** Revenue by month, week or day, and by group. */
export type Revenue = Schemas['Revenue'];
export type RevenueBucket = Schemas['RevenueBucket'];
/** Recurring revenue at the end of each month. */
export type RecurringRevenue = Schemas['RecurringRevenue'];
export type RecurringRevenueMonth = Schemas['RecurringRevenueMonth'];
export type RecurringRevenueMovement = Schemas['RecurringRevenueMovement'];
/** One difference between an invoice and its period billed again now. */
export type InvoiceChange = Schemas['Change'];
export type RegenerationPreview = Schemas['RegenerationPreview'];
export type Regeneration = Schemas['Regeneration'];

/** Objects of /dashboard/api. */
export type Dashboard = Schemas['Dashboard'];
export type Session = Schemas['Session'];
/** The amount that a customer owes, and its plans. */
export type CustomerFigures = Schemas['CustomerFigures'];
/** Ways to sign in besides links. */
export type SignInMethods = { passkey: boolean; oidc: boolean };
/** An act, and who did it. */
export type AuditEntry = Schemas['AuditEntry'];
export type Passkey = Schemas['Passkey'];
export type User = Schemas['User'];
/** A user with the link that signs in, which is returned once. */
export type InvitedUser = Schemas['InvitedUser'];
/** A link by which a customer reads its own documents and usage. */
export type PortalSession = Schemas['PortalSession'];
/** A portal link with its address, which is returned once. */
export type NewPortalSession = Schemas['NewPortalSession'];
export type ApiKey = Schemas['ApiKey'];
export type NewApiKey = Schemas['NewApiKey'];
/** Money that a customer paid at once. */
export type Transfer = Schemas['Transfer'];
/** The invoices that rows of a bank's file pay. */
export type TransferMatch = Schemas['TransferMatch'];
export type MatchedRow = Schemas['MatchedRow'];
export type MatchCandidate = Schemas['MatchCandidate'];
/** An address to which changes are posted. */
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type NewWebhookEndpoint = Schemas['NewWebhookEndpoint'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type OpenedDelivery = Schemas['WebhookDeliveryWithTries'];
export type FeedChange = Schemas['FeedChange'];
export type FeedPage = Schemas['FeedPage'];
export type Account = Schemas['Account'];
/** A message to a payer, and its fate. */
export type Email = Schemas['Email'];
/** A pause of reminders and charges. */
export type CollectionPause = Schemas['CollectionPause'];
/** An open invoice that is overdue or paused. */
export type CollectionCase = Schemas['CollectionCase'];
/** The open invoices of a customer, and their sums. */
export type Statement = Schemas['Statement'];
/** The text of a kind of email in a language. */
export type EmailText = Schemas['EmailText'];
export type Address = Schemas['Address'];
export type TaxId = Schemas['TaxId'];
export type Home = Schemas['Home'];
/** Events of the days that Home is about, by billing status. */
export type EventStatuses = Schemas['EventStatuses'];
export type Start = Schemas['Start'];
/** Pending items of a customer that no invoice follows for. */
export type ItemsWithoutInvoice = Schemas['ItemsWithoutInvoice'];
/** Names of events that no charge counts, the most frequent first. */
export type UnratedNames = Schemas['Unrated'];
/** Names by external id and by id; what has none is left out. */
export type Names = Schemas['Names'];
/** The price of a quantity, computed by the server's pricing code. */
export type Price = Schemas['Price'];
