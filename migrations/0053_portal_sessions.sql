-- Links by which a customer reads its own documents and usage (contract.md 9), and the sites that may frame their page.
create table portal_sessions (
  environment_id integer not null references environments (id),
  id text collate "C" not null,
  customer_id text collate "C" not null,
  token_hash bytea not null unique,
  created_by text collate "C" not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  -- The transaction that wrote what the API caches; src/db/account/credentials.ts reads rows by it.
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (environment_id, id),
  -- A process of the release before deletes customers, too.
  foreign key (environment_id, customer_id) references customers (environment_id, id) on delete cascade,
  check (expires_at > created_at)
);
create index portal_sessions_of_customer on portal_sessions (environment_id, customer_id, id);
create index portal_sessions_by_end on portal_sessions (expires_at);
create index portal_sessions_changed on portal_sessions (changed_in);
create trigger portal_sessions_change before update of revoked_at, expires_at, token_hash on portal_sessions
  for each row execute function note_change();
create trigger audited after insert or update of revoked_at on portal_sessions for each row execute function audit_row('{
  "object": "portal_session", "insert": "created", "verbs": {"revoked_at": "revoked"},
  "members": ["expires_at", "revoked_at"]}');

-- The same in both environments of an account.
alter table environments add column portal_origins jsonb not null default '[]';
drop trigger audited on environments;
create trigger audited after update of name, currency, tax_rate, address, tax_ids, invoice_footer, timezone, net_days,
  invoice_prefix, hide_zero_lines, portal_origins on environments for each row execute function audit_row('{
  "object": "account", "update": "updated", "id": "account_id",
  "members": ["name", "currency", "tax_rate", "address", "tax_ids", "invoice_footer", "timezone", "net_days",
    "invoice_prefix", "hide_zero_lines", "portal_origins"]}');
