import { BillingError } from '../../src/domain/money/errors.ts';
import { isAtLeast, ROLES, type Role } from '../../src/domain/people/role.ts';
import type { Caller } from '../http/deps.ts';
import type { Route } from '../routing/route.ts';
import { confinementOf, type Confinement } from './portal.ts';

/** Kinds of keys. A full key may do everything in /v1. */
type KeyKind = Exclude<Caller['kind'], 'session' | 'portal'>;

/**
 * Who may use a route: the least role of a person, the kinds of keys, and portal links, kept to their customer; null:
 * none.
 */
export type Permission = { least_role: Role; keys: readonly KeyKind[]; portal: Confinement | null };

/**
 * The operations that need more than the role of a viewer, who may use every other GET (contract.md 9).
 * docs/permissions.md lists all.
 */
const OPERATIONS: Readonly<Record<Role, string>> = {
  viewer:
    'createPasskey endSession getPasskeyOptions listCustomerFigures listNames listPrices listTestClocks removePasskey revokeSession',
  support: `
    advanceTestClock cancelEmail cancelSubscription createCreditGrant createPaymentMethodSession createPaymentSession createPortalSession finalizeInvoice generateInvoices
    pauseCustomerCollection pauseInvoiceCollection refreshPaymentSession regenerateInvoice resendEmail resumeCustomerCollection resumeInvoiceCollection revokePortalSession
    sendCreditNote sendInvoice sendReceipt sendStatement takeBackCancel voidCreditGrant voidInvoice wakeSubscription`,
  finance: `
    applyBalance archivePricingPlan chargeInvoice changePlan changeQuantities changeTrial closeMonth createBalanceAdjustment createCreditNote createCustomer createDeposit
    createDiscount createEvent createEvents createInvoiceItem createPayment createPlanMigration createPricingPlan createSubscription createTransfer
    deleteAccountLogo deleteCustomer deleteEmailText deleteInvoiceItem endDiscount matchTransfers payInvoice previewPricingPlan refundPayment removePaymentMethod reversePayment reversePaymentById
    reverseTransfer setAccountLogo setDefaultPaymentMethod setEmailText stopPlanMigration takeBackChange takeBackPlanMigration takeBackQuantities unarchivePricingPlan updateAccount updateCustomer
    updateSubscription voidCreditNote`,
  admin: `
    createKey createPaymentProvider createWebhookEndpoint deletePaymentProvider deleteWebhookEndpoint getWebhookDelivery getWebhookEndpoint inviteUser listKeys listUsers
    listWebhookDeliveries listWebhookEndpoints openMonth pauseWebhookEndpoint redactCustomer removeUser renewInvitation replayWebhookEndpoint
    resendWebhookDelivery resumeWebhookEndpoint revokeKey revokeSessionsOfUser rotateWebhookSecret skipWebhookDelivery
    testWebhookEndpoint updatePaymentProvider updateUser updateWebhookEndpoint`,
};

const LEAST_ROLES = new Map(
  ROLES.flatMap((role) =>
    OPERATIONS[role]
      .trim()
      .split(/\s+/)
      .map((operation) => [operation, role] as const),
  ),
);
const EVENTS = ['createEvent', 'createEvents'];

/**
 * Who may use a route. Throws an Error for a route that changes something and is not in the table, and for one that
 * portal links may use but that cannot be kept to their customer.
 */
export function permissionOf(
  route: Pick<Route, 'method' | 'operation_id' | 'path' | 'query' | 'session_only'>,
): Permission {
  const { method, operation_id, session_only = false } = route;
  const least_role = LEAST_ROLES.get(operation_id) ?? (method === 'get' ? 'viewer' : null);
  if (least_role === null) throw new Error(`${operation_id} has no least role in permissions.ts`);
  const portal = confinementOf(route);
  if (session_only) return { least_role, keys: [], portal: null };
  const keys: KeyKind[] = ['full'];
  if (method === 'get' && least_role !== 'admin') keys.push('read_only');
  if (EVENTS.includes(operation_id)) keys.push('events_only');
  return { least_role, keys, portal };
}

/** Operations that the table names. */
export function namedOperations(): string[] {
  return [...LEAST_ROLES.keys()];
}

/** Whether a caller may use a route. */
export function isPermitted({ kind, user }: Pick<Caller, 'kind' | 'user'>, permission: Permission): boolean {
  if (kind === 'session') return isAtLeast(user!.role, permission.least_role);
  return kind === 'portal' ? permission.portal !== null : permission.keys.includes(kind);
}

/**
 * Throws unauthorized `not_permitted`, whose message names the role, the kind of key or the portal link, if a caller
 * may not use a route.
 */
export function refuseUnpermitted(caller: Caller, permission: Permission): void {
  if (isPermitted(caller, permission)) return;
  const { kind, user } = caller;
  throw new BillingError('unauthorized', [
    { param: null, reason: 'not_permitted', message: refusalOf(kind, user, permission) },
  ]);
}

function refusalOf(kind: Caller['kind'], user: Caller['user'], permission: Permission): string {
  if (kind === 'session') return `your role is ${user!.role}: this needs the role ${permission.least_role}`;
  if (kind === 'portal')
    return 'a portal link reads what is of its customer, keeps its payment methods, ends itself, and does nothing else';
  return `the key is of kind ${kind}: ${needOfKeys(permission)}`;
}

function needOfKeys({ keys }: Permission): string {
  return keys.length === 0
    ? 'this is only for people who are signed in'
    : `this needs a key of kind ${keys.join(' or ')}`;
}
