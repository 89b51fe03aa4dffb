import { faultAt } from '../../api/fault.ts';
import type { ClosedMonth, List } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { FormButton } from '../../components/dialog-button.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { Field, filledIn, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { ActorName } from '../../components/name.tsx';
import { Section } from '../../components/page.tsx';
import { Code, Quantity, Time } from '../../components/values.tsx';
import { useEnvironment } from '../../shell/environment.tsx';
import { May, useClient, useMay } from '../../shell/session.tsx';
import { monthInWords } from './month.ts';

type ClosingProps = { month: string; is_over: boolean };

/** Closes the books of a month, has the archive of one that is closed, and opens it again. */
export function Closing({ month, is_over }: ClosingProps) {
  const months = useLoad<List<ClosedMonth>>('/v1/closed-months?limit=200');
  return (
    <Section title={`Books of ${monthInWords(month)}`}>
      <Loading loaded={months}>
        {({ data }) => {
          const closed = data.find((one) => one.month === month);
          return closed === undefined ? (
            <Open month={month} is_over={is_over} changed={months.reload} />
          ) : (
            <Closed closed={closed} changed={months.reload} />
          );
        }}
      </Loading>
    </Section>
  );
}

function Open({ month, is_over, changed }: ClosingProps & { changed: () => void }) {
  const client = useClient();
  const may_close = useMay('closeMonth');
  const is_possible = useEnvironment() === 'test' || is_over;
  const close = async () => {
    await client.post('/v1/closed-months', { month });
    changed();
  };
  if (!may_close || !is_possible)
    return (
      <p>
        {monthInWords(month)} is open. {is_over ? 'Finance closes it.' : 'It can be closed once it is over.'}
      </p>
    );
  return (
    <>
      <p>
        {monthInWords(month)} is open. Before you close it, look at what is open, at the trial balance, and at
        the documents that are dated in another month.
      </p>
      <QuestionButton
        label="Close the month"
        kind="primary"
        done_label=""
        question={`Close the books of ${monthInWords(month)}?`}
        perform={close}
      >
        <ul>
          <li>The trial balance and a hash of the journal are kept.</li>
          <li>
            Invoices and credit notes that were issued in the month are neither voided nor regenerated any
            more: a credit note corrects them.
          </li>
          <li>Late usage, payments, reversals and credit notes go on, each on its own day.</li>
          <li>An admin can open the month again, with a reason.</li>
        </ul>
      </QuestionButton>
    </>
  );
}

function Closed({ closed, changed }: { closed: ClosedMonth; changed: () => void }) {
  const { month, closed_at, closed_by, entries, journal_sha256 } = closed;
  return (
    <div class="stack">
      <p>
        <strong>{monthInWords(month)} is closed.</strong> Its invoices and credit notes are neither voided nor
        regenerated: a credit note corrects them.
      </p>
      <Definitions
        entries={[
          ['Closed', <Time at={closed_at} />],
          ['Closed by', <ActorName id={closed_by} />],
          ['Entries of the journal', <Quantity value={entries} />],
          ['SHA-256 of the journal', <Code>{journal_sha256}</Code>],
        ]}
      />
      <div class="page-actions">
        <DownloadButton
          label="Download the archive"
          path={`/v1/closed-months/${month}/archive.zip`}
          name={`${month}.zip`}
        />
        <May use="openMonth">
          <OpenAgain month={month} changed={changed} />
        </May>
      </div>
    </div>
  );
}

function OpenAgain({ month, changed }: { month: string; changed: () => void }) {
  const client = useClient();
  const open = async (values: Values) => {
    const { reason } = filledIn(values);
    if (reason === undefined) throw faultAt('reason', 'missing', 'reason is missing; enter a reason');
    await client.post(`/v1/closed-months/${month}/open`, { reason });
    changed();
  };
  return (
    <FormButton
      label="Open again"
      title={`Open the books of ${monthInWords(month)} again?`}
      kind="danger"
      submit_label="Open the month"
      submit={open}
    >
      <p>
        Its invoices and credit notes can then be voided and regenerated. What was reported of the month may
        no longer be what the documents say.
      </p>
      <Field name="reason" label="Reason" hint="Kept in the audit log, with your name." />
    </FormButton>
  );
}
