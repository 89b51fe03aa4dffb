-- Who made an invitation: it is void once this person may invite nobody any more. Null for links of the command line.
alter table sign_in_links add column created_by text collate "C" references users (id);
create index sign_in_links_made_by on sign_in_links (created_by) where used_at is null;
