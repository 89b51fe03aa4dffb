import { useState } from 'preact/hooks';
import type { Plan, PlanChangePreview, Subscription } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Form, Select, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { useClient } from '../../shell/session.tsx';
import { NextVersion, PlanField } from '../choices/plan-field.tsx';
import { ChangeTermsFields, changeTermsOf, type ChangeTerms } from './change-terms.tsx';
import { Bill, Confirmation, Notes } from './preview.tsx';
import { namedTimes, TimeFields, useTime } from './time-fields.tsx';

type Props = { subscription: Subscription; reload: () => void };
type Request = ChangeTerms & { plan_id: string; at: string; take_back_grants: boolean };

/** A dialog that previews a change of plan and then performs it. */
export function ChangePlanButton(props: Props) {
  return (
    <DialogButton label="Change plan" title="Change the plan of this subscription">
      {(close) => <OtherPlans {...props} close={close} />}
    </DialogButton>
  );
}

type DialogProps = Props & { close: () => void };

/** Offers the plans of the currency of the one that holds, without it. */
function OtherPlans(props: DialogProps) {
  const { plan_id } = props.subscription;
  const loaded = useLoad<Plan>(`/v1/pricing-plans/${plan_id}`);
  return (
    <Loading loaded={loaded}>
      {(plan) => (
        <NextVersion plan={plan} except={plan_id} none={`No other plan in ${plan.currency}`}>
          {(next) => <ChangePlan {...props} plan={plan} next={next} />}
        </NextVersion>
      )}
    </Loading>
  );
}

/** `plan` is the one that holds, `next` the one that is proposed. */
type ChangePlanProps = DialogProps & { plan: Plan; next: Plan | undefined };

function ChangePlan({ subscription, reload, plan, next, close }: ChangePlanProps) {
  const client = useClient();
  const [chosen, setChosen] = useState<Plan | null>(next ?? null);
  const time = useTime('period_end');
  const [previewed, setPreviewed] = useState<{ request: Request; preview: PlanChangePreview } | null>(null);
  const place = `/v1/subscriptions/${subscription.id}/change`;
  const preview = async (values: Values) => {
    const { plan_id = '', take_back_grants } = values;
    const at = time.timeOf(values, 'at');
    const terms = { ...changeTermsOf(values), take_back_grants: take_back_grants === 'yes' };
    const request = { plan_id, at, ...terms };
    setPreviewed({
      request,
      preview: await client.post<PlanChangePreview>(place, { ...request, dry_run: true }),
    });
  };
  if (previewed !== null) {
    const change = async () => {
      await client.post(place, previewed.request);
      close();
      reload();
    };
    return (
      <Confirmation label="Change plan" kind="primary" perform={change} back={() => setPreviewed(null)}>
        <Following preview={previewed.preview} />
      </Confirmation>
    );
  }
  return (
    <Form
      submit_label="Preview"
      submit={preview}
      shape={`${chosen?.id} ${time.when}`}
      beside={
        <button type="button" onClick={close}>
          Cancel
        </button>
      }
    >
      <PlanField
        name="plan_id"
        label="New plan"
        currency={plan.currency}
        except={subscription.plan_id}
        initial={chosen ?? undefined}
        change={setChosen}
      />
      <TimeFields
        name="at"
        label="From"
        hint="The period ends there and is billed by the old plan. A later change replaces one that is scheduled."
        options={namedTimes(subscription)}
        time={time}
      />
      <ChangeTermsFields />
      {plan.grants.length > 0 && <TakeBackField />}
    </Form>
  );
}

/** A choice of what becomes of the credit that the old plan gave for the running period. */
function TakeBackField() {
  return (
    <Select
      name="take_back_grants"
      label="Credit of the old plan"
      hint="What it gave for the running period; usage until the change is covered in any case."
      options={[
        { value: 'no', label: 'stays as long as it would' },
        { value: 'yes', label: 'ends with the change' },
      ]}
    />
  );
}

type FollowingProps = { preview: PlanChangePreview };

/** The invoices and credit notes that follow the change. */
function Following({ preview: { closing, opening, upcoming, credit_notes } }: FollowingProps) {
  return (
    <>
      {closing === null && <p>No period ends: the new plan takes the place of the old one.</p>}
      {closing !== null && <Bill bill={closing} title="By the old plan" />}
      <Notes notes={credit_notes} />
      {opening !== null && <Bill bill={opening} title="Fees in advance, as the new plan begins" />}
      {upcoming !== null && <Bill bill={upcoming} title="By the new plan, as far as is known" />}
    </>
  );
}
