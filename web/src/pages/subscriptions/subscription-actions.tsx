import type { Subscription } from '../../api/objects.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Section } from '../../components/page.tsx';
import { Time } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';
import { GenerateButton } from '../invoices/generate-button.tsx';
import { ChangePlanButton } from './change-plan.tsx';

type Props = { of: Subscription; reload: () => void };

/** Actions on a subscription. Generate is available after its end too, for periods that ended without an invoice. */
export function Actions({ of: subscription, reload }: Props) {
  return (
    <Section title="Actions">
      <div class="page-actions">
        <GenerateButton subscription_id={subscription.id} generated={reload} />
        {subscription.status !== 'canceled' && (
          <>
            <ChangePlanButton of={subscription} reload={reload} />
            {subscription.pending_change !== null && <TakeBack of={subscription} reload={reload} />}
            <Cancel of={subscription} reload={reload} />
          </>
        )}
      </div>
    </Section>
  );
}

function TakeBack({ of: { id, pending_change }, reload }: Props) {
  const client = useClient();
  const takeBack = async () => {
    await client.delete(`/v1/subscriptions/${id}/change`);
    reload();
  };
  return (
    <QuestionButton
      label="Take back the change of plan"
      question="Take back the change of plan?"
      perform={takeBack}
    >
      <p>
        The present plan goes on after <Time at={pending_change?.at ?? null} />.
      </p>
    </QuestionButton>
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
          label={status === 'pending' ? 'Cancel at the start date' : 'Cancel at the end of the period'}
          question="Cancel this subscription later?"
          perform={() => cancel('period_end')}
        >
          <p>
            It ends at <Time at={end} />.{' '}
            {status === 'active'
              ? 'The current period is billed in full. Later usage is not billed.'
              : 'No invoice is created, unless invoice items are pending then.'}
          </p>
          <p>
            Until then, you can still cancel it immediately. This cannot be undone; create a new subscription
            instead.
          </p>
        </QuestionButton>
      )}
      <QuestionButton
        label="Cancel now"
        question="Cancel this subscription now?"
        perform={() => cancel('now')}
      >
        <p>
          {status === 'active'
            ? 'The current period ends now. Its usage so far and the elapsed part of its flat amounts are billed. Later events are not billed.'
            : 'The subscription ends now, without an invoice, unless invoice items are pending.'}
        </p>
        <p>This cannot be undone; create a new subscription instead.</p>
      </QuestionButton>
    </>
  );
}
