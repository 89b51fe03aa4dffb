import type { FateStatus, UsageReport } from '../../api/objects.ts';
import { pathWith } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Loading } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Quantity, sumOfCounts } from '../../components/values.tsx';

const MEANINGS: readonly { fate: FateStatus; meaning: string }[] = [
  { fate: 'billed', meaning: 'on an invoice that was issued' },
  { fate: 'pending', meaning: 'will be on the invoice of their period' },
  { fate: 'late', meaning: 'came after their invoice, and will be on the next one' },
  {
    fate: 'too_late',
    meaning: 'came too long after their period: on no invoice, unless theirs is made anew',
  },
  { fate: 'trial', meaning: 'fell into a trial, which is free' },
  { fate: 'unrated', meaning: 'no charge of a subscription asks for them' },
];

/** What became of the events of some days, the earliest first. It takes seconds where there are many: it is not waited for. */
export function Fates({ days }: { days: readonly string[] }) {
  const loaded = useLoad<UsageReport>(
    pathWith('/v1/usage-report', { from: days[0], to: dayAfter(days.at(-1)) }),
  );
  return (
    <Section
      title="What became of them"
      actions={
        <button type="button" disabled={loaded.is_loading} onClick={loaded.reload}>
          Count again
        </button>
      }
    >
      <Loading of={loaded}>
        {(report) => (
          <Table
            caption="Events of the last 30 days by what became of them"
            keyOf={({ fate }) => fate}
            items={MEANINGS}
            columns={[
              { title: 'Fate', show: ({ fate }) => <Badge status={fate} /> },
              { title: 'Meaning', show: ({ meaning }) => <span class="faint">{meaning}</span> },
              {
                title: 'Events',
                show: ({ fate }) => <Quantity value={sumOf(report, fate)} />,
                is_number: true,
              },
            ]}
          />
        )}
      </Loading>
    </Section>
  );
}

function sumOf({ data }: UsageReport, fate: FateStatus): string {
  return sumOfCounts(data.map((day) => String(day[fate])));
}

const DAY_MS = 86_400_000;

/** The end of a day that is written as 2026-11-21. */
function dayAfter(day: string | undefined): string | undefined {
  return day === undefined ? undefined : new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
