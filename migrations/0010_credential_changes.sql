-- The transaction that changed a key or a session last. Who has read all that a snapshot shows finds the rest from there on: what the
-- snapshot did not show was changed in a transaction of at least its lowest number (pg_snapshot_xmin).
alter table api_keys add column changed_in xid8 not null default pg_current_xact_id();
alter table sessions add column changed_in xid8 not null default pg_current_xact_id();
create index api_keys_changed on api_keys (changed_in);
create index sessions_changed on sessions (changed_in);

create function note_change() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end $$;

-- Not for last_used_at, which changes nothing of who gets in.
create trigger api_keys_change before update of environment_id, kind, secret_hash, expires_at, revoked_at on api_keys
  for each row execute function note_change();
create trigger sessions_change before update of account_id, token_hash, expires_at, revoked_at on sessions
  for each row execute function note_change();
