import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { hiddenOf, routeForPayers } from '../../../api/access/payer-view.ts';
import { permissionOf } from '../../../api/access/permissions.ts';
import { confinementOf, portalOperations } from '../../../api/access/portal.ts';
import type { Route } from '../../../api/routing/route.ts';
import { routes } from '../../../api/routes.ts';
import { impossible, type BillingError } from '../../../src/domain/money/errors.ts';
import { responseObject } from '../../../src/objects/parts.ts';
import type { Json } from '../../support/servers/api.ts';

const READ_BY_LINKS = routes.filter((route) => permissionOf(route).portal !== null);

/** Members of the objects that a portal link reads, by the title of their schemas: a new member is a decision whether a payer sees it. */
const SEEN: Readonly<Record<string, string>> = {
  CreditGrant: `amount carry_over_max carry_over_until created_at customer_id event_names expires_at id ledger livemode object remaining rollover
    status subscription_id`,
  CreditNote: `automatic created_at currency customer customer_id id invoice_id invoice_number issued_at lines livemode number object outside reason
    seller sent_at status subtotal tax timezone to_balance to_invoice total voided_at`,
  CreditNoteOfInvoice: 'automatic id number status total',
  Customer: `address balance billing_emails buyer_reference created_at credit_remaining currency email email_muted external_id id language livemode name net_days object redaction tax_ids
    tax_rate tax_treatment test_clock timezone`,
  Event: 'created_at customer_id event_name id idempotency_key livemode object properties timestamp',
  Invoice: `amount_due amount_paid balance_applied balance_at_issue cause collection created_at credit_notes credited credits_applied currency customer customer_id
    due_date hide_zero_lines id issued_at kind line_items livemode logo_sha256 number object opening_number overdue paid_at payment_status payments period_end period_start
    plan_id replaced_by replaces seller sent_at status subscription_id subtotal tax timezone total voided_at`,
  InvoiceCollection: 'attempts next_attempt_at status',
  InvoiceComparison: 'currency difference invoice_id lines object total with_invoice_id with_total',
  InvoiceSummary: 'data object',
  InvoiceSum: 'amount_due amount_paid count currency status tax total',
  ComparedLine: 'amount causes difference event_name group kind quantity title with_amount with_quantity',
  LedgerEntry: 'amount created_at invoice_id line_item_id type',
  LineItem: `aggregation amount amount_before billable_quantity billed_before charge_id credits_applied description discounts event_name group id invoice_item others period_end period_start
    price_index pricing_model quantity skipped_events stretches tiers type`,
  Payment:
    'amount created_at currency customer_id id invoice_id livemode object paid_at refundable refunded reversed_at to_balance transfer_id',
  PaymentMethod: 'created_at customer_id expires id is_default label livemode object status type',
  PaymentSession:
    'amount created_at currency customer_id expires_at id invoice_id livemode object payment_id save status url',
  PricingPlan:
    'archived_at charges created_at currency customer_id grants id interval interval_count key livemode minimum_amount name object pricing_model version',
  PortalSession:
    'created_at customer_id expires_at id livemode logo_sha256 object revoked_at saves_payment_methods',
  PendingQuantities: 'at quantities',
  Redaction: 'events kept properties redacted_at',
  Statement: 'amount_due as_of balance currency customer_id data object overdue_amount',
  StatementLine: 'amount_due days_overdue due_date invoice_id issued_at number total',
  Stretch: 'amount period_end period_start quantity',
  Subscription: `bill_at billing_anchor cancel_at canceled_at created_at current_period_end current_period_start customer_id id livemode object pending_change
    pending_quantities plan_id quantities start_date status timezone trial_end_date`,
  UpcomingInvoice: `credits_applied currency customer_id kind line_items livemode object period_end period_start plan_id subscription_id subtotal tax
    timezone total`,
  Usage: 'aggregation charge_id event_name group plan_id plan_name plan_version quantity',
};

