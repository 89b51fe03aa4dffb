-- Whether the date that anchors the periods was sent as a day: they then begin at midnight by the clock of the zone, also after a day that
-- has no midnight. Subscriptions that were there before keep the time of day of their anchor.
alter table subscriptions add column anchor_is_day boolean not null default false;
