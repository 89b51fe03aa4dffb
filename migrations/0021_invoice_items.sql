-- Amounts that a person puts on the next invoice of a subscription.
create table invoice_items (
  environment_id integer not null references environments,
  id text collate "C" not null,
  -- The order of writing, under the lock of the customer: ids of two machines may differ from it by their clocks.
  position bigint generated always as identity,
  customer_id text collate "C" not null,
  subscription_id text collate "C" not null,
  description text not null,
  quantity numeric not null check (quantity > 0),
  -- Below zero for a discount.
  unit_amount numeric not null,
  -- Quantity times unit amount, rounded once.
  amount numeric not null,
  -- By the customer's clock.
  created_at timestamptz(3) not null,
  created_by text not null,
  deleted_at timestamptz(3),
  deleted_by text,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, subscription_id) references subscriptions (environment_id, id),
  check ((deleted_at is null) = (deleted_by is null))
);
create index invoice_items_customer on invoice_items (environment_id, customer_id, id);
create index invoice_items_subscription on invoice_items (environment_id, subscription_id, position) where deleted_at is null;

alter table line_items
  alter column charge_id drop not null,
  alter column event_name drop not null,
  alter column pricing_model drop not null,
  add column invoice_item_id text collate "C",
  drop constraint line_items_type_check,
  add constraint line_items_type_check check (type in ('flat', 'usage', 'late_usage', 'item')),
  add constraint line_items_source_check check (case type
    when 'item' then invoice_item_id is not null and charge_id is null and event_name is null and pricing_model is null
    else invoice_item_id is null and charge_id is not null and event_name is not null and pricing_model is not null end),
  add foreign key (environment_id, invoice_item_id) references invoice_items (environment_id, id);
create unique index line_items_invoice_item on line_items (environment_id, invoice_item_id, invoice_id) where invoice_item_id is not null;
