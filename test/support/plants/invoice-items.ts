import { insertInvoiceItem } from '../../../src/db/invoicing/invoice-items.ts';
import type { Db } from '../../../src/db/connection/pool.ts';
import * as given from '../ledger/billing.ts';
import type { SoundLedger } from '../ledger/sound-ledger.ts';
import { change, type Plant } from './plant.ts';

const ITEM = 'ii_planted';

/** A pending item of the draft's subscription, without an amount, so that the totals of a draft that has it are right. */
async function anItem(db: Db, { draft }: SoundLedger): Promise<void> {
  const { rows } = await db.query<{ customer_id: string }>('select customer_id from invoices where id = $1', [
    draft.id,
  ]);
  await insertInvoiceItem(db, given.LIVE, {
    ...{ id: ITEM, customer_id: rows[0]!.customer_id, subscription_id: draft.subscription_id },
    ...{ description: 'Setup', quantity: '2', unit_amount: '0', amount: '0.00' },
    ...{ at: draft.created_at, by: 'key_1' },
  });
}

const LINE = 'li_planted';

/** A line of the item on the draft. */
async function onDraft(db: Db, { draft }: SoundLedger, id = LINE): Promise<void> {
  await db.query(
    `insert into line_items (environment_id, id, invoice_id, position, type, invoice_item_id, description, quantity,
       skipped_events, credits_applied, billable_quantity, amount, unit_amount, period_start, period_end,
       full_period_start, subscription_id)
     select environment_id, $2, id, 99, 'item', $3, 'Setup', 2, 0, 0, 2, 0.00, 0, period_start, period_end,
       period_start, subscription_id
     from invoices where id = $1`,
    [draft.id, id, ITEM],
  );
}

/** Faults of invoice items. */
export const INVOICE_ITEM_PLANTS: readonly Plant[] = [
  {
    invariant: 'I42',
    what: 'an item that is billed twice',
    plant: async (db, ledger) => {
      await anItem(db, ledger);
      await db.query('drop index line_items_invoice_item');
      await onDraft(db, ledger);
      await onDraft(db, ledger, 'li_again');
      return ITEM;
    },
  },
  {
    invariant: 'I42',
    what: 'a deleted item on a draft',
    plant: async (db, ledger) => {
      await anItem(db, ledger);
      await onDraft(db, ledger);
      return change(
        db,
        ITEM,
        `update invoice_items set deleted_at = now(), deleted_by = 'key_1' where id = $1`,
      );
    },
  },
  {
    invariant: 'I42',
    what: 'a line of an issued invoice that says something else than its item',
    plant: async (db, { with_item }) => {
      const { id, invoice_item } = with_item.line_items.find(({ type }) => type === 'item')!;
      await change(db, invoice_item!.id, `update invoice_items set description = 'Other' where id = $1`);
      return id;
    },
  },
  {
    invariant: 'I42',
    what: 'a draft that says what was erased of its item',
    plant: async (db, ledger) => {
      await anItem(db, ledger);
      await onDraft(db, ledger);
      await change(db, ITEM, `update invoice_items set description = 'Item' where id = $1`);
      await db.query(
        `insert into redactions (environment_id, customer_id, customer_key, properties, redacted_at, redacted_by, epoch,
           finished_at)
         select x.environment_id, x.customer_id, c.key, '{}', now(), 'key_1', 1, now()
         from invoice_items x join customers c on c.environment_id = x.environment_id and c.id = x.customer_id
         where x.id = $1`,
        [ITEM],
      );
      return LINE;
    },
  },
  {
    invariant: 'I42',
    what: 'an item whose amount is not its product',
    plant: async (db, ledger) => {
      await anItem(db, ledger);
      return change(db, ITEM, 'update invoice_items set amount = 9.99 where id = $1');
    },
  },
];
