-- An item below zero is split where a part of it fits: the item becomes the part, and the rest is an item of its own. A line keeps the unit
-- amount that it was made with, since its item may be split again later.
alter table invoice_items add column split_from text collate "C";
alter table line_items add column unit_amount numeric;
update line_items l set unit_amount = x.unit_amount from invoice_items x
where x.environment_id = l.environment_id and x.id = l.invoice_item_id;
alter table line_items add constraint line_items_unit_amount_check check ((type = 'item') = (unit_amount is not null));
