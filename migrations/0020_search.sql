-- Search for customers by a part of a name, in any script: not by pg_trgm, which knows no letters beyond ASCII where the locale is C.

-- The pieces of a text of these lengths, each behind its environment, so that an index finds no rows of another one.
create function search_grams(environment_id integer, searched text, sizes integer[]) returns text[]
language sql immutable parallel safe
return (
  select array_agg(distinct (environment_id::text || ':' || substr(searched, place, size)) collate "C")
  from unnest(sizes) as size, generate_series(1, length(searched) - size + 1) as place);

alter table customers
  -- External id, name and email without case and accents, as src/domain/people/search-text.ts writes them; null: not written yet.
  add column search_text text,
  add column search_grams text[] generated always as (search_grams(environment_id, search_text, '{1,2,3}')) stored;

create index customers_search on customers using gin (search_grams);
create index customers_without_search_text on customers (environment_id, id) where search_text is null;

-- The worker writes the missing ones: of customers that were there before, and of what a process of the previous release writes.
create function forget_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := null;
  return new;
end $$;
create trigger customers_renamed before update of external_id, name, email on customers for each row
  when ((old.external_id, old.name, old.email) is distinct from (new.external_id, new.name, new.email))
  execute function forget_search_text();

create index payments_reference on payments (environment_id, reference, id) where reference is not null;

-- Lists in the order of ids, filtered by a time that is far back: the index is read from the newest row on, and no row beyond the range.
create index invoices_newest on invoices (environment_id, id, issued_at, period_end);
create index payments_newest on payments (environment_id, id, paid_at);
