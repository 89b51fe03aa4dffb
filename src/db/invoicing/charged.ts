import type { CollectionStatus } from '../../domain/collection/schedule.ts';
import { IS_PAUSED } from '../customers/collection-pauses.ts';
import { DUE } from './amount-due.ts';

/** SQL: the attempt `a` to charge an invoice is open. */
export const IS_OPEN = `a.status in ('pending', 'processing')`;

/** SQL: an open page on which the invoice `i` is paid, which `more` narrows. */
const openPage = (more = '') => `exists (
    select from payment_pages y
    where y.environment_id = i.environment_id and y.invoice_id = i.id and y.status = 'open'${more})`;

/** SQL: the invoice `i` has a page that its payer can pay, or has paid by a debit that takes days. */
export const HAS_OPEN_PAGE = openPage();

/** SQL: an attempt to charge the invoice `i` is open. */
export const HAS_OPEN_ATTEMPT = `exists (
    select from payment_attempts a
    where a.environment_id = i.environment_id and a.invoice_id = i.id and ${IS_OPEN})`;

/** SQL: a charge of the invoice `i` is under way: an attempt, or a page that was paid by a debit that takes days. */
export const IS_CHARGED = `(${HAS_OPEN_ATTEMPT} or ${openPage(' and y.intent_reference is not null')})`;

/** SQL: the invoices of the customer `c` are charged by themselves: its mode, or that of its environment. */
export const IS_AUTOMATIC_MODE = `coalesce(c.charge_mode, (
    select e.charge_mode from environments e where e.id = c.environment_id)) = 'automatic'`;

/** SQL: a charge of the invoice `i` of `c` is planned. */
export const IS_PLANNED = `exists (
    select from collections k
    where k.environment_id = i.environment_id and k.invoice_id = i.id and k.status = 'scheduled'
      and ${IS_AUTOMATIC_MODE})`;

/** SQL: the state of the plan `k`, or of none, of the invoice `i` of `c`, as the invoice shows it (billing.md 21). */
const COLLECTION_STATUS = `case
      when k.invoice_id is null then 'none'
      when k.status in ('charging', 'processing') then k.status
      when i.status <> 'open' or ${DUE} <= 0 then 'done'
      when not (${IS_AUTOMATIC_MODE}) then 'none'
      when k.status = 'scheduled' and ${IS_PAUSED} then 'paused'
      else k.status end`;

/** SQL: the plan `k` of the invoice `i`, or nulls. */
const PLAN_OF_INVOICE = `(values (1)) as one left join collections k
      on k.environment_id = i.environment_id and k.invoice_id = i.id`;

/** SQL: `collection` of the invoice `i` of `c`. */
export const COLLECTION = `(
    select jsonb_build_object('status', s.status, 'attempts', coalesce(k.attempts, 0),
      'next_attempt_at', case when s.status in ('scheduled', 'paused') then instant_text(k.next_attempt_at) end,
      'workflow_id', 'collect-' || k.invoice_id)
    from ${PLAN_OF_INVOICE} cross join lateral (select ${COLLECTION_STATUS} as status) as s)`;

/** SQL: the plan `k` of the invoice `i` is stored with this status; `done` is any. */
const isStored = (status: CollectionStatus) => `exists (
      select from collections k
      where k.environment_id = i.environment_id and k.invoice_id = i.id
        and ${status === 'done' ? 'true' : `k.status = '${status === 'paused' ? 'scheduled' : status}'`})`;

/** SQL: `collection` of the invoice `i` of `c` has this status; an index finds all but those of `none`. */
export function hasCollectionStatus(status: CollectionStatus): string {
  return `${status === 'none' ? 'true' : isStored(status)}
    and (select ${COLLECTION_STATUS} from ${PLAN_OF_INVOICE}) = '${status}'`;
}
