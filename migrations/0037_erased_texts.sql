-- What people have written about a customer goes with its erasure: references, reasons, and descriptions of invoice items.

-- A reversal keeps its time, and may lose its reason.
alter table payments
  drop constraint payments_check,
  add constraint payments_reversal_check check (reversed_at is not null or reversal_reason is null);

-- Of customers that were erased before: the texts that were there at the last call.
create temporary table erased on commit drop as
  select environment_id, customer_id, max(redacted_at) as at from redactions group by environment_id, customer_id;

update payments p
set reference = case when p.created_at > e.at then p.reference end,
  reversal_reason = case when p.reversed_at > e.at then p.reversal_reason end
from erased e
where p.environment_id = e.environment_id and p.customer_id = e.customer_id
  and (p.reference is not null or p.reversal_reason is not null);

-- The reference of an invoice is that of one of its payments.
update invoices i
set payment_reference = case when exists (
    select from payments p where p.environment_id = i.environment_id and p.invoice_id = i.id
      and p.reference = i.payment_reference) then i.payment_reference end,
  void_reason = case when i.voided_at > e.at then i.void_reason end
from erased e
where i.environment_id = e.environment_id and i.customer_id = e.customer_id
  and (i.payment_reference is not null or i.void_reason is not null);

update credit_notes k set void_reason = null
from erased e join invoices i on i.environment_id = e.environment_id and i.customer_id = e.customer_id
where k.environment_id = i.environment_id and k.invoice_id = i.id and k.voided_at <= e.at;

update regenerations r set reason = null
from erased e join invoices i on i.environment_id = e.environment_id and i.customer_id = e.customer_id
where r.environment_id = i.environment_id and r.invoice_id = i.id and r.requested_at <= e.at;

update balance_entries b set reason = null
from erased e
where b.environment_id = e.environment_id and b.customer_id = e.customer_id and b.created_at <= e.at;

update invoice_items x set description = 'Item'
from erased e
where x.environment_id = e.environment_id and x.customer_id = e.customer_id and x.created_at <= e.at;

-- Lines of what was never issued follow their items.
update line_items l set description = x.description
from erased e
join invoices i on i.environment_id = e.environment_id and i.customer_id = e.customer_id and i.number is null
join invoice_items x on x.environment_id = i.environment_id and x.customer_id = i.customer_id
where l.environment_id = i.environment_id and l.invoice_id = i.id and l.invoice_item_id = x.id;
