-- The keys of events in a table of their own, and the events in partitions by the month of storing, so that old events can leave while
-- their keys stay (docs/decisions/0036-keys-and-partitions-of-events.md). Takes about a minute for each 10 million events.

-- Where the id of the next event comes from. The sequence of an identity column cannot be kept when a table becomes a partition.
do $$
declare
  next_id bigint := nextval('events_id_seq');
begin
  alter table events alter column id drop identity;
  execute format('create sequence events_id_seq increment by 1000 start with %s', next_id);
end $$;

-- Bucket 0: the events that were stored before there were buckets, those of test data, and those that stay when their month leaves.
alter table events rename to events_kept;
alter table events_kept add column bucket integer not null default 0;
alter index events_timestamp rename to events_kept_timestamp;
alter index events_customer rename to events_kept_customer;
alter index events_stored rename to events_kept_stored;

create table events (
  id bigint not null default nextval('events_id_seq'),
  -- 128 bits of SHA-256 over environment and idempotency key. The public id is derived from it.
  key_hash uuid not null,
  environment_id integer not null,
  -- The partition: the month of storing as a number, 202612 for December 2026; 0 is for every other event. An event of a month has a
  -- timestamp of at most a day after its storing, so that a bill reads no bucket of an earlier month.
  bucket integer not null default 0,
  customer_key bigint not null,
  timestamp timestamptz(3) not null,
  created_at timestamptz(3) not null,
  -- With epoch, what a cut-off is compared with.
  created_xid xid8 not null default pg_current_xact_id(),
  epoch integer not null,
  -- A resend without a timestamp equals only an original without one.
  timestamp_given boolean not null,
  event_name text collate "C" not null,
  idempotency_key text collate "C" not null,
  properties jsonb not null
) partition by list (bucket);
alter sequence events_id_seq owned by events.id;
do $$ begin
  execute format('alter table events alter column epoch set default %s', (select coalesce(max(epoch), 1) from epochs));
end $$;
create index events_timestamp on events (environment_id, timestamp, id);
create index events_customer on events (customer_key, timestamp, id);
create index events_stored on events (epoch, created_xid);
alter table events attach partition events_kept for values in (0);

-- The bucket of live events that are stored now: the month, once a worker has made its partition.
create function event_bucket() returns integer language sql stable parallel safe
return coalesce((
  select month::integer from to_char(now() at time zone 'UTC', 'YYYYMM') as month where to_regclass('events_' || month) is not null), 0);

-- 128 bits of SHA-256 over what was submitted: a resend is equal if it has the same. `given` is the timestamp that was sent, null for
-- none. Properties have one text, because the API writes their numbers. No text contains the byte 0, which keeps the parts apart.
create function event_content(customer_key bigint, idempotency_key text, event_name text, given timestamptz, properties jsonb)
returns uuid language sql stable parallel safe
return encode(substring(sha256(int8send(customer_key) || timestamptz_send(coalesce(given, '-infinity'))
  || convert_to(idempotency_key, 'UTF8') || '\x00' || convert_to(event_name, 'UTF8') || '\x00' || jsonb_send(properties)) for 16),
  'hex')::uuid;

-- One row for each event ever stored, for ever: what makes a resend a duplicate when its event has left.
create table event_keys (
  key_hash uuid not null,
  content_hash uuid not null,
  -- The event, by the index events_timestamp.
  event_id bigint not null,
  timestamp timestamptz(3) not null,
  created_at timestamptz(3) not null
);
insert into event_keys (key_hash, content_hash, event_id, timestamp, created_at)
select key_hash, event_content(customer_key, idempotency_key, event_name, case when timestamp_given then timestamp end, properties),
  id, timestamp, created_at
from events_kept order by key_hash;
create unique index event_keys_key on event_keys (key_hash);
drop index events_key;

-- Inserts the keys of the events that this transaction has stored in a bucket; fails if one is there already. A function, because its
-- plan is kept: COPY, which it follows, is sent as text.
create function store_event_keys(in_bucket integer) returns void language plpgsql as $$
begin
  insert into event_keys (key_hash, content_hash, event_id, timestamp, created_at)
  select e.key_hash,
    event_content(e.customer_key, e.idempotency_key, e.event_name, case when e.timestamp_given then e.timestamp end, e.properties),
    e.id, e.timestamp, e.created_at
  from events e
  where e.bucket = in_bucket and e.epoch = (select max(epoch) from epochs) and e.created_xid = pg_current_xact_id()
  order by e.key_hash;
end $$;
