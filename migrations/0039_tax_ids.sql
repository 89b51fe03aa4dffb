-- Tax ids of accounts and customers without hyphens and other separators, as they are stored from now on; those of the type `other` stay.
-- Copies on documents stay too.
create function pg_temp.without_separators(tax_ids jsonb) returns jsonb language sql immutable
return (
  select coalesce(jsonb_agg(case when id ->> 'type' = 'other' then id
    else jsonb_set(id, '{value}', to_jsonb(upper(regexp_replace(id ->> 'value', '[-./:,[:space:]‐‑‒–—―−]', '', 'g')))) end
    order by place), '[]')
  from jsonb_array_elements(tax_ids) with ordinality as sent(id, place));

update customers set tax_ids = pg_temp.without_separators(tax_ids)
where tax_ids <> '[]' and tax_ids <> pg_temp.without_separators(tax_ids);
update environments set tax_ids = pg_temp.without_separators(tax_ids)
where tax_ids <> '[]' and tax_ids <> pg_temp.without_separators(tax_ids);
drop function pg_temp.without_separators(jsonb);
