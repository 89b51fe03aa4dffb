-- Payment providers, the methods by which customers pay there, and what the provider posts.

-- At most one of an environment that is not deleted.
create table payment_providers (
  environment_id integer references environments,
  id text collate "C",
  kind text not null check (kind in ('stripe')),
  -- Its id at the provider.
  account text not null,
  -- Encrypted under TIDEMARK_SECRET, bound to the id; null once it is deleted.
  secret_key bytea,
  key_last_four text not null,
  -- Where the provider posts its events.
  webhook_url text not null,
  -- Signs its events; null: none are taken. Encrypted as the key is.
  webhook_secret bytea,
  -- The one before, whose signatures are taken too.
  previous_webhook_secret bytea,
  webhook_secret_set_at timestamptz(3),
  -- The endpoint at the provider that we made; null: a person makes it.
  webhook_reference text,
  status text not null default 'active' check (status in ('active', 'failing')),
  -- In the provider's words.
  status_reason text,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  created_by text not null,
  deleted_at timestamptz(3),
  primary key (environment_id, id),
  check ((secret_key is null) = (deleted_at is not null)),
  check ((status_reason is null) = (status = 'active')),
  check (previous_webhook_secret is null or webhook_secret is not null)
);
create unique index payment_providers_one on payment_providers (environment_id) where deleted_at is null;

-- Customers at the provider.
create table provider_customers (
  environment_id integer,
  provider_id text collate "C",
  customer_id text collate "C",
  -- Its id there.
  reference text collate "C" not null,
  -- When its name and email are blanked there, after an erasure; null: they stay.
  erase_at timestamptz(3),
  primary key (environment_id, provider_id, customer_id),
  unique (environment_id, provider_id, reference),
  foreign key (environment_id, provider_id) references payment_providers (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id)
);
create index provider_customers_customer on provider_customers (environment_id, customer_id);
create index provider_customers_erased on provider_customers (erase_at) where erase_at is not null;

create table payment_methods (
  environment_id integer,
  id text collate "C",
  customer_id text collate "C" not null,
  provider_id text collate "C" not null,
  -- Its id at the provider.
  reference text collate "C" not null,
  -- In the provider's word, such as card.
  type text not null,
  label text not null,
  -- A month, such as 2028-04.
  expires text,
  status text not null default 'active' check (status in ('active', 'failing', 'removed')),
  is_default boolean not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  -- When it is read at the provider, or once it is removed, ended there; null: not before the provider posts a change.
  next_read_at timestamptz(3),
  primary key (environment_id, id),
  unique (environment_id, provider_id, reference),
  foreign key (environment_id, provider_id, customer_id)
    references provider_customers (environment_id, provider_id, customer_id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  check (not is_default or status <> 'removed')
);
create index payment_methods_customer on payment_methods (environment_id, customer_id, id);
create index payment_methods_provider_customer on payment_methods (environment_id, provider_id, customer_id);
create unique index payment_methods_default on payment_methods (environment_id, customer_id) where is_default;
create index payment_methods_unread on payment_methods (next_read_at) where next_read_at is not null;

-- Pages of the provider on which a payer saves a method.
create table payment_pages (
  environment_id integer,
  -- Its key at the provider, so that a request that comes again makes no second page.
  id text collate "C",
  customer_id text collate "C" not null,
  provider_id text collate "C" not null,
  -- Null before the provider has made it.
  reference text collate "C",
  url text,
  status text not null default 'open' check (status in ('open', 'complete', 'expired')),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  -- The person, the program or the portal link.
  created_by text not null,
  -- When it is read at the provider again; null: never.
  next_read_at timestamptz(3),
  primary key (environment_id, id),
  unique (environment_id, provider_id, reference),
  foreign key (environment_id, provider_id, customer_id)
    references provider_customers (environment_id, provider_id, customer_id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  check ((status = 'open') = (next_read_at is not null)),
  check ((reference is null) = (url is null))
);
create index payment_pages_customer on payment_pages (environment_id, customer_id, created_at);
create index payment_pages_provider_customer on payment_pages (environment_id, provider_id, customer_id);
create index payment_pages_unread on payment_pages (next_read_at) where next_read_at is not null;

-- Events that a provider has posted about what is read there, each once, for thirty days.
create table provider_events (
  environment_id integer,
  provider_id text collate "C",
  -- The provider's own.
  id text collate "C",
  type text not null,
  -- What it is about, by its id at the provider.
  object_reference text not null,
  received_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (environment_id, provider_id, id),
  foreign key (environment_id, provider_id) references payment_providers (environment_id, id)
);
create index provider_events_received on provider_events (received_at);

create trigger audited after insert or update of account, key_last_four, webhook_secret_set_at, deleted_at
  on payment_providers for each row
  execute function audit_row('{
  "object": "payment_provider", "insert": "created", "update": "updated", "verbs": {"deleted_at": "deleted"},
  "members": ["kind", "account", "key_last_four", "webhook_secret_set_at"]}');
create trigger logged after insert or delete or update of account, key_last_four, webhook_url, status, status_reason,
  deleted_at on payment_providers for each row
  execute function log_row_change('id', 'deleted_at');
alter table payment_providers enable always trigger logged;

-- Of people alone: what a payer saves or a provider ends is in the feed.
create trigger audited after update of status, is_default on payment_methods for each row
  when (coalesce(current_setting('tidemark.actor', true), '') <> '')
  execute function audit_row('{
  "object": "payment_method", "update": "updated", "members": ["status", "is_default"]}');
create trigger logged after insert or delete or update of label, expires, status, is_default on payment_methods
  for each row
  execute function log_row_change('id', 'customer_id', 'status');
alter table payment_methods enable always trigger logged;

create trigger audited after insert on payment_pages for each row execute function audit_row('{
  "object": "payment_method_session", "insert": "created", "members": ["expires_at"]}');
