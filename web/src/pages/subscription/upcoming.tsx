import type { UpcomingInvoice, UpcomingLineItem } from '../../api/objects.ts';
import type { Loaded } from '../../api/use-load.ts';
import { Definitions } from '../../components/definitions.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Money, Period, Quantity } from '../../components/values.tsx';

/** What the next invoice would say with the usage so far. After the last one there is none: the API answers 409. */
export function Upcoming({ loaded }: { loaded: Loaded<UpcomingInvoice> }) {
  const is_none = loaded.fault?.status === 409;
  return (
    <Section
      title="Upcoming invoice"
      actions={
        !is_none && (
          <button type="button" onClick={loaded.reload}>
            Refresh
          </button>
        )
      }
    >
      {is_none ? (
        <Empty title="No invoice follows: the subscription has ended." />
      ) : (
        <Loading of={loaded}>{(upcoming) => <Bill of={upcoming} />}</Loading>
      )}
    </Section>
  );
}

function Bill({ of: upcoming }: { of: UpcomingInvoice }) {
  const { currency, line_items, subtotal, tax, total, credits_applied, period_start, period_end } = upcoming;
  return (
    <div class="stack">
      <p class="lead">
        What <Period from={period_start} to={period_end} /> would come to with the usage so far, by the same
        code that will bill it. Nothing is written.
      </p>
      <Table
        caption="Lines of the upcoming invoice"
        items={line_items}
        columns={columnsIn(currency)}
        keyOf={({ charge_id, type, period_start: start }) => `${charge_id} ${type} ${start}`}
      />
      <Definitions
        of={[
          ['Subtotal', <Money amount={subtotal} currency={currency} />],
          [`Tax, ${tax.rate} %`, <Money amount={tax.amount} currency={currency} />],
          [
            'Total',
            <strong>
              <Money amount={total} currency={currency} />
            </strong>,
          ],
          ['Credits it would take', <Quantity value={credits_applied} />],
        ]}
      />
    </div>
  );
}

function columnsIn(currency: string): Column<UpcomingLineItem>[] {
  return [
    { title: 'What', show: ({ description }) => <span class="prose">{description}</span> },
    { title: 'Quantity', show: ({ quantity }) => <Quantity value={quantity} />, is_number: true },
    { title: 'Amount', show: ({ amount }) => <Money amount={amount} currency={currency} />, is_number: true },
  ];
}
