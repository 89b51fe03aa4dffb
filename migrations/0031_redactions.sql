-- Erasure of a person (docs/decisions/0039-erasure-of-a-person.md).

-- The content of the event as it is stored since some of its properties were redacted; null: as it was submitted. A resend is compared with
-- content_hash, which stays.
alter table event_keys add column redacted_hash uuid;

-- Calls that blanked a customer, for ever. Without a foreign key to customers: one of which nothing else is stored can be deleted.
create table redactions (
  id bigint generated always as identity primary key,
  environment_id integer not null references environments (id),
  customer_id text collate "C" not null,
  customer_key bigint not null,
  -- Names of properties that the worker removes from the customer's events.
  properties text[] not null,
  redacted_at timestamptz(3) not null,
  -- A key or a session.
  redacted_by text not null,
  -- With epoch, which events were stored before the call: those of lower transaction ids.
  xid xid8 not null default pg_current_xact_id(),
  epoch integer not null,
  -- The last event that the worker has passed, by timestamp and id; null before the first.
  swept_to_timestamp timestamptz(3),
  swept_to_id bigint,
  -- When the last event was passed.
  finished_at timestamptz(3),
  check ((swept_to_timestamp is null) = (swept_to_id is null))
);
create index redactions_environment on redactions (environment_id, customer_id);
create index redactions_customer on redactions (customer_key, id);
create index redactions_pending on redactions (id) where finished_at is null;
