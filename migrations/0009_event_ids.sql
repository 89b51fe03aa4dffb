-- One id for each statement that stores events, and their places in what was sent counted from there: so many as a batch holds.
alter sequence events_id_seq increment by 1000;
