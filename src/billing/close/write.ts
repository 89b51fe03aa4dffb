import { moveCredit, type CreditMove } from '../../db/credit/credit-draws.ts';
import { expireGrants } from '../../db/credit/expired-credit.ts';
import { noteStatusesOf } from '../../db/subscriptions/noted-status.ts';
import { changePeriods } from '../../db/subscriptions/periods.ts';
import { moveBalances } from '../../db/invoicing/balance.ts';
import { writeDrafts, type DraftToWrite } from '../../db/invoicing/drafts.ts';
import { splitItems } from '../../db/invoicing/invoice-items.ts';
import { issueDrafts, type DraftToIssue } from '../../db/invoicing/issue.ts';
import { keepLineGroups } from '../../db/invoicing/line-groups.ts';
import { writeLines, type StoredLine } from '../../db/invoicing/line-items.ts';
import { writeSpans } from '../../db/invoicing/line-spans.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { DecidedClose, Issue } from '../../domain/invoice/close.ts';
import type { InvoiceCause } from '../../domain/lines/invoice-state.ts';
import type { AutomaticNote } from '../../domain/invoice/automatic-note.ts';
import { isZero, negated } from '../../domain/money/figures.ts';
import { keyOfLine, type LineDraw } from '../../domain/lines/line-item.ts';
import { lineKey } from '../../domain/pricing/series.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import { newId } from '../../keys/ids.ts';
import { issueNote } from '../notes/issue-note.ts';
import type { How } from './load.ts';

/** A decided close of a subscription, with the lines that its draft has; `invoice_id` is null if it makes none. */
export type CloseToWrite = DecidedClose & {
  subscription: Subscription;
  invoice_id: string | null;
  is_new: boolean;
  replaces: string | null;
  cause: InvoiceCause | null;
  stored: readonly StoredLine[];
};

type Draft = DraftToWrite & {
  notes: readonly AutomaticNote[];
  issue: Issue | null;
  stored: readonly StoredLine[];
  lines: ReadonlyMap<string, StoredLine>;
};

/**
 * Writes closes by a fixed number of statements. The numbers come last: from there to the end of the transaction every
 * other invoice of the environment waits.
 */
export async function writeCloses(
  db: Db,
  environment_id: number,
  closes: readonly CloseToWrite[],
  { onPart, beforeNumber }: Pick<How, 'onPart' | 'beforeNumber'>,
): Promise<void> {
  const began_at = performance.now();
  const changed = closes.filter(({ subscription }) => subscription.has_new_status);
  // Before the invoices, so that a client learns in this order why there is one.
  if (changed.length > 0)
    await noteStatusesOf(
      db,
      environment_id,
      changed.map(({ subscription }) => subscription.id),
    );
  const changes = closes.flatMap(({ subscription, periods }) =>
    periods.map((change) => ({ ...change, subscription_id: subscription.id })),
  );
  await changePeriods(db, environment_id, changes);
  const to_write = closes.flatMap(({ draft, invoice_id, ...close }) =>
    draft === null ? [] : [{ ...close, ...draft, id: invoice_id! }],
  );
  await writeDrafts(db, environment_id, to_write);
  const drafts = await writeContent(db, environment_id, to_write);
  const issued = drafts.flatMap(({ issue, ...draft }) => (issue === null ? [] : [{ ...draft, issue }]));
  await writeNotes(db, issued);
  const to_issue = await writeIssues(db, environment_id, issued);
  await beforeNumber?.();
  const written_at = performance.now();
  onPart?.('write', written_at - began_at);
  await issueDrafts(db, environment_id, to_issue);
  if (to_issue.length > 0) onPart?.('number', performance.now() - written_at);
}

/** Lines, spans and groups of drafts; returns the drafts with their lines by `keyOfLine`. */
async function writeContent(
  db: Db,
  environment_id: number,
  drafts: readonly Omit<Draft, 'lines'>[],
): Promise<Draft[]> {
  const draft_lines = drafts.map(({ id, subscription, stored, composed }) => ({
    subscription_id: subscription.id,
    invoice_id: id,
    stored,
    lines: composed.line_items,
  }));
  const lines = await writeLines(db, environment_id, draft_lines);
  const written = drafts.map((draft) => {
    const of_draft = lines.get(draft.id)!;
    return { ...draft, lines: new Map(of_draft.map((line) => [keyOfLine(line), line])) };
  });
  const held_spans = written.flatMap(({ spans, lines }) =>
    (spans ?? []).map((of_line) => ({ line_item_id: lines.get(of_line.line_key)!.id, spans: of_line.spans })),
  );
  const counted_again = written.filter(({ spans }) => spans !== null);
  const remainingIds = (draft: Draft) => {
    const ids = new Set([...draft.lines.values()].map(({ id }) => id));
    return draft.stored.map(({ id }) => id).filter((id) => ids.has(id));
  };
  await writeSpans(db, environment_id, { held_spans, rewritten: counted_again.flatMap(remainingIds) });
  const groups = drafts.flatMap(({ groups, subscription }) =>
    groups.map((group) => ({ ...group, subscription_id: subscription.id })),
  );
  await keepLineGroups(db, environment_id, groups);
  return written;
}

type Issued = Draft & { issue: Issue };

/** Issues automatic credit notes, which give to the balances from which the invoices take. */
async function writeNotes(db: Db, drafts: readonly Issued[]): Promise<void> {
  for (const { id, subscription, notes } of drafts)
    for (const { is_of_issue, ...note } of notes)
      await issueNote(db, subscription, { ...note, cause_invoice_id: is_of_issue ? id : null, by: null });
}

/** Draws credit, takes from the balances and splits items; returns what gets a number then. */
async function writeIssues(
  db: Db,
  environment_id: number,
  drafts: readonly Issued[],
): Promise<DraftToIssue[]> {
  if (drafts.length === 0) return [];
  await moveCredit(db, environment_id, drafts.flatMap(creditMovesOf));
  const entries = drafts
    .filter((draft) => !isZero(draft.issue.balance))
    .map(({ id: invoice_id, subscription: { customer_id, now: at }, issue: { balance } }) => ({
      ...({ id: newId('bal'), type: 'applied', by: null } as const),
      customer_id,
      amount: negated(balance),
      invoice_id,
      at,
    }));
  if ((await moveBalances(db, environment_id, entries)) !== entries.length)
    throw new Error('a balance is not as it was read');
  const splits = drafts.flatMap(({ composed, subscription: { now: at } }) =>
    composed.splits.map((split) => ({ ...split, rest_id: newId('ii'), at })),
  );
  await splitItems(db, environment_id, splits);
  const customers = drafts.map(({ subscription: { customer_id, now } }) => ({ customer_id, now }));
  await expireGrants(db, environment_id, { customers, issuing: drafts.map(({ id }) => id) });
  return drafts.map(({ id, issue, lines }) => ({
    id,
    ...issue,
    lines: [...lines.values()].map(({ position: _, full_period_start: __, ...line }) => line),
  }));
}

function creditMovesOf({ id: invoice_id, composed, lines, subscription: { now: at } }: Issued): CreditMove[] {
  const moves = (kind: CreditMove['kind'], draws: readonly LineDraw[]) =>
    draws.map(({ grant_id, amount, ...line }) => ({
      kind,
      grant_id,
      amount,
      invoice_id,
      at,
      line_item_id: lines.get(lineKey(line))!.id,
    }));
  const { returns, draws, credit } = composed;
  return [...moves('returned', returns), ...moves('drawn', draws), ...moves('held', credit)];
}
