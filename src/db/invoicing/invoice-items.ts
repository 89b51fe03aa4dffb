import type { ItemSplit } from '../../domain/lines/fitting.ts';
import type { SubscriptionPeriod } from '../../domain/subscription/following-period.ts';
import type { InvoiceItemStatus, ItemToBill } from '../../domain/lines/invoice-item.ts';
import type { Db } from '../connection/pool.ts';

/** An invoice item as the API shows it (contract.md 4). */
export type InvoiceItem = ItemToBill & {
  object: 'invoice_item';
  livemode: boolean;
  created_at: string;
  status: InvoiceItemStatus;
  customer_id: string;
  subscription_id: string;
  currency: string;
  /** The invoice that it is on, a draft too; null while no invoice has it. */
  invoice_id: string | null;
  created_by: string;
  /** The item of which this one is the rest; null for one that a person made. */
  split_from: string | null;
};

/** `customer_id` is our `cus_` id; `by` is the key or the session. */
export type NewInvoiceItem = ItemToBill & {
  customer_id: string;
  subscription_id: string;
  at: string;
  by: string;
};

/** SQL: the invoice `i`, not void, that the item `x` is on. */
const INVOICE_OF_ITEM = `
  select i.id, i.status from line_items l
  join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
  where l.environment_id = x.environment_id and l.invoice_item_id = x.id`;

/** SQL: the status of an item, `i` being its invoice that is not void. */
const STATUS = `case when i.status in ('open', 'paid') then 'invoiced' else 'pending' end`;

const SELECT = `
  select x.id, 'invoice_item' as object, n.livemode, x.created_at, ${STATUS} as status, c.external_id as customer_id,
    x.subscription_id, c.currency, x.description, trim_scale(x.quantity)::text as quantity,
    trim_scale(x.unit_amount)::text as unit_amount, x.amount::text as amount, i.id as invoice_id, x.created_by,
    x.split_from
  from invoice_items x
  join customers c on c.environment_id = x.environment_id and c.id = x.customer_id
  join environments n on n.id = x.environment_id
  left join lateral (${INVOICE_OF_ITEM} limit 1) as i on true`;

/** Stores an item. The caller holds the lock of the customer. */
export async function insertInvoiceItem(db: Db, environment_id: number, item: NewInvoiceItem): Promise<void> {
  await db.query(
    `insert into invoice_items (environment_id, id, customer_id, subscription_id, description, quantity, unit_amount,
       amount, created_at, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      environment_id,
      item.id,
      item.customer_id,
      item.subscription_id,
      item.description,
      item.quantity,
      item.unit_amount,
      item.amount,
      item.at,
      item.by,
    ],
  );
}

/** A split of an item, whose rest gets an id; `at` is the customer's now. */
export type ItemSplitToWrite = ItemSplit & { rest_id: string; at: string };

/**
 * Splits items: each becomes the part that an invoice takes, and its rest is a new item with the same description and
 * maker. The caller holds the locks of the customers.
 */
export async function splitItems(
  db: Db,
  environment_id: number,
  splits: readonly ItemSplitToWrite[],
): Promise<void> {
  if (splits.length === 0) return;
  await db.query(
    `with split as (
       select * from jsonb_to_recordset($2)
         as s(item_id text, amount numeric, rest numeric, rest_id text, at timestamptz)
     ), rest as (
       insert into invoice_items (environment_id, id, customer_id, subscription_id, description, quantity, unit_amount,
         amount, created_at, created_by, split_from)
       select $1, s.rest_id, x.customer_id, x.subscription_id, x.description, 1, s.rest, s.rest, s.at, x.created_by,
         x.id
       from split s join invoice_items x on x.environment_id = $1 and x.id = s.item_id
     )
     update invoice_items x set quantity = 1, unit_amount = s.amount, amount = s.amount
     from split s where x.environment_id = $1 and x.id = s.item_id`,
    [environment_id, JSON.stringify(splits)],
  );
}

/** Marks an item as deleted. The caller holds the lock of the customer and has seen that the item is pending. */
export async function markItemDeleted(
  db: Db,
  environment_id: number,
  { id, at, by }: { id: string; at: string; by: string },
): Promise<void> {
  await db.query(
    `update invoice_items set deleted_at = $3, deleted_by = $4
     where environment_id = $1 and id = $2 and deleted_at is null`,
    [environment_id, id, at, by],
  );
}

/** The items with these ids that were not deleted, in any order. */
export async function readInvoiceItems(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<InvoiceItem[]> {
  const { rows } = await db.query<InvoiceItem>(
    `${SELECT} where x.environment_id = $1 and x.id = any($2) and x.deleted_at is null`,
    [environment_id, ids],
  );
  return rows;
}

/** An item by its id; null if it does not exist or was deleted. */
export async function findInvoiceItem(
  db: Db,
  environment_id: number,
  id: string,
): Promise<InvoiceItem | null> {
  return (await readInvoiceItems(db, environment_id, [id]))[0] ?? null;
}

export type InvoiceItemFilter = {
  customer_id: string | null;
  subscription_id: string | null;
  status: InvoiceItemStatus | null;
};

/** Items that were not deleted, newest first. `customer_id` is the external id or our `cus_` id. */
export async function listInvoiceItems(
  db: Db,
  environment_id: number,
  filter: InvoiceItemFilter & { before: string | null; limit: number },
): Promise<InvoiceItem[]> {
  const { rows } = await db.query<InvoiceItem>(
    `${SELECT}
     where x.environment_id = $1 and x.deleted_at is null
       and ($2::text is null or c.external_id = $2 or c.id = $2)
       and ($3::text is null or x.subscription_id = $3)
       and ($4::text is null or ${STATUS} = $4)
       and ($5::text is null or x.id < $5)
     order by x.id desc limit $6`,
    [environment_id, filter.customer_id, filter.subscription_id, filter.status, filter.before, filter.limit],
  );
  return rows;
}

/** An invoice that may take items; `item_ids` narrows them, null for all. */
type Taker = { subscription_id: string; invoice_id: string | null; item_ids: readonly string[] | null };

/**
 * The items that invoices may take: those of the subscription that were not deleted and are on no other invoice, first
 * the ones that add to the invoice, each kind in the order of writing.
 */
export async function itemsToBill(
  db: Db,
  environment_id: number,
  takers: readonly Taker[],
): Promise<(ItemToBill & { subscription_id: string })[]> {
  const { rows } = await db.query<ItemToBill & { subscription_id: string }>(
    `select x.subscription_id, x.id, x.description, trim_scale(x.quantity)::text as quantity,
       trim_scale(x.unit_amount)::text as unit_amount, x.amount::text as amount
     from jsonb_to_recordset($2) as taker(subscription_id text, invoice_id text, item_ids jsonb)
     join invoice_items x on x.environment_id = $1 and x.subscription_id = taker.subscription_id
       and x.deleted_at is null and (coalesce(jsonb_typeof(taker.item_ids), 'null') = 'null' or taker.item_ids ? x.id)
     where not exists (${INVOICE_OF_ITEM} and i.id is distinct from taker.invoice_id)
     order by x.amount < 0, x.position`,
    [environment_id, JSON.stringify(takers)],
  );
  return rows;
}

/** The number of a subscription's items that are on no issued invoice. */
export async function countPendingItems(
  db: Db,
  environment_id: number,
  subscription_id: string,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from invoice_items x
     where x.environment_id = $1 and x.subscription_id = $2 and x.deleted_at is null
       and not exists (${INVOICE_OF_ITEM} and i.status <> 'draft')`,
    [environment_id, subscription_id],
  );
  return rows[0]!.count;
}

