-- People who sign in, and what they may do (contract.md 9).
create table users (
  account_id text not null references accounts (id),
  id text collate "C" primary key,
  -- Null for the owner who has not written one.
  email text,
  name text not null,
  role text not null check (role in ('viewer', 'support', 'finance', 'admin')),
  role_from text not null default 'admin' check (role_from in ('admin', 'provider')),
  status text not null check (status in ('invited', 'active', 'removed')),
  -- The user whom the command line signs in.
  is_owner boolean not null default false,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now())
);
create unique index users_email on users (account_id, lower(email));
create unique index users_owner on users (account_id) where is_owner;
create index users_of_account on users (account_id, id);

-- Null for rows of processes of the release before, whose tokens are refused: their hashes have another form.
alter table sessions
  add column user_id text collate "C" references users (id),
  add column user_agent text,
  add column address text;
create index sessions_of_user on sessions (user_id) where revoked_at is null;

alter table sign_in_links
  add column user_id text collate "C" references users (id),
  -- A link of the command line makes its user an active admin again.
  add column restores_owner boolean not null default false;
create index sign_in_links_of_user on sign_in_links (user_id) where used_at is null;

alter table api_keys
  drop constraint api_keys_kind_check,
  add constraint api_keys_kind_check check (kind in ('full', 'events_only', 'read_only')),
  add column created_by text collate "C";
