import type { Client } from '../../api/client.ts';
import { Fault } from '../../api/fault.ts';
import type { Invoice, Regeneration } from '../../api/objects.ts';

const POLL_INTERVAL_MS = 1000;
const POLLS_MAX = 120;

/**
 * Regenerates an invoice, waits until its workflow has done so, and answers with the new one's id. A refusal is a
 * Fault.
 */
export async function regenerated(
  client: Client,
  invoice_id: string,
  body: { reason?: string },
): Promise<string> {
  const answer = await client.post<Invoice | Regeneration>(`/v1/invoices/${invoice_id}/regenerate`, body);
  if (!('new_invoice_id' in answer)) return answer.id;
  let regeneration = answer;
  for (let poll = 0; poll < POLLS_MAX && regeneration.status === 'pending'; poll++) {
    await pause(POLL_INTERVAL_MS);
    regeneration = await client.get<Regeneration>(`/v1/regenerations/${answer.id}`);
  }
  if (regeneration.new_invoice_id !== null) return regeneration.new_invoice_id;
  throw outcomeOf(regeneration);
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

function outcomeOf({ id, refusal, details }: Regeneration): Fault {
  const message =
    refusal ??
    `The regeneration is still pending. The request ${id} is stored and will be processed automatically; do not send it again.`;
  return new Fault({ status: 0, code: 'conflict', message, details: details ?? [], request_id: null });
}
