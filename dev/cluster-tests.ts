/** The variable with the number of nodes that have the events of a run of tests; absent where one machine has them. */
export const TEST_NODES = 'TIDEMARK_TEST_NODES';

/** Nodes of `npm run test:cluster`. */
export const NODES = 3;

/** Folders and files of the tests that store, bill, report, check, redact and archive events. */
export const CLUSTER_TESTS = [
  'test/api/events',
  'test/api/customers',
  'test/api/invoices',
  'test/archive',
  'test/billing',
  'test/db',
];

/** Files without an event, which look at one server. */
export const NOT_ON_NODES = ['test/db/rate-buckets.test.ts', 'test/db/schema.test.ts'];

/**
 * Titles of tests that look themselves at what one server has: its partitions, its locks, its statistics, or rows that
 * they change by a statement that a cluster refuses.
 */
export const OF_ONE_MACHINE = [
  'are none at first: live events',
  'take live events as they are stored, on both paths',
  'refuse a resend from another partition, on both paths',
  'I22 alone finds a row whose parent is not there',
  'removes the named properties and no others',
  'stopped after a slice, or in the middle of one',
  'are those of the events and changes since, and the database',
  'brings months back from the latest to the earliest',
  'drops a partition of which all events leave',
  'waits for a slice that writes the hash of its key',
  'reads the events of resends by index',
];
