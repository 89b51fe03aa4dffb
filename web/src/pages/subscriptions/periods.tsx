import type { List, Subscription, SubscriptionPeriod } from '../../api/objects.ts';
import type { Loaded } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Period } from '../../components/values.tsx';
import { InvoiceLink, PlanLink } from '../parts/links.tsx';

/** The page of a subscription has one list with pages, that of its invoices. */
export const PERIODS_SHOWN_MAX = 24;

type Props = { subscription: Subscription; loaded: Loaded<List<SubscriptionPeriod>> };

const KINDS = { billing: '', trial: 'trial', late: 'late usage' } as const;

/** The newest periods of a subscription with the plans that bill them. */
export function Periods({ subscription: { timezone }, loaded }: Props) {
  const columns: Column<SubscriptionPeriod>[] = [
    {
      title: 'Period',
      show: ({ period_start, period_end, kind }) => (
        <>
          <Period from={period_start} to={period_end} timezone={timezone} />{' '}
          <span class="faint">{KINDS[kind]}</span>
        </>
      ),
    },
    { title: 'Plan', show: ({ plan_id }) => <PlanLink id={plan_id} /> },
    { title: 'Invoice', show: ({ invoice_id }) => invoice_id && <InvoiceLink id={invoice_id} /> },
    {
      title: 'Opening invoice',
      show: ({ opening_invoice_id }) => opening_invoice_id && <InvoiceLink id={opening_invoice_id} />,
    },
  ];
  return (
    <Section title="Periods">
      <Loading loaded={loaded}>
        {({ data, has_more }) => (
          <>
            <Table
              caption="Periods"
              columns={columns}
              items={data}
              keyOf={({ period_start }) => period_start}
            />
            {has_more && <p class="faint">The newest {PERIODS_SHOWN_MAX} periods.</p>}
          </>
        )}
      </Loading>
    </Section>
  );
}
