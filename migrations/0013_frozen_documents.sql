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
