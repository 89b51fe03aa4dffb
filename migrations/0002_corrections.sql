-- One instant says when a subscription ends or ended: before it the end is scheduled, after it the subscription is canceled. A
-- second column could only disagree.
alter table subscriptions drop column canceled_at;

-- 'late' is the time after the end of a canceled subscription in which late usage is still collected for one last invoice.
alter table periods drop constraint periods_kind_check;
alter table periods add constraint periods_kind_check check (kind in ('trial', 'billing', 'late'));
-- When no late line could come any more; null again once an invoice that bills the period is voided.
alter table periods add column settled_at timestamptz(3);
create index periods_unsettled on periods (environment_id, subscription_id, whole_start) where settled_at is null;

-- A draft whose lines were counted beside a line that is void by now: it is counted again before it is issued.
alter table invoices add column is_stale boolean not null default false;

-- All lines of a charge and an uncut period are priced together (billing.md 5) and are found by these columns.
alter table line_items add column subscription_id text collate "C";
update line_items l set subscription_id = i.subscription_id
from invoices i where i.environment_id = l.environment_id and i.id = l.invoice_id;
alter table line_items alter column subscription_id set not null;
alter table line_items
  add foreign key (environment_id, subscription_id) references subscriptions (environment_id, id);
drop index line_items_charge;
create index line_items_whole on line_items (environment_id, subscription_id, whole_start);
create index line_items_charge on line_items (environment_id, charge_id);
alter table line_items drop constraint line_items_environment_id_invoice_id_position_key;
alter table line_items add unique (environment_id, invoice_id, charge_id, whole_start);

-- The time of storing, half open, null for no bound: a late line holds only what was stored in time.
alter table line_item_spans add column stored_from timestamptz(3);
alter table line_item_spans add column stored_to timestamptz(3);

create index credit_ledger_line on credit_ledger (environment_id, line_item_id) where line_item_id is not null;

-- Requests to replace an invoice, and what became of each.
create table regenerations (
  environment_id integer not null,
  id text collate "C" not null,
  subscription_id text collate "C" not null,
  invoice_id text collate "C" not null,
  reason text,
  -- Names who asked, the Idempotency-Key or a signal that a person sent by hand: asking again finds the row.
  request_key text collate "C",
  status text not null check (status in ('pending', 'done', 'refused')),
  new_invoice_id text collate "C",
  -- Why it was refused, for the person who asked.
  refusal text,
  requested_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (environment_id, id),
  unique (environment_id, request_key),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  foreign key (environment_id, invoice_id) references invoices (environment_id, id),
  foreign key (environment_id, new_invoice_id) references invoices (environment_id, id),
  check ((status = 'done') = (new_invoice_id is not null)),
  check ((status = 'pending') = (finished_at is null))
);
create index regenerations_subscription on regenerations (environment_id, subscription_id, id);
create index regenerations_pending on regenerations (environment_id, subscription_id, id) where status = 'pending';
create index regenerations_invoice on regenerations (environment_id, invoice_id);

-- An instant inside JSON, as every edge prints it.
create function instant_text(instant timestamptz) returns text language sql stable parallel safe
return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
