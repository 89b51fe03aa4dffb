import type { BillingStatus, EventStatuses } from '../../api/objects.ts';
import { useLoad, type Loaded } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Loading } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Quantity } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

const MEANINGS: readonly { status: BillingStatus; meaning: string }[] = [
  { status: 'billed', meaning: 'on an issued invoice' },
  { status: 'pending', meaning: 'will be on the invoice of its period' },
  { status: 'late', meaning: 'arrived after its period was billed; will be on the next invoice' },
  {
    status: 'too_late',
    meaning: 'arrived too late for an invoice; billed only if the invoice of its period is regenerated',
  },
  { status: 'trial', meaning: 'in a trial period, not billed' },
  { status: 'unrated', meaning: 'no charge of a subscription counts the event' },
];

/** Loads the counts of events by status. It may take seconds while much is stored: it is not waited for. */
export function useBillingStatuses(): Loaded<EventStatuses> {
  return useLoad('/dashboard/api/event-statuses');
}

type StatusesProps = {
  loaded: Loaded<EventStatuses>;
  /** The days that are counted, in words. */
  days: string;
};

/** Events by billing status. */
export function BillingStatuses({ loaded, days }: StatusesProps) {
  return (
    <Section
      title="Billing status of events"
      actions={
        <>
          <Link to="/usage-report">By day, name or customer</Link>
          <button type="button" disabled={loaded.is_loading} onClick={loaded.reload}>
            Refresh
          </button>
        </>
      }
    >
      <Loading loaded={loaded}>
        {(counts) => (
          <Table
            caption={`Events of ${days} by billing status`}
            keyOf={({ status }) => status}
            items={MEANINGS}
            columns={[
              { title: 'Billing status', show: ({ status }) => <Badge status={status} /> },
              { title: 'Meaning', show: ({ meaning }) => <span class="faint">{meaning}</span> },
              {
                title: 'Events',
                show: ({ status }) => <Quantity value={counts[status]} />,
                is_number: true,
              },
            ]}
          />
        )}
      </Loading>
    </Section>
  );
}
