-- What waits for a person is asked for by the dashboard, by every scrape of the metrics and by the command line, and is rare.
create index subscriptions_attention on subscriptions (environment_id, id) where attention is not null;
