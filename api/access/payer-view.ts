import { BillingError, impossible } from '../../src/domain/money/errors.ts';
import { isObject } from '../http/json.ts';
import type { Route } from '../routing/route.ts';

type Members = Readonly<Record<string, null | object>>;

/**
 * Members that a payer does not see, by the title of the schema of their object, and what stands there instead: what
 * people of the seller wrote for themselves, who they are, and how billing works (contract.md 9).
 */
const HIDDEN: Readonly<Record<string, Members>> = {
  Customer: { metadata: {}, reminder_days: null, charge_mode: null, collection_pause: null },
  Subscription: { attention: null, unbilled_since: null, workflow_id: null },
  InvoiceCollection: { workflow_id: null },
  Invoice: { void_reason: null, payment_reference: null, collection_pause: null },
  StatementLine: { pause_reason: null },
  Payment: { reference: null, created_by: null, reversal_reason: null, reversed_by: null },
  CreditNote: { created_by: null, void_reason: null, voided_by: null },
  CreditGrant: { note: null },
  PricingPlan: { metadata: {}, based_on: null, overrides: null },
  PortalSession: { created_by: null },
};

/** Returns a value as the payer sees it. */
type PayerView = (value: unknown) => unknown;

/**
 * A route whose responses to portal links are as the payer sees them; to all others they are unchanged. Throws an
 * Error, so that the process does not start, where its schema lacks a member that is hidden, and for a choice of two
 * objects that both hide something.
 */
export function routeForPayers(route: Route): Route {
  const view = viewOf(route.responses[200]) ?? ((body) => body);
  return {
    ...route,
    handle: async (request) => {
      if (request.caller.customer === null) return route.handle(request);
      const response = await route.handle(request).catch((error: unknown) => {
        throw asSeenByPayer(error);
      });
      const body = view(response.body);
      if (typeof body !== 'object' || body === null)
        throw new Error(`${route.operation_id} responds with something else than an object`);
      return { ...response, body };
    },
  };
}

/**
 * An error without the sentence for the people who look after a subscription that cannot be billed: `attention` says
 * the same.
 */
function asSeenByPayer(error: unknown): unknown {
  const is_for_staff =
    error instanceof BillingError && error.details.some(({ reason }) => reason === 'impossible_to_bill');
  return is_for_staff ? impossible('no invoice can be made at present') : error;
}

/** The members that are hidden of the objects with this title. */
export function hiddenOf(title: string): string[] {
  return Object.keys(HIDDEN[title] ?? {});
}

/** Null where nothing is hidden. */
function viewOf(schema: unknown): PayerView | null {
  if (!isObject(schema)) return null;
  const { anyOf, items, properties, title } = schema;
  if (Array.isArray(anyOf)) return viewOfChoice(anyOf);
  if (isObject(properties)) return viewOfObject(properties, HIDDEN[String(title)] ?? {});
  const ofItem = viewOf(items);
  return ofItem && ((value) => (Array.isArray(value) ? value.map(ofItem) : value));
}

function viewOfChoice(choices: readonly unknown[]): PayerView | null {
  const [view = null, ...more] = choices.map(viewOf).filter((choice) => choice !== null);
  if (more.length > 0) throw new Error('what a payer sees of a choice of two objects is not decided');
  return view && ((value) => (value === null ? null : view(value)));
}

function viewOfObject(properties: object, hidden: Members): PayerView | null {
  const lacking = Object.keys(hidden).find((name) => !(name in properties));
  if (lacking !== undefined) throw new Error(`a schema lacks the member ${lacking}, which payers do not see`);
  const views = Object.entries(properties).flatMap(([name, schema]) => {
    const view = viewOf(schema);
    return view === null ? [] : [{ name, view }];
  });
  if (views.length === 0 && Object.keys(hidden).length === 0) return null;
  return (value) => {
    if (!isObject(value)) return value;
    const members: Record<string, unknown> = { ...value, ...hidden };
    for (const { name, view } of views) members[name] = view(members[name]);
    return members;
  };
}
