import { useState } from 'preact/hooks';
import type { Invoice, List, Subscription } from '../../api/objects.ts';
import { ActionButton, QuestionButton } from '../../components/action-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Money, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';

type Props = { of: Subscription; reload: () => void };

/** What can be done to a subscription that has not ended. */
export function Actions({ of: subscription, reload }: Props) {
  const client = useClient();
  const [generated, setGenerated] = useState<List<Invoice> | null>(null);
  const generate = async (close_now: boolean) => {
    const body = { subscription_id: subscription.id, close_now };
    setGenerated(await client.post<List<Invoice>>('/v1/invoices/generate', body));
    reload();
  };
  return (
    <Section title="What can be done">
      <div class="stack">
        <div class="page-actions">
          <ActionButton label="Bill what has ended" perform={() => generate(false)} />
          {subscription.status === 'active' && (
            <QuestionButton
              label="Bill up to now"
              kind="plain"
              question="Cut the current period now?"
              perform={() => generate(true)}
            >
              <p>
                The period ends at this instant and is billed at once, with no time for late events; flat
                amounts are charged for their part of it. The rest of the period is billed when it ends; tiers
                and free units run on over both parts.
              </p>
              <p>It cannot be undone. An invoice that is not paid can be voided.</p>
            </QuestionButton>
          )}
          <Cancel of={subscription} reload={reload} />
        </div>
        {generated !== null && <Generated list={generated} />}
      </div>
    </Section>
  );
}

function Generated({ list: { data, has_more } }: { list: List<Invoice> }) {
  if (data.length === 0)
    return (
      <Notice kind="good">
        <p>Nothing was due: every period that has ended has its invoice.</p>
      </Notice>
    );
  return (
    <Notice kind="good">
      <p>{data.length === 1 ? 'One invoice was made:' : `${data.length} invoices were made:`}</p>
      <ul>
        {data.map(({ id, number, total, currency }) => (
          <li key={id}>
            <Link to={`/invoices/${id}`}>{number ?? 'draft'}</Link>,{' '}
            <Money amount={total} currency={currency} />
          </li>
        ))}
      </ul>
      {has_more && <p>There is more that has ended. Bill it by the same button.</p>}
    </Notice>
  );
}

function Cancel({ of: { id, status, cancel_at, current_period_end, start_date }, reload }: Props) {
  const client = useClient();
  const cancel = async (at: 'now' | 'period_end') => {
    await client.post(`/v1/subscriptions/${id}/cancel`, { at });
    reload();
  };
  const end = status === 'pending' ? start_date : current_period_end;
  return (
    <>
      {cancel_at === null && (
        <QuestionButton
          label={status === 'pending' ? 'Cancel at its start' : 'Cancel at the period’s end'}
          question="End this subscription later?"
          perform={() => cancel('period_end')}
        >
          <p>
            It ends at <Time at={end} />.{' '}
            {status === 'active'
              ? 'The current period is billed in full, and nothing after it.'
              : 'No invoice is made for it.'}
          </p>
          <p>
            Until then it can still be ended at once. It cannot be taken back: subscribe the customer anew.
          </p>
        </QuestionButton>
      )}
      <QuestionButton label="Cancel now" question="End this subscription now?" perform={() => cancel('now')}>
        <p>
          {status === 'active'
            ? 'The current period ends at this instant: its usage so far and the part of its flat amounts are billed, and events after it are not.'
            : 'It ends at this instant, without an invoice.'}
        </p>
        <p>It cannot be taken back: subscribe the customer anew.</p>
      </QuestionButton>
    </>
  );
}
