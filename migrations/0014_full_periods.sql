-- The names of the field: a full period is a billing period before any cut, and its late window closes.
alter table periods rename column whole_start to full_period_start;
alter table periods rename column settled_at to late_window_closed_at;
alter index periods_unsettled rename to periods_late_window_open;

alter table line_items rename column whole_start to full_period_start;
alter index line_items_whole rename to line_items_full_period;
alter table line_items rename constraint line_items_environment_id_invoice_id_charge_id_whole_start_key
  to line_items_environment_id_invoice_id_charge_id_full_period_key;