/**
 * Subscriptions, of these, with items that are on no invoice that is not void, and their customers by our `cus_` ids.
 */
export async function subscriptionsWithItems(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<{ subscription_id: string; customer_id: string }[]> {
  const { rows } = await db.query<{ subscription_id: string; customer_id: string }>(
    `select distinct x.subscription_id, x.customer_id from invoice_items x
     where x.environment_id = $1 and x.subscription_id = any($2) and x.deleted_at is null
       and not exists (${INVOICE_OF_ITEM})
     order by x.subscription_id`,
    [environment_id, ids],
  );
  return rows;
}

/**
 * Moves the items of a subscription that are on no invoice that is not void. The caller holds the lock of the customer.
 */
export async function moveItems(
  db: Db,
  environment_id: number,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await db.query(
    `update invoice_items x set subscription_id = $3
     where x.environment_id = $1 and x.subscription_id = $2 and x.deleted_at is null
       and not exists (${INVOICE_OF_ITEM})`,
    [environment_id, from, to],
  );
}

/** An item that no invoice follows for; `customer_id` is the external id. */
type ItemWithoutInvoice = Pick<InvoiceItem, 'id' | 'customer_id' | 'description' | 'amount' | 'currency'>;

/** Pending items of finished subscriptions, of all customers or of one by either id, newest first. */
export async function listItemsWithoutInvoice(
  db: Db,
  environment_id: number,
  { customer_id, limit }: { customer_id: string | null; limit: number },
): Promise<ItemWithoutInvoice[]> {
  const { rows } = await db.query<ItemWithoutInvoice>(
    `select x.id, c.external_id as customer_id, x.description, x.amount::text as amount, c.currency
     from invoice_items x
     join customers c on c.environment_id = x.environment_id and c.id = x.customer_id
     join subscriptions s on s.environment_id = x.environment_id and s.id = x.subscription_id
     where x.environment_id = $1 and x.deleted_at is null and s.finished_at is not null
       and ($2::text is null or c.external_id = $2 or c.id = $2) and not exists (${INVOICE_OF_ITEM})
     order by x.id desc limit $3`,
    [environment_id, customer_id, limit],
  );
  return rows;
}

/**
 * A subscription that may take items: `draft_start` is the period of its oldest draft, `open_kind` the kind of its open
 * period.
 */
export type ItemTaker = {
  id: string;
  draft_start: string | null;
  open_kind: SubscriptionPeriod['kind'] | null;
};

/**
 * The subscriptions of a customer, by our `cus_` id, that are not finished; the one whose invoice comes next is the
 * first, and those in trial are the last.
 */
export async function subscriptionsByNextInvoice(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<ItemTaker[]> {
  const { rows } = await db.query<ItemTaker>(
    `select s.id, d.period_start as draft_start, p.kind as open_kind
     from subscriptions s
     left join lateral (
       select i.period_start, i.period_end from invoices i
       where i.environment_id = s.environment_id and i.subscription_id = s.id and i.status = 'draft'
       order by i.period_start limit 1) as d on true
     left join periods p on p.environment_id = s.environment_id and p.subscription_id = s.id and p.closed_at is null
     where s.environment_id = $1 and s.customer_id = $2 and s.finished_at is null
       and (d.period_end is not null or p.period_end is not null)
     order by d.period_end is null and p.kind = 'trial', coalesce(d.period_end, p.period_end), s.id`,
    [environment_id, customer_id],
  );
  return rows;
}
