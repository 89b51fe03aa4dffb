import type { ComponentChildren } from 'preact';
import { pathWith } from '../../api/client.ts';
import type { Subscription } from '../../api/objects.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Section } from '../../components/page.tsx';
import { DayOrTime } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { GenerateButton } from '../invoices/generate-button.tsx';
import { BillAtButton } from './bill-at.tsx';
import { CancelButton } from './cancel.tsx';
import { ChangeTrialButton } from './change-trial.tsx';

type Props = { subscription: Subscription; reload: () => void };
type ActionsProps = Props & {
  /** That of its plan; null while it is not known. */
  currency: string | null;
};

/** Actions on a subscription. Generate is available after its end too, for periods that ended without an invoice. */
export function Actions({ subscription, currency, reload }: ActionsProps) {
  const { status, pending_change, cancel_at, timezone } = subscription;
  return (
    <Section title="Actions">
      <div class="page-actions">
        <May use="generateInvoices">
          <GenerateButton subscription_id={subscription.id} generated={reload} />
        </May>
        {status !== 'canceled' && (
          <>
            <May use="changePlan">
              <Link to={`/subscriptions/${subscription.id}/change`} is_button>
                Change plan
              </Link>
            </May>
            <May use="createPricingPlan">
              <Link to={pathWith('/plans/custom', customPlanOf(subscription))} is_button>
                Custom price
              </Link>
            </May>
            {pending_change !== null && (
              <May use="takeBackChange">
                <TakeBack subscription={subscription} reload={reload} action="change" what="change of plan">
                  The present plan goes on after <DayOrTime at={pending_change.at} timezone={timezone} />.
                </TakeBack>
              </May>
            )}
            {status !== 'active' && (
              <May use="changeTrial">
                <ChangeTrialButton subscription={subscription} reload={reload} />
              </May>
            )}
            <May use="updateSubscription">
              <BillAtButton subscription={subscription} currency={currency} reload={reload} />
            </May>
            <May use="cancelSubscription">
              <CancelButton subscription={subscription} reload={reload} />
            </May>
            {cancel_at !== null && (
              <May use="takeBackCancel">
                <TakeBack subscription={subscription} reload={reload} action="cancel" what="cancellation">
                  The subscription goes on after <DayOrTime at={cancel_at} timezone={timezone} />.
                </TakeBack>
              </May>
            )}
          </>
        )}
      </div>
    </Section>
  );
}

/** The query of the form for a custom plan that a subscription is to have. */
function customPlanOf({ id, plan_id, customer_id }: Subscription) {
  return { based_on: plan_id, customer_id, subscription_id: id };
}

type TakeBackProps = Props & { action: 'change' | 'cancel'; what: string; children: ComponentChildren };

function TakeBack({ subscription: { id }, reload, action, what, children }: TakeBackProps) {
  const client = useClient();
  const takeBack = async () => {
    await client.delete(`/v1/subscriptions/${id}/${action}`);
    reload();
  };
  return (
    <QuestionButton label={`Take back the ${what}`} question={`Take back the ${what}?`} perform={takeBack}>
      <p>{children}</p>
    </QuestionButton>
  );
}
