import { useState } from 'preact/hooks';
import type { List, Plan, PlanChangePreview, Subscription, UpcomingInvoice } from '../../api/objects.ts';
import { everyPage } from '../../api/every-page.ts';
import { useAction } from '../../api/use-action.ts';
import { useLoad } from '../../api/use-load.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Field, Form, Select, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty, FaultNotice } from '../../components/notice.tsx';
import { Period } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { BillLines } from '../invoices/invoice-lines.tsx';
import { intervalInWords } from '../plans/models.ts';

type Props = { of: Subscription; reload: () => void };
type Request = { plan_id: string; at: string };

/** A dialog that previews a change of plan and then performs it. */
export function ChangePlanButton(props: Props) {
  return (
    <DialogButton label="Change plan" title="Change the plan of this subscription">
      {(close) => <Plans {...props} close={close} />}
    </DialogButton>
  );
}

type DialogProps = Props & { close: () => void };

/** The plans of the currency of the one that holds, without it. */
function Plans(props: DialogProps) {
  const loaded = useLoad<List<Plan>>('/v1/pricing-plans', everyPage);
  return (
    <Loading of={loaded}>
      {({ data }) => {
        const current = data.find(({ id }) => id === props.of.plan_id);
        const plans = data.filter((plan) => plan !== current && plan.currency === current?.currency);
        return plans.length === 0 ? (
          <Empty title={`No other plan in ${current?.currency}`}>
            <p>
              <Link to="/plans/new">Create a plan</Link> first.
            </p>
          </Empty>
        ) : (
          <ChangePlan {...props} plans={plans} />
        );
      }}
    </Loading>
  );
}

const ON_A_DAY = 'day';

function ChangePlan({ of: { id, status }, reload, plans, close }: DialogProps & { plans: readonly Plan[] }) {
  const client = useClient();
  const [plan_id, setPlan] = useState(plans[0]!.id);
  const [when, setWhen] = useState('period_end');
  const [previewed, setPreviewed] = useState<{ request: Request; preview: PlanChangePreview } | null>(null);
  const place = `/v1/subscriptions/${id}/change`;
  const preview = async ({ at = '' }: Values) => {
    const request = { plan_id, at: when === ON_A_DAY ? at : when };
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
    return <Confirmation of={previewed.preview} change={change} back={() => setPreviewed(null)} />;
  }
  return (
    <Form
      submit_label="Preview"
      submit={preview}
      shape={`${plan_id} ${when}`}
      beside={
        <button type="button" onClick={close}>
          Cancel
        </button>
      }
    >
      <Select
        name="plan_id"
        label="New plan"
        value={plan_id}
        change={setPlan}
        options={plans.map((plan) => ({ value: plan.id, label: `${plan.name} (${intervalInWords(plan)})` }))}
      />
      <Select
        name="when"
        label="From"
        hint="The period ends there and is billed by the old plan. A later change replaces one that is scheduled."
        value={when}
        change={setWhen}
        options={[
          {
            value: 'period_end',
            label: `the end of the ${status === 'trialing' ? 'trial' : 'current period'}`,
          },
          { value: 'now', label: 'now' },
          { value: ON_A_DAY, label: 'a day' },
        ]}
      />
      {when === ON_A_DAY && (
        <Field name="at" label="Day" type="date" hint="It begins in the time zone of the subscription." />
      )}
    </Form>
  );
}

type ConfirmationProps = { of: PlanChangePreview; change: () => Promise<void>; back: () => void };

function Confirmation({ of: { closing, upcoming }, change, back }: ConfirmationProps) {
  const { state, fault, run } = useAction<void>(change);
  return (
    <div class="stack">
      {closing === null && <p>No period ends: the new plan takes the place of the old one.</p>}
      {closing !== null && <Bill of={closing} title="By the old plan" />}
      {upcoming !== null && <Bill of={upcoming} title="By the new plan, as far as is known" />}
      {fault !== null && <FaultNotice fault={fault} />}
      <div class="form-buttons">
        <button type="button" class="primary" disabled={state === 'running'} onClick={() => run()}>
          {state === 'running' ? 'Please wait …' : 'Change plan'}
        </button>
        <button type="button" onClick={back}>
          Back
        </button>
      </div>
    </div>
  );
}

function Bill({ of: bill, title }: { of: UpcomingInvoice; title: string }) {
  return (
    <section class="stack">
      <h3>{title}</h3>
      <p>
        <Period from={bill.period_start} to={bill.period_end} timezone={bill.timezone} />
      </p>
      <BillLines bill={bill} lines={bill.line_items} />
    </section>
  );
}
