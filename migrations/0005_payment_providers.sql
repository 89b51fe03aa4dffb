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
  -- Signs its events; null: none are taken. Encrypted as the key is.
  webhook_secret bytea,
  -- The one before, whose signatures are taken too.
  previous_webhook_secret bytea,
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
  check (status_reason is null or status = 'failing')
);
create unique index payment_providers_one on payment_providers (environment_id) where deleted_at is null;

-- Customers at the provider.
create table provider_customers (
  environment_id integer,
  provider_id text collate "C",
  customer_id text collate "C",
  reference text collate "C" not null,
  primary key (environment_id, provider_id, customer_id),
  unique (environment_id, provider_id, reference),
  foreign key (environment_id, provider_id) references payment_providers (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id)
);
create index provider_customers_customer on provider_customers (environment_id, customer_id);

create table payment_methods (
  environment_id integer references environments,
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
  -- When it is read at the provider again; null: once the provider says that it has changed.
  next_read_at timestamptz(3),
  primary key (environment_id, id),
  unique (environment_id, provider_id, reference),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, provider_id) references payment_providers (environment_id, id),
  check (not is_default or status <> 'removed')
);
create index payment_methods_customer on payment_methods (environment_id, customer_id, id);
create unique index payment_methods_default on payment_methods (environment_id, customer_id) where is_default;
create index payment_methods_unread on payment_methods (next_read_at) where next_read_at is not null;

-- Pages of the provider on which a payer saves a method.
create table payment_pages (
  environment_id integer references environments,
  -- Its key at the provider, so that a request that comes again makes no second page.
  id text collate "C",
  customer_id text collate "C" not null,
  provider_id text collate "C" not null,
  -- Null before the provider has made it.
  reference text collate "C",
  url text,
  status text not null default 'open' check (status in ('open', 'complete', 'expired')),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  created_by text not null,
  -- When it is read at the provider again; null: never.
  next_read_at timestamptz(3),
  primary key (environment_id, id),
  unique (environment_id, provider_id, reference),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, provider_id) references payment_providers (environment_id, id)
);
create index payment_pages_customer on payment_pages (environment_id, customer_id, id);
create index payment_pages_unread on payment_pages (next_read_at) where next_read_at is not null;

-- Events that a provider has posted, each once, for thirty days.
create table provider_events (
  environment_id integer,
  provider_id text collate "C",
  -- The provider's own.
  id text collate "C",
  type text not null,
  object_reference text not null,
  received_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (environment_id, provider_id, id),
  foreign key (environment_id, provider_id) references payment_providers (environment_id, id)
);
create index provider_events_received on provider_events (received_at);
