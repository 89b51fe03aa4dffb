import { change, type Plant } from './plant.ts';

const ARCHIVED = `update customers set archived_to = '2026-03-01'
  where id = (select customer_id from invoices where id = $1)`;
/** Changes the invoice, so that it is in the log. */
const TOUCHED = `update invoices set hold_until = hold_until + interval '1 millisecond' where id = $1`;

/** Faults of what must stay when events leave. */
export const ARCHIVE_PLANTS: readonly Plant[] = [
  {
    invariant: 'I45',
    what: 'a line whose events left without a record',
    plant: async (db, { issued }) => {
      await change(db, issued.id, ARCHIVED, TOUCHED);
      return issued.line_items.find(({ type }) => type === 'usage')!.id;
    },
  },
  {
    invariant: 'I45',
    what: 'a draft whose events left',
    plant: (db, { draft }) => change(db, draft.id, ARCHIVED, TOUCHED),
  },
  {
    invariant: 'I45',
    what: 'a period whose events left without an invoice',
    plant: async (db, { draft }) => {
      await change(db, draft.id, ARCHIVED);
      return change(
        db,
        draft.subscription_id,
        `update subscriptions set created_at = created_at + interval '1 millisecond' where id = $1`,
      );
    },
  },
];
