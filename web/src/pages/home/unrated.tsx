import type { UnratedNames, UsageReport } from '../../api/objects.ts';
import { pathWith } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { Table } from '../../components/table.tsx';
import { Cut, grouped, Quantity } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

/** How many events of a report no charge counts. */
export function unratedOf({ data }: UsageReport): { unrated: number; accepted: number } {
  const sum = (name: 'unrated' | 'accepted') => data.reduce((total, day) => total + day[name], 0);
  return { unrated: sum('unrated'), accepted: sum('accepted') };
}

/** Whether the share of unrated events is above the alarm level. */
export function isAlarming(report: UsageReport, alarm_percent: number): boolean {
  const { unrated, accepted } = unratedOf(report);
  return unrated * 100 > alarm_percent * accepted;
}

/** Warns above everything else on Home: usage that nobody will ever be billed for. */
export function UnratedAlarm({ report }: { report: UsageReport }) {
  const { unrated, accepted } = unratedOf(report);
  const percent = Number(((unrated * 100) / accepted).toPrecision(2));
  return (
    <Notice kind="fault">
      <p>
        <strong>
          {percent} percent of the events of the last 30 days are unrated: {grouped(`${unrated}`)} of{' '}
          {grouped(`${accepted}`)}.
        </strong>{' '}
        No charge of the customer’s subscriptions counts these events. The usual cause is an event name that
        differs from the name in the plan.
      </p>
      <ByName report={report} />
    </Notice>
  );
}

export function ByName({ report: { from, to } }: { report: UsageReport }) {
  const loaded = useLoad<UnratedNames>(pathWith('/dashboard/api/unrated', { from, to }));
  return (
    <Loading of={loaded}>
      {({ data }) => (
        <Table
          caption="Unrated events by name, most frequent first"
          keyOf={({ event_name }) => event_name}
          items={data}
          columns={[
            {
              title: 'Event name',
              show: ({ event_name }) => (
                <Cut text={event_name}>
                  <Link to={pathWith('/events', { event_name, billing_status: 'unrated' })}>
                    {event_name}
                  </Link>
                </Cut>
              ),
            },
            { title: 'Events', show: ({ events }) => <Quantity value={events} />, is_number: true },
          ]}
        />
      )}
    </Loading>
  );
}
