-- Up to which end of a period answers of advances have reported the invoices, so that of several at once each is in one answer; null
-- before the first advance.
alter table customers add column test_clock_reported timestamptz(3);
