-- Which use holds a key, named by who claims it: whose claim had no answer can take it back. Null for a use of an older version.
alter table idempotency_keys add column claim uuid;
