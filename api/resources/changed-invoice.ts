import type { Invoice } from '../../src/db/invoicing/invoices.ts';
import type { Deps } from '../http/deps.ts';
import { notFoundError } from '../http/errors.ts';
import type { RouteResponse } from '../routing/route.ts';

/**
 * Responds with a changed invoice and, after the commit, nudges its subscription's workflow. Throws not_found for null.
 */
export function changedInvoice(deps: Deps, environment_id: number, invoice: Invoice | null): RouteResponse {
  if (invoice === null) throw notFoundError();
  const { subscription_id } = invoice;
  const after_commit = () => void deps.nudge([{ environment_id, subscription_id }], 'wake');
  return { status: 200, body: invoice, after_commit };
}
