import type { EventStatuses, UnratedNames } from '../../api/objects.ts';
import { pathWith } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { Table } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Cut, Quantity } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CutCustomerLink } from '../parts/links.tsx';

/** `days`: the days that are counted, in words. */
type Props = { counts: EventStatuses; days: string; alarm_percent: number };

/**
 * Names usage that nobody will ever be billed for; in red where its share of all is above the alarm level. Nothing
 * where there is none.
 */
export function Unrated({ counts, days, alarm_percent }: Props) {
  const { unrated, accepted } = counts;
  if (unrated === 0) return null;
  const percent = Number(((unrated * 100) / accepted).toPrecision(2));
  return (
    <Notice kind={unrated * 100 > alarm_percent * accepted ? 'fault' : 'attention'}>
      <p>
        <strong>
          {percent} percent of the events of {days} are unrated: {grouped(`${unrated}`)} of{' '}
          {grouped(`${accepted}`)}.
        </strong>{' '}
        No charge of the customer’s subscriptions counts these events. The usual cause is an event name that
        differs from the name in the plan.
      </p>
      <ByName range={counts} />
    </Notice>
  );
}

function ByName({ range: { from, to } }: { range: Pick<EventStatuses, 'from' | 'to'> }) {
  const loaded = useLoad<UnratedNames>(pathWith('/dashboard/api/unrated', { from, to }));
  return (
    <Loading loaded={loaded}>
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
            {
              title: 'Of customers',
              show: ({ customer_ids }) =>
                customer_ids.map((id) => (
                  <div key={id}>
                    <CutCustomerLink id={id} />
                  </div>
                )),
            },
            { title: 'Events', show: ({ events }) => <Quantity value={events} />, is_number: true },
          ]}
        />
      )}
    </Loading>
  );
}
