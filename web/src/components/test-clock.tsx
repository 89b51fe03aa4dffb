import { useState } from 'preact/hooks';
import type { Invoice } from '../api/objects.ts';
import { useAdvance, type Advance } from '../api/use-advance.ts';
import { ActionButton } from './action-button.tsx';
import { Badge } from './badge.tsx';
import { Field, Form } from './form.tsx';
import { aMonthAfter, notBilled } from './instant.ts';
import { CustomerName, PlanName } from './name.tsx';
import { Notice } from './notice.tsx';
import { Section } from './page.tsx';
import { Table } from './table.tsx';
import { Money, Period, Time, utcTime } from './values.tsx';

type TestClockProps = {
  customer_id: string;
  /** The customer's present time; null while it is real time. */
  time: string | null;
  /** A period end to offer as a target; null if there is none. */
  period_end: string | null;
  /** Runs after each advance, to reload the page's data. */
  onAdvanced: () => void;
};

/**
 * Moves a test customer's clock forward and shows the new invoices. Live customers have no test clock: leave it out for
 * them.
 */
export function TestClock({ customer_id, time, period_end, onAdvanced }: TestClockProps) {
  const advance = useAdvance(customer_id);
  const [outcome, setOutcome] = useState<Advance | null>(null);
  const go = async (to: string) => {
    setOutcome(await advance(to));
    onAdvanced();
  };
  const now = time ?? new Date().toISOString();
  return (
    <Section title="Test clock">
      <div class="stack">
        <p class="lead">
          Moves the time of{' '}
          <strong>
            <CustomerName id={customer_id} />
          </strong>{' '}
          forward and bills every period that ends by the new time, for all subscriptions of the customer, as
          for a live customer. After that, the customer’s time changes only when you move it again. It cannot
          move back.
        </p>
        {time !== null && (
          <p>
            This customer’s time is <Time at={time} />.
          </p>
        )}
        <div class="page-actions">
          {period_end !== null && period_end > now && (
            <ActionButton
              label={`To the end of the period, ${utcTime(period_end)} UTC`}
              perform={() => go(period_end)}
              done_label=""
            />
          )}
          <ActionButton label="One month forward" perform={() => go(aMonthAfter(now))} done_label="" />
        </div>
        <Form submit_label="Move the clock" submit={async ({ to = '' }) => go(to)}>
          <Field
            name="to"
            label="To another time"
            hint="In UTC: a date, or a date and time such as 2030-02-01T09:30."
            placeholder="2030-02-01"
          />
        </Form>
        {outcome !== null && <Outcome advance={outcome} />}
      </div>
    </Section>
  );
}

function Outcome({ advance: { now, invoices, stopped } }: { advance: Advance }) {
  const has_stopped = stopped.length > 0;
  return (
    <Notice kind={has_stopped ? 'attention' : 'good'}>
      <p>
        The test clock is now at <Time at={now} />
        {has_stopped && <strong>, but billing stopped</strong>}.{' '}
        {invoices.length > 0 && 'These invoices were created:'}
        {invoices.length === 0 && !has_stopped && 'No period has ended, so there is no new invoice.'}
      </p>
      {stopped.map(({ id, plan_id, unbilled_since, attention }) => (
        <p key={id}>
          <a href={`/subscriptions/${id}?mode=test`}>
            <PlanName id={plan_id} />
          </a>
          : {notBilled(unbilled_since, attention ?? '')}
        </p>
      ))}
      {invoices.length > 0 && (
        <Table caption="Invoices of this advance" keyOf={({ id }) => id} items={invoices} columns={COLUMNS} />
      )}
    </Notice>
  );
}

/** Plain links with mode=test: components cannot use the shell's Link, and a test clock makes only test data. */
const COLUMNS = [
  {
    title: 'Number',
    show: ({ id, number }: Invoice) => <a href={`/invoices/${id}?mode=test`}>{number ?? 'draft'}</a>,
  },
  { title: 'Status', show: ({ status }: Invoice) => <Badge status={status} /> },
  {
    title: 'Period',
    show: ({ period_start, period_end, timezone }: Invoice) => (
      <Period from={period_start} to={period_end} timezone={timezone} />
    ),
  },
  {
    title: 'Total',
    show: ({ total, currency }: Invoice) => <Money amount={total} currency={currency} />,
    is_number: true,
  },
];
