import { pathWith } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { List, PaymentAttempt, PaymentMethod } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import type { Pages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Money, Time } from '../../components/values.tsx';
import { declineInWords } from './charge-words.ts';

type ChargesProps = { customer_id: string; pages: Pages<PaymentAttempt> };

/** The attempts to charge an invoice, newest first; nothing if there are none. */
export function InvoiceCharges({ customer_id, pages }: ChargesProps) {
  const count = pages.loaded.value?.data.length ?? 0;
  return count === 0 && pages.loaded.fault === null ? null : (
    <Charges customer_id={customer_id} pages={pages} />
  );
}

function Charges({ customer_id, pages }: ChargesProps) {
  const path = pathWith('/v1/payment-methods', { customer_id });
  const methods = useLoad<List<PaymentMethod>>(path, everyPage).value?.data ?? [];
  const labels = new Map(methods.map(({ id, label }) => [id, label]));
  return (
    <Section title="Charges">
      <PagedTable
        caption="Charges of this invoice, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columnsOf(labels)}
        empty={<Empty title="No charges" />}
      />
    </Section>
  );
}

/** `labels` are those of payment methods by id. */
function columnsOf(labels: ReadonlyMap<string, string>): readonly Column<PaymentAttempt>[] {
  return [
    { title: 'Number', show: ({ number }) => number },
    { title: 'Date', show: ({ created_at }) => <Time at={created_at} /> },
    {
      title: 'Method',
      show: ({ payment_method_id: id }) => labels.get(id) ?? <ShortId id={id} what="the method’s id" />,
    },
    {
      title: 'Status',
      show: (attempt) => (
        <>
          <Badge status={attempt.status} /> {declineInWords(attempt)}
        </>
      ),
    },
    {
      title: 'Payment',
      show: ({ payment_id }) =>
        payment_id === null ? (
          <span class="faint">–</span>
        ) : (
          <ShortId id={payment_id} what="the payment’s id" />
        ),
    },
    {
      title: 'Amount',
      show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      is_number: true,
      on_phone: 'figure',
    },
  ];
}
