-- The dashboard's: who holds a link may sign in once, who holds a session's token is signed in. Only hashes of both are stored.
create table sign_in_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  account_id text not null references accounts,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);

create table sessions (
  id text collate "C" primary key,
  account_id text not null references accounts,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index sessions_of_account on sessions (account_id, id);
