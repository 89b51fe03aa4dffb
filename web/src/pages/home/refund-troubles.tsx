import type { Home } from '../../api/objects.ts';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Day, Money } from '../../components/values.tsx';
import { CutCustomerLink, InvoiceLink } from '../parts/links.tsx';

type Trouble = Home['refunds'][number];

const WORDS: Readonly<Record<Trouble['kind'], string>> = {
  refund: 'A refund made at the payment provider waits to be booked',
  dispute: 'A dispute waits to be booked',
  note: 'The refund of a credit note has failed: pay it back another way',
};

/** Lists refunds and disputes that a person has to look at; nothing where all is well. */
export function RefundTroubles({ refunds }: Pick<Home, 'refunds'>) {
  if (refunds.length === 0) return null;
  return (
    <Section title="Refunds and disputes that wait for you">
      <Table
        caption="Refunds and disputes, newest first"
        keyOf={({ id }) => id}
        items={refunds}
        columns={[
          { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
          { title: 'Invoice', show: ({ invoice_id: id }) => id !== null && <InvoiceLink id={id} /> },
          { title: 'Found', show: ({ created_at }) => <Day at={created_at} /> },
          {
            title: 'What to do',
            show: ({ kind, fault }) => (
              <>
                {WORDS[kind]}
                {fault !== null && (
                  <>
                    : <q>{fault}</q>
                  </>
                )}
              </>
            ),
          },
          {
            title: 'Amount',
            show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
            is_number: true,
          },
        ]}
      />
    </Section>
  );
}
