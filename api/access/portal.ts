import { isShownToCustomer, type PortalObject } from '../../src/db/account/portal-objects.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { isObject } from '../http/json.ts';
import { notFoundError } from '../http/errors.ts';
import type { Caller } from '../http/deps.ts';
import type { Route } from '../routing/route.ts';

/**
 * The rule that keeps an operation to the customer of a portal link: the filter of a list, the customer itself, the
 * link itself, or the owner of the object in the path. What is the seller's own is the same for all customers.
 */
export type Confinement = 'list' | 'customer' | 'own_link' | 'seller' | PortalObject;

/**
 * All that a portal link may use, each with what keeps it to its customer (contract.md 9): an operation without
 * confinement cannot be in it.
 */
const OPERATIONS: Readonly<Record<string, Confinement>> = {
  getCustomer: 'customer',
  listCustomerUsage: 'customer',
  getStatement: 'customer',
  getStatementPdf: 'customer',
  listSubscriptions: 'list',
  getSubscription: 'subscription',
  getUpcomingInvoice: 'subscription',
  getUpcomingInvoiceComparison: 'subscription',
  listInvoices: 'list',
  getInvoiceSummary: 'list',
  getInvoice: 'invoice',
  getInvoiceComparison: 'invoice',
  getInvoicePdf: 'invoice',
  getInvoiceXml: 'invoice',
  listLineItemEvents: 'invoice',
  listPayments: 'list',
  getPaymentPdf: 'payment',
  listCreditNotes: 'list',
  getCreditNote: 'credit_note',
  getCreditNotePdf: 'credit_note',
  getCreditNoteXml: 'credit_note',
  listCreditGrants: 'list',
  getCreditGrant: 'credit_grant',
  listPaymentMethods: 'list',
  getPaymentMethod: 'payment_method',
  createPaymentMethodSession: 'customer',
  createPaymentSession: 'invoice',
  listPaymentSessions: 'list',
  getPaymentSession: 'payment_session',
  refreshPaymentSession: 'payment_session',
  setDefaultPaymentMethod: 'payment_method',
  removePaymentMethod: 'payment_method',
  getPricingPlan: 'pricing_plan',
  getAccountLogo: 'seller',
  getPortalSession: 'own_link',
  revokePortalSession: 'own_link',
};

/** Acts of a portal link besides reading: it ends itself, keeps the ways in which its customer pays, and pays. */
const ACTS = [
  'revokePortalSession',
  'createPaymentMethodSession',
  'setDefaultPaymentMethod',
  'removePaymentMethod',
  'createPaymentSession',
  'refreshPaymentSession',
];

/** The name by which a portal link reads its customer and ends itself: nobody has sent it their ids. */
const SELF = 'self';

/**
 * The confinement of a route for portal links; null for one that they may not use. Throws an Error, so that the process
 * does not start, for a route that its confinement does not fit.
 */
export function confinementOf(
  route: Pick<Route, 'method' | 'operation_id' | 'path' | 'query'>,
): Confinement | null {
  const { method, operation_id, path, query } = route;
  const confinement = Object.hasOwn(OPERATIONS, operation_id) ? OPERATIONS[operation_id]! : null;
  if (confinement === null) return null;
  const has_filter = isObject(query) && isObject(query['properties']) && 'customer_id' in query['properties'];
  const has_object = confinement !== 'seller';
  const fits = confinement === 'list' ? has_filter : path.includes('/{id}') === has_object && !has_filter;
  if ((method !== 'get' && !ACTS.includes(operation_id)) || !fits)
    throw new Error(`a portal link cannot be kept to its customer at ${path}`);
  return confinement;
}

/** Operations that portal links may use. */
export function portalOperations(): string[] {
  return Object.keys(OPERATIONS);
}

type Asked = { params: Readonly<Record<string, string>>; query: unknown };

/**
 * The parts of a request as it may be answered: of a portal link, kept to its customer; of any other caller, unchanged.
 * Throws not_found for an object of anybody else, or that does not exist.
 */
export async function confined(
  db: Db,
  { environment_id, key_id, customer }: Pick<Caller, 'environment_id' | 'key_id' | 'customer'>,
  confinement: Confinement | null,
  { params, query }: Asked,
): Promise<Asked> {
  if (customer === null) return { params, query };
  if (confinement === null) throw notFoundError();
  if (confinement === 'seller') return { params, query };
  if (confinement === 'list')
    return { params, query: { ...(isObject(query) ? query : {}), customer_id: customer.id } };
  const id = params['id']!;
  const requestFor = (own_id: string) => ({ params: { ...params, id: own_id }, query });
  if (confinement === 'customer' && [SELF, customer.id, customer.external_id].includes(id))
    return requestFor(customer.id);
  if (confinement === 'own_link' && [SELF, key_id].includes(id)) return requestFor(key_id);
  if (confinement === 'customer' || confinement === 'own_link') throw notFoundError();
  const whose = { environment_id, customer_id: customer.id };
  if (!(await isShownToCustomer(db, whose, { kind: confinement, id }))) throw notFoundError();
  return { params, query };
}
