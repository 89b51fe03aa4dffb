-- Up to which end of a period answers of advances have reported the invoices, so that of several at once each is in one answer; null
-- before the first advance.
alter table customers add column test_clock_reported timestamptz(3);
-- What a charge counts, in the plural, as its lines say it to the person who pays: "minutes".
alter table charges add column unit_name text;
