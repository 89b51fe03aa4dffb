-- Who sells, as it was when the invoice was issued: name, address, footer. Beside `customer` it is all that a document says of others.
alter table invoices add column seller jsonb;
-- What the content hash covers: 1, until this migration, neither seller nor customer; 2 both.
alter table invoices add column content_hash_version smallint;

-- Nobody knows what accounts were called when these were issued: they keep what their account is called now (contract.md 4).
update invoices i
set seller = jsonb_build_object('name', a.name, 'address', a.address, 'footer', a.invoice_footer), content_hash_version = 1
from environments n join accounts a on a.id = n.account_id
where n.id = i.environment_id and i.number is not null;

alter table invoices add check (number is null or (seller is not null and customer is not null));
alter table invoices add check ((content_hash is null) = (content_hash_version is null));

-- The server's run that answers and the database in it. Another one after a start, a restore or a failover: then the counters below
-- may be older than what they last gave.
create function server_run() returns text language sql stable
return extract(epoch from pg_postmaster_start_time())::text || ' ' || (select oid from pg_database where datname = current_database());

-- The last invoice number may be older than what Temporal remembers: a worker compares them in each run of the server.
alter table environments
  -- Null before the first comparison.
  add column numbering_run text,
  -- Where the server was when they were last compared. Another epoch or timeline of its WAL: it was restored, or failed over.
  add column numbering_epoch integer,
  add column numbering_timeline text,
  -- Why no live invoice is issued until an operator says which number was the last; null where it is.
  add column numbering_halt text,
  -- The number that was remembered then: a lower one is refused, also where it is forgotten meanwhile.
  add column numbering_given bigint;

update environments set numbering_run = 'before this was compared', numbering_epoch = (select max(epoch) from epochs);

-- Numbers that no invoice has, and why: an operator continued the count above them.
create table invoice_number_gaps (
  environment_id integer not null references environments,
  number_from bigint not null,
  number_to bigint not null check (number_to >= number_from),
  reason text not null,
  created_at timestamptz(3) not null default date_trunc('milliseconds', now()),
  primary key (environment_id, number_from)
);