/** Names of members that staff write, or that say who they are, and how billing works. */
const OF_STAFF = /(_by|reason|metadata|attention|unbilled_since|workflow_id|reference|note|description)$/;
/** Members with such names that are printed on documents all the same, or are the payer's own. */
const PRINTED = [
  ...['BilledCustomer.buyer_reference', 'Customer.buyer_reference', 'CreditNote.reason', 'Tax.note'],
  ...[
    'Invoice.replaced_by',
    'LineItem.description',
    'UpcomingLineItem.description',
    'CreditNoteLine.description',
  ],
  ...['group_by'],
];

/** The members of all objects in the responses that portal links get, by title. */
function membersByTitle(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const visit = (schema: Json): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { title = '', properties = {}, anyOf = [], items } = schema;
    const members = found.get(title) ?? new Set<string>();
    if ('properties' in schema) found.set(title, members);
    for (const [name, member] of Object.entries<Json>(properties)) {
      members.add(name);
      // Nothing of a member that is hidden is seen.
      if (!hiddenOf(title).includes(name)) visit(member);
    }
    anyOf.forEach(visit);
    visit(items);
  };
  for (const { responses } of READ_BY_LINKS) visit(responses[200]);
  return found;
}

describe('what a payer sees', () => {
  const members = membersByTitle();

  for (const [title, seen] of Object.entries(SEEN))
    it(`of ${title}: each member is seen, or hidden`, () =>
      assert.deepEqual(
        [...members.get(title)!].toSorted(),
        [...seen.trim().split(/\s+/), ...hiddenOf(title)].toSorted(),
      ));

  it('is nothing that staff write for themselves, by the names of members', () => {
    const suspects = [...members].flatMap(([title, names]) =>
      [...names]
        .filter((name) => OF_STAFF.test(name) && !hiddenOf(title).includes(name))
        .map((name) => `${title}.${name}`),
    );
    const forgotten = suspects.filter((name) => !PRINTED.includes(name) && !name.endsWith('.group_by'));
    assert.deepEqual(forgotten, []);
  });

  it('is decided for every object with an id', () => {
    const decided = Object.keys(SEEN);
    const undecided = [...members].filter(
      ([title, names]) => names.has('object') && !decided.includes(title),
    );
    assert.deepEqual(
      undecided.map(([title]) => title),
      [''],
    );
  });
});

describe('a process', () => {
  const ROUTE: Route = {
    ...{ method: 'get', path: '/v1/invoices/{id}', operation_id: 'getInvoice', tag: 'Invoices', summary: '' },
    responses: { 200: responseObject('Invoice', { id: Type.String() }) },
    handle: () => Promise.reject(new Error()),
  };

  it('has every operation that a portal link may use', () =>
    assert.deepEqual(
      READ_BY_LINKS.map(({ operation_id }) => operation_id).toSorted(),
      portalOperations().toSorted(),
    ));

  it('does not start where a portal link cannot be kept to its customer', () => {
    const unfit: Route[] = [
      { ...ROUTE, path: '/v1/invoices' },
      { ...ROUTE, method: 'post' },
      { ...ROUTE, path: '/v1/portal-sessions', method: 'post', operation_id: 'revokePortalSession' },
      { ...ROUTE, path: '/v1/invoices', operation_id: 'listInvoices' },
    ];
    for (const route of unfit) assert.throws(() => confinementOf(route), /cannot be kept to its customer/);
    assert.equal(confinementOf({ ...ROUTE, operation_id: 'constructor' }), null);
  });

  it('tells a payer nothing of why a subscription cannot be billed', async () => {
    const sentence = 'The usage of charge chg_1 was not counted.';
    const handle = () => Promise.reject(impossible(sentence));
    const route = routeForPayers({ ...ROUTE, responses: { 200: Type.Object({}) }, handle });
    const messageFor = (customer: object | null): Promise<string> =>
      route.handle({ caller: { customer } } as never).then(
        () => '',
        ({ details }: BillingError) => details[0]!.message,
      );
    assert.equal(await messageFor({ id: 'cus_1' }), 'no invoice can be made at present');
    assert.equal(await messageFor(null), sentence);
  });

  it('does not start where what is hidden of an object has another name', () =>
    assert.throws(() => routeForPayers(ROUTE), /lacks the member void_reason/));
});
