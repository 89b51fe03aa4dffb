import { isDeepStrictEqual } from 'node:util';
import { call } from '../../bench/client.ts';
import { waitUntil } from '../../bench/waiting.ts';
import { DAY_MS } from './closing.ts';
import type { ApiPart } from './deployment.ts';
import type { Drill } from './drill.ts';
import { query, type Node } from './postgres-node.ts';

/** Two APIs on one database: the first reads usage reports from the standby (DATABASE_READ_URL), the second from the primary. */
export type ReportReaders = { of_standby: ApiPart; of_primary: ApiPart };

type Report = { data: { accepted: number }[] };

const LIMIT_MS = 60_000;
const DAYS = 4;

function readReport({ api }: ApiPart, customer_id: string): Promise<Report> {
  const [from, to] = [-DAYS, 1].map((days) =>
    new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10),
  );
  return call(api, `usage-report?from=${from}&to=${to}&customer_id=${customer_id}`);
}

function acceptedOf({ data }: Report): number {
  return data.reduce((sum, { accepted }) => sum + accepted, 0);
}

/**
 * Expects the report of the standby: while replay is paused on it, its report must lack the calls that `sendCalls` sends, so it is the
 * standby that was read. Once they are replayed, both reports must be equal.
 */
export async function expectReportOfStandby(
  { of_standby, of_primary }: ReportReaders,
  { standby, customer_id, sendCalls }: { standby: Node; customer_id: string; sendCalls: () => Promise<void> },
  { expect }: Drill,
): Promise<void> {
  await query(standby, 'select pg_wal_replay_pause()');
  const before = acceptedOf(await readReport(of_primary, customer_id));
  await sendCalls();
  const [old, present] = await Promise.all(
    [of_standby, of_primary].map((part) => readReport(part, customer_id)),
  );
  const calls = acceptedOf(present!) - before;
  expect(
    `the usage report of ${standby.name}, which does not replay, lacks the last ${calls} calls`,
    calls > 0 && acceptedOf(old!) === before,
  );
  await query(standby, 'select pg_wal_replay_resume()');
  await waitUntil(`the report of ${standby.name}`, LIMIT_MS, async () =>
    isDeepStrictEqual(
      (await readReport(of_standby, customer_id)).data,
      (await readReport(of_primary, customer_id)).data,
    ),
  );
  expect(`once ${standby.name} has replayed, its usage report equals that of the primary`, true);
}

/** Both reports must be equal, but for when they were read, although the standby is down. */
export async function expectReportWithoutStandby(
  { of_standby, of_primary }: ReportReaders,
  customer_id: string,
  { expect }: Drill,
): Promise<void> {
  const [one, other] = await Promise.all(
    [of_standby, of_primary].map((part) => readReport(part, customer_id)),
  );
  expect(
    'while the standby is down, the usage report is that of the primary',
    isDeepStrictEqual(one!.data, other!.data),
  );
}
