/**
 * The notes in docs/schema.sql on a function, a table or a column (`table.column`). Comments of merged migrations that are wrong, or have
 * become so, are corrected here.
 */
export const SCHEMA_NOTES: Readonly<Record<string, string>> = {
  event_in_cut_off:
    'Whether a cut-off holds an event, or a row of the log. Every statement that asks it calls this function.',
  // migrations/0001_start.sql says that this function alone decides.
  event_matches:
    "Whether an event passes a charge's filters. The events of a bill are read by the same condition written out, in src/db/usage/series.ts.",
  event_number:
    'What counts as a number in the properties of an event (billing.md 2); null for everything else.',
  instant_text: 'An instant as the API writes it.',
  search_grams:
    'The pieces of a text of the given lengths, each behind its environment: an index of them finds a part of a name.',
  server_run: 'The run of the server that answers: another after a start, a restore or a failover.',

  accounts: 'A company that bills its customers.',
  passkeys: "Public keys of people's devices, which sign in without a link.",
  used_challenges: 'Challenges that were answered, until they expire: each is good once.',
  audit_log:
    'Who did what, when and from where; each row is written in the transaction of its act, and never changed.',
  users: 'People who sign in, and what they may do.',
  api_keys: 'Hashes of the keys of an environment.',
  portal_sessions:
    'Links by which customers read their own documents and usage; only hashes of their tokens.',
  'environments.portal_origins':
    'Sites that may frame the page of portal links; the same in both environments of an account.',
  billing_days:
    'What became of the events of a customer, event name and UTC day, by billing status or reason; of all events that are rolled up.',
  report_days: 'billing_days, summed over the customers of an environment.',
  report_settings: 'By which LATE_USAGE_DAYS billing_days tells late events from those that are too late.',
  charges: 'What a plan charges for, in the order of its lines.',
  breaches: 'Breaches of the invariants that are open: their unit was not checked again and sound since.',
  check_queue: 'Units that the check of the invariants looks at next.',
  check_sweeps: 'Where the sweep of the check over all units of a kind is, and what its last round came to.',
  check_turn: 'Which worker checks the invariants.',
  checks: 'The last checks of what is new: all that was stored up to their start.',
  'epochs.events_checked_to':
    'Every event of the epoch with a lower transaction id was given to the check of the invariants.',
  row_changes:
    'The log of changed rows: of each its key and the columns that some consumer reads; triggers write it.',
  'row_changes.before': 'Null before an insert.',
  'row_changes.after': 'Null after a delete.',
  'row_changes.created_xid': 'With epoch, what the place of a consumer is compared with.',
  consumers: 'How far each consumer has read the log.',
  'consumers.snapshot': 'With epoch, the place: what this cut-off holds is read.',
  'consumers.next_snapshot': 'With next_epoch, the next place, while batches are under way.',
  'consumers.last_id':
    'With last_epoch and last_xid, the last row on the way to the next place that is read.',
  log_row_change: 'Writes the columns of a changed row that the trigger names to the log.',
  credit_draws:
    'Credit that each issued line has of each grant, signed; a line may have several shares of one grant.',
  archive_files: 'Files with events that left the database, each entered once it was read back and compared.',
  'archive_files.up_to_xid': 'With epoch, up to where in the order of storing it has the events.',
  archived_lines: 'What lines held whose events left: how many events, and a sum over their keys.',
  balance_entries: 'What moved the balance of a customer; never changed.',
  credit_note_number_gaps: 'Ranges of credit note numbers that no credit note has, each with its reason.',
  credit_notes:
    'What takes back part of an issued invoice, in money; one without created_by was issued by billing itself.',
  'credit_notes.cause_invoice_id':
    'The invoice whose late lines an automatic note settles: the note is void with it.',
  credit_note_lines: 'What a credit note takes off each line of its invoice.',
  'customers.balance': 'Money in advance: the sum of its entries.',
  payments:
    'What customers paid, for invoices and in advance; a payment made by mistake is reversed and stays.',
  payment_of_invoice: 'Writes the customer of the invoice to a payment of a process of the previous release.',
  credit_grants: 'Prepaid units of a customer, and what is left of them.',
  'credit_grants.told_expiry': 'The expiry of which the last notice told.',
  credit_ledger: 'What moved the balance of a grant; never changed.',
  usage_notices: 'Events without a bill, or that came late, of which the feed has told.',
  webhook_endpoints: 'Addresses to which the worker posts the changes of the feed.',
  webhook_deliveries: 'Changes that are posted to endpoints, and how that went.',
  customers: 'Whom an account bills.',
  'customers.key': 'What events name their customer by.',
  'customers.archived_to': 'Its events before it are in files, or leave for them now.',
  'customers.test_clock': 'Test data only: where the time of the customer stands; null is real time.',
  'customers.search_text':
    'External id, name and email without case and accents (src/domain/people/search-text.ts); null: the worker writes it soon.',
  cut_offs: 'Moments at which billing read the events; a line bills what lies between two of them.',
  environments: 'Test or live data of an account.',
  'environments.last_invoice_number':
    'A counter row and no sequence: a rolled back issue gives its number back.',
  deleted_customers:
    'Customers that were deleted; what stores events is ordered against a deletion by a lock of this table.',
  refuse_deleted_customers: 'Raises an error if one of these customers was deleted.',
  epochs: 'Clusters that the database has lived in: transaction ids mean nothing in another one.',
  'epochs.rolled_up_to': 'Every event of the epoch with a lower transaction id is in usage_days.',
  event_days: 'On which days an environment has events of a name.',
  events: 'What customers used, one row an idempotency key.',
  'events.key_hash':
    '128 bits of SHA-256 over environment and idempotency key; the public id is derived from it.',
  'events.bucket': 'The month of storing as a number, 202612 for December 2026; 0 is for every other event.',
  events_kept:
    'Events of bucket 0: of test data, of before there were buckets, and those that stay when their month leaves.',
  event_keys: 'One row for each event ever stored, for ever: what makes a resend a duplicate.',
  'event_keys.content_hash':
    'Of what was sent, made when the event left or lost properties (before 0061 at once); null: the event is stored as it was sent.',
  'event_keys.redacted_hash':
    'The hash of the event as it is stored since some of its properties were redacted.',
  'event_keys.event_id': 'With timestamp, where the event is in the index events_timestamp.',
  is_hashed_at_storing:
    'Whether keys of new events get their hashes at once: for a day after the migration 0061, for processes of the previous release.',
  event_content: '128 bits of SHA-256 over what was submitted.',
  event_bucket: 'The bucket of live events that are stored now; 0 while the month has no partition.',
  'events.created_xid': 'With epoch, what a cut-off is compared with.',
  idempotency_keys: 'Answers of POSTs that carried an Idempotency-Key header, kept for 24 hours.',
  invoice_number_gaps: 'Ranges of invoice numbers that no invoice has, each with its reason.',
  invoices: 'Bills of a period, from the draft on; at most one of a period is not void.',
  'invoices.overdue_at':
    'When the worker first saw that the open invoice was overdue, by the clock of its customer; never cleared.',
  'invoices.is_stale':
    'A draft whose lines were counted beside a line that is void by now: it is counted again before it is issued.',
  invoice_items:
    'Amounts that a person puts on the next invoice of a subscription; a deleted one stays, marked.',
  line_item_exceptions: 'Lines that say something else than their events, and why that is no fault.',
  line_item_spans: 'Which events a line bills: from one cut-off to another, within a span of time.',
  line_groups: 'The groups of a charge that have lines of their own in a full period; all others share one.',
  line_items: 'One charge, one of its prices or groups, or one invoice item, on an invoice.',
  'line_items.series': 'The price and the group that the line bills of its charge.',
  migrations: 'Migrations that this database has had.',
  periods:
    'Billing periods, trials and late windows of a subscription, each opened when the one before it closes.',
  'periods.end_noted':
    'Whether the notice of its end is made, or not wanted since nothing follows; a change of the subscription asks anew.',
  'periods.full_period_start':
    'Parts of one cut period share it: quantities, tiers and free units run over all of them.',
  'periods.late_window_closed_at':
    'Since when no late line can come any more; null again once an invoice that bills the period is void.',
  plan_migration_outcomes: 'The subscriptions of a migration, with what became of each.',
  plan_migrations: 'Moves of all subscribers of a plan to another one, and how far each is.',
  'plan_migrations.finished_at': 'Set again where a migration that is over is taken back.',
  plans: 'What a customer can subscribe to; a plan never changes.',
  'plans.key': 'The name that versions of a plan share.',
  'plans.archived_at': 'Since then no subscription begins with the plan or changes to it.',
  rate_buckets: 'What each key has taken of its rate.',
  redactions: 'Calls that blanked a customer, each with the properties that its events lose; never deleted.',
  'redactions.finished_at': 'Since when no event that was stored before the call has the properties.',
  regenerations: 'Requests to replace an invoice, and what became of each.',
  sessions: 'Hashes of the sessions of the dashboard.',
  set_aside: 'What a batch job could not do for one customer, while it went on with the others.',
  'set_aside.failed_at':
    'The instant of the oldest change that the job lacks of the customer, or of the failure.',
  sign_in_links: 'Hashes of links that sign in to the dashboard, once.',
  subscriptions: 'A customer on a plan; each has one workflow.',
  'subscriptions.told_renewal': 'The end of a billing period of which the last notice told.',
  'subscriptions.told_trial_end': 'The end of a trial of which the last notice told.',
  'subscriptions.anchor_is_day':
    'Whether the date that anchors the periods was sent as a day: they then begin at midnight, also after a day that has none.',
  'subscriptions.attention': 'Why billing waits for a person.',
  usage_cells:
    'What the events of a customer, name and day come to by the values of the properties that plans price or select by.',
  usage_days: 'What the events of a customer and name come to in a UTC day. It may lag behind the events.',
  'usage_days.has_no_cells': 'The day has more cells than are kept, so bills read its events.',
  usage_dimensions: 'The properties by whose values the rollup adds up the events of a customer and name.',
};
