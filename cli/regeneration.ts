import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Invoice } from '../src/objects/invoice.ts';
import type { Regeneration, RegenerationPreview } from '../src/objects/regeneration.ts';
import { faultLines, type Api } from './api.ts';
import { Failure } from './failure.ts';
import { inColumns } from './output.ts';

/** How long to wait for a regeneration that the API has left to the workflow. */
const WAIT_MAX_MS = 60_000;
const POLL_INTERVAL_MS = 1000;

/** The changes of a regeneration as text: one row per changed field, then the events that would be added. */
export function previewText({ current, changes, events_added }: RegenerationPreview): string {
  const rows = changes.map((change) => [
    nameOf(change),
    change.field,
    change.before ?? '-',
    change.after ?? '-',
  ]);
  const added = events_added.map(
    ({ charge_id, period_start, count }) =>
      `${count} additional events of ${charge_id}, period from ${period_start}`,
  );
  return [
    `${current.number ?? 'The draft'} (${current.id}), total ${current.currency} ${current.total}, would be replaced:`,
    rows.length === 0
      ? 'No amounts would change.'
      : inColumns([['LINE', 'FIELD', 'BEFORE', 'AFTER'], ...rows]),
    ...added,
  ].join('\n');
}

function nameOf({ line_item }: RegenerationPreview['changes'][number]): string {
  if (line_item === null) return 'invoice';
  return `${line_item.event_name ?? line_item.invoice_item?.id}, ${line_item.type} from ${line_item.period_start.slice(0, 10)}`;
}

/**
 * Voids the invoice and bills its period again. Returns the new invoice. Throws a Failure with the reason if it is
 * refused.
 */
export async function regenerate(api: Api, invoice_id: string, reason: string | undefined): Promise<Invoice> {
  const path = `/v1/invoices/${encodeURIComponent(invoice_id)}/regenerate`;
  const headers = { 'Idempotency-Key': randomUUID() };
  const { body } = await api.call<Invoice | ({ object: 'regeneration' } & Regeneration)>('POST', path, {
    body: { reason },
    headers,
  });
  return body.object === 'invoice' ? body : onceServed(api, body);
}

/** The API answers 202 after 10 s, for example if Temporal is down; the request remains stored, so poll it. */
async function onceServed(api: Api, regeneration: Regeneration): Promise<Invoice> {
  const path = `/v1/regenerations/${regeneration.id}`;
  const deadline = performance.now() + WAIT_MAX_MS;
  for (let served = regeneration; ; served = await api.get<Regeneration>(path)) {
    const { status, new_invoice_id, refusal, details } = served;
    if (new_invoice_id !== null) return api.get<Invoice>(`/v1/invoices/${new_invoice_id}`);
    if (status === 'refused')
      throw new Failure(details === null ? (refusal ?? 'the regeneration was refused') : faultLines(details));
    if (performance.now() > deadline)
      throw new Failure(
        `${regeneration.id} is still pending and will be processed automatically; check GET ${path}, or run doctor`,
      );
    await pause(POLL_INTERVAL_MS);
  }
}
