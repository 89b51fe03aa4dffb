import type { PaymentDispute, PaymentRefund } from '../../api/objects.ts';
import type { Pages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { ActorName } from '../../components/name.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, Money, Time, words } from '../../components/values.tsx';

/** What a refund and a dispute have in common. */
type TakenBack = Pick<PaymentRefund, 'id' | 'created_at' | 'amount' | 'currency'> & { status: string };

const AMOUNT: Column<TakenBack> = {
  title: 'Amount',
  show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  is_number: true,
  on_phone: 'figure',
};
const DATE: Column<TakenBack> = { title: 'Date', show: ({ created_at }) => <Time at={created_at} /> };
const STATUS: Column<TakenBack> = { title: 'Status', show: ({ status }) => <Badge status={status} /> };

const REFUND_COLUMNS: readonly Column<PaymentRefund>[] = [
  DATE,
  {
    title: 'Reason',
    on_phone: 'hidden',
    show: ({ reason }) => (reason === null ? <span class="faint">–</span> : <Cut text={reason} />),
  },
  {
    title: 'By',
    on_phone: 'hidden',
    show: ({ created_by }) =>
      created_by === null ? <span class="faint">the provider</span> : <ActorName id={created_by} />,
  },
  STATUS,
  AMOUNT,
];

const DISPUTE_COLUMNS: readonly Column<PaymentDispute>[] = [
  DATE,
  { title: 'Reason', on_phone: 'hidden', show: ({ reason }) => words(reason) },
  STATUS,
  AMOUNT,
];

type RefundsProps = { refunds: Pages<PaymentRefund>; disputes: Pages<PaymentDispute> };

/** Refunds and disputes of an invoice, newest first; nothing if there are none. */
export function InvoiceRefunds({ refunds, disputes }: RefundsProps) {
  return (
    <>
      {isShown(refunds) && (
        <Section title="Refunds">
          <PagedTable
            caption="Refunds of this invoice, newest first"
            pages={refunds}
            keyOf={({ id }) => id}
            columns={REFUND_COLUMNS}
            empty={<Empty title="No refunds" />}
          />
        </Section>
      )}
      {isShown(disputes) && (
        <Section title="Disputes">
          <PagedTable
            caption="Disputes of this invoice, newest first"
            pages={disputes}
            keyOf={({ id }) => id}
            columns={DISPUTE_COLUMNS}
            empty={<Empty title="No disputes" />}
          />
        </Section>
      )}
    </>
  );
}

function isShown<Item>({ loaded }: Pages<Item>): boolean {
  return (loaded.value?.data.length ?? 0) > 0 || loaded.fault !== null;
}
