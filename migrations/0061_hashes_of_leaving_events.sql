-- The hash of an event's content is made when the event leaves the table or loses properties, and until then a resend is compared with the
-- event itself (docs/decisions/0056-hashes-of-leaving-events.md).
alter table event_keys alter column content_hash drop not null;

-- Whether the keys of new events get their hashes as before: for a day, because processes of the previous release compare resends with
-- nothing else. Never in a database that is new.
create function is_hashed_at_storing() returns boolean language sql stable parallel safe
return now() < timestamptz '-infinity';
do $$ begin
  if exists (select from event_keys) then
    execute format(
      'create or replace function is_hashed_at_storing() returns boolean language sql stable parallel safe return now() < timestamptz %L',
      now() + interval '24 hours');
  end if;
end $$;

create or replace function store_event_keys(in_bucket integer) returns void language plpgsql as $$
begin
  insert into event_keys (key_hash, content_hash, event_id, timestamp, created_at)
  select e.key_hash,
    case when is_hashed_at_storing() then
      event_content(e.customer_key, e.idempotency_key, e.event_name, case when e.timestamp_given then e.timestamp end, e.properties)
    end,
    e.id, e.timestamp, e.created_at
  from events e
  where e.bucket = in_bucket and e.epoch = (select max(epoch) from epochs) and e.created_xid = pg_current_xact_id()
  order by e.key_hash;
end $$;
