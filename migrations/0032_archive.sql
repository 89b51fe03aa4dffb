-- Old events leave for files (docs/decisions/0040-archive-of-old-events.md).

-- The customer's events before it are in files of the archive, or leave for them now; null for none. Everything before it is billed for
-- good: its periods have open or paid invoices, and no late usage can come any more. It moves under the customer's lock.
alter table customers add column archived_to timestamptz(3);

-- The files, each with the events of an environment and a month (UTC) that had not left before. A file is entered once it was read back and
-- compared. It has the events before archived_to of their customers up to a position in the order of storing.
create table archive_files (
  environment_id integer not null references environments,
  month text collate "C" not null check (month ~ '^\d{4}-\d{2}$'),
  part integer not null check (part > 0),
  name text collate "C" not null,
  events bigint not null check (events > 0),
  bytes bigint not null,
  sha256 bytea not null check (length(sha256) = 32),
  epoch integer not null,
  up_to_xid xid8 not null,
  written_at timestamptz(3) not null default date_trunc('milliseconds', clock_timestamp()),
  -- When the last of its events left the database.
  removed_at timestamptz(3),
  -- How many of its events a restore has brought back, and when it was done.
  restored_events bigint not null default 0,
  restored_at timestamptz(3),
  primary key (environment_id, month, part)
);

-- What the lines that begin before archived_to held when their events left: how many events, and a sum over the hashes of their keys.
create table archived_lines (
  environment_id integer not null,
  line_item_id text collate "C" not null,
  events bigint not null,
  key_sum numeric not null,
  primary key (environment_id, line_item_id),
  foreign key (environment_id, line_item_id) references line_items (environment_id, id)
);
