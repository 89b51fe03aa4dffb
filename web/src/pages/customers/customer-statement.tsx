import type { Customer, Statement } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Definitions } from '../../components/definitions.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { Loading } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Money, Quantity, Time } from '../../components/values.tsx';
import { grouped } from '../../components/grouped.ts';
import { Link } from '../../shell/environment.tsx';
import { May } from '../../shell/session.tsx';
import { SendButton } from '../emails/send-button.tsx';

type Line = Statement['data'][number];

/** The statement of a customer: what is due, as a list, as a file, and by email. */
export function CustomerStatement({ customer: { id, name, external_id } }: { customer: Customer }) {
  const path = `/v1/customers/${id}/statement`;
  const loaded = useLoad<Statement>(path);
  const owes = (loaded.value?.data.length ?? 0) > 0;
  const actions = (
    <>
      <DownloadButton label="Statement (PDF)" path={`${path}.pdf`} />
      {owes && (
        <May use="sendStatement">
          <SendButton
            label="Send statement"
            title={`Send the statement of ${name ?? external_id}?`}
            path={`${path}/send`}
          />
        </May>
      )}
    </>
  );
  return (
    <Section title="Statement" actions={actions}>
      <Loading loaded={loaded}>{(statement) => <Sums statement={statement} />}</Loading>
    </Section>
  );
}

function Sums({ statement }: { statement: Statement }) {
  const { currency, as_of, amount_due, overdue_amount, balance, data } = statement;
  const count = grouped(`${data.length}`);
  return (
    <div class="stack">
      <Definitions
        entries={[
          ['Due', <Money amount={amount_due} currency={currency} />],
          ['Of which overdue', <Money amount={overdue_amount} currency={currency} />],
          ['Balance, not taken off', <Money amount={balance} currency={currency} />],
          ['As of', <Time at={as_of} />],
        ]}
      />
      {data.length > 0 && (
        <Disclosure summary={data.length === 1 ? '1 open invoice' : `${count} open invoices`}>
          <Table
            caption="Open invoices, the earliest due date first"
            items={data}
            keyOf={({ invoice_id }) => invoice_id}
            columns={columnsIn(currency)}
          />
        </Disclosure>
      )}
    </div>
  );
}

function columnsIn(currency: string): readonly Column<Line>[] {
  return [
    {
      title: 'Invoice',
      show: ({ invoice_id, number }) => <Link to={`/invoices/${invoice_id}`}>{number}</Link>,
    },
    { title: 'Due', show: ({ due_date }) => <span class="nowrap">{due_date}</span> },
    { title: 'Days overdue', show: ({ days_overdue }) => <Quantity value={days_overdue} />, is_number: true },
    { title: 'Total', show: ({ total }) => <Money amount={total} currency={currency} />, is_number: true },
    {
      title: 'Amount due',
      show: ({ amount_due }) => <Money amount={amount_due} currency={currency} />,
      is_number: true,
    },
  ];
}
