-- A line may take credit over from a grant and draw from it later: two shares, because credit is returned in the reverse order.
alter table credit_draws drop constraint credit_draws_environment_id_line_item_id_grant_id_key;
create index credit_draws_line_item on credit_draws (environment_id, line_item_id);
