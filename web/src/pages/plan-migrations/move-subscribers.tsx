import { useState } from 'preact/hooks';
import type { List, Plan, PlanMigration, PlanMigrationPreview } from '../../api/objects.ts';
import { pathWith } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Form, Select, TextArea, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { useNavigate } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { NextVersion, PlanField } from '../choices/plan-field.tsx';
import { ChangeTermsFields, changeTermsOf, type ChangeTerms } from '../subscriptions/change-terms.tsx';
import { Confirmation } from '../subscriptions/preview.tsx';
import { TimeFields, useTime } from '../subscriptions/time-fields.tsx';
import { Comparison } from './comparison.tsx';

const PATH = '/v1/plan-migrations';
const TIMES = [
  { value: 'period_end', label: 'the end of each current period' },
  { value: 'now', label: 'now' },
];

const CUSTOM_PLANS = [
  { value: 'no', label: 'stay as they are' },
  { value: 'yes', label: 'are based on the new plan, with their own prices' },
];

type Request = ChangeTerms & {
  from_plan_id: string;
  to_plan_id: string;
  at: string;
  customer_ids?: string[];
  custom: boolean;
};

/** A dialog that previews the move of all subscribers of a plan, and then begins it. */
export function MoveSubscribersButton({ plan }: { plan: Plan }) {
  return (
    <DialogButton label="Move subscribers" title={`Move the subscribers of ${plan.name}`}>
      {(close) => <Targets plan={plan} close={close} />}
    </DialogButton>
  );
}

type Props = { plan: Plan; close: () => void };

/** A plan without a key has no other versions. */
function Targets(props: Props) {
  const { key } = props.plan;
  return key === null ? (
    <Offer {...props} has_versions={false} />
  ) : (
    <TargetsOfKey {...props} plan_key={key} />
  );
}

function TargetsOfKey({ plan_key, ...props }: Props & { plan_key: string }) {
  const versions = useLoad<List<Plan>>(pathWith('/v1/pricing-plans', { key: plan_key, limit: '2' }));
  return (
    <Loading loaded={versions}>{({ data }) => <Offer {...props} has_versions={data.length > 1} />}</Loading>
  );
}

/** Offers the plans of the same currency; of all versions of a key, the newest one may be the plan itself. */
function Offer(props: Props & { has_versions: boolean }) {
  const { plan, has_versions } = props;
  const except = has_versions ? undefined : plan.id;
  return (
    <NextVersion plan={plan} except={except} none={`No other plan in ${plan.currency}`}>
      {(next) => <MoveSubscribers {...props} next={next} except={except} />}
    </NextVersion>
  );
}

type Previewed = { request: Request; preview: PlanMigrationPreview };

type MoveProps = Props & { next: Plan | undefined; except: string | undefined; has_versions: boolean };

function MoveSubscribers({ plan, close, next, except, has_versions }: MoveProps) {
  const client = useClient();
  const navigate = useNavigate();
  const time = useTime('period_end');
  const [customers, setCustomers] = useState('');
  const [previewed, setPreviewed] = useState<Previewed | null>(null);
  if (previewed !== null) {
    const { request, preview } = previewed;
    const begin = async () => {
      const { id } = await client.post<PlanMigration>(PATH, request);
      close();
      navigate(`/plan-migrations/${id}`);
    };
    const back = () => setPreviewed(null);
    return preview.total === 0 ? (
      <Empty title="No subscription to move">
        <button type="button" onClick={back}>
          Back
        </button>
      </Empty>
    ) : (
      <Confirmation label={`Move ${preview.total}`} kind="primary" perform={begin} back={back}>
        <Comparison preview={preview} currency={plan.currency} />
      </Confirmation>
    );
  }
  const showPreview = async (values: Values) => {
    const { from_plan_id = plan.id, to_plan_id = '', custom } = values;
    const plans = { from_plan_id, to_plan_id, custom: custom === 'yes' };
    const at = time.timeOf(values, 'at');
    const request = { ...plans, at, ...changeTermsOf(values), ...customersIn(customers) };
    setPreviewed({ request, preview: await client.post(PATH, { ...request, dry_run: true }) });
  };
  const cancel = (
    <button type="button" onClick={close}>
      Cancel
    </button>
  );
  return (
    <Form submit_label="Preview" submit={showPreview} shape={time.when} beside={cancel}>
      <TargetFields plan={plan} next={next} except={except} has_versions={has_versions} />
      <TimeFields
        name="at"
        label="From"
        hint="The period ends there and is billed by the old plan. Where another change is scheduled, the subscription is skipped."
        options={TIMES}
        time={time}
      />
      <ChangeTermsFields />
      <TextArea
        name="customer_ids"
        label="Only these customers"
        value={customers}
        change={setCustomers}
        hint="Ids with commas or line breaks between them, at most 1,000; if empty, all."
      />
      <Select name="custom" label="Custom plans that are based on it" options={CUSTOM_PLANS} />
    </Form>
  );
}

function TargetFields({ plan, next, except, has_versions }: Omit<MoveProps, 'close'>) {
  return (
    <>
      {has_versions && <VersionsField plan={plan} />}
      <PlanField
        name="to_plan_id"
        label="To the plan"
        currency={plan.currency}
        except={except}
        initial={next}
      />
    </>
  );
}

function customersIn(text: string): { customer_ids?: string[] } {
  const customer_ids = text.split(/[,\n]/).flatMap((id) => id.trim() || []);
  return customer_ids.length === 0 ? {} : { customer_ids };
}

function VersionsField({ plan: { id, key } }: { plan: Plan }) {
  return (
    <Select
      name="from_plan_id"
      label="Subscribers"
      options={[
        { value: id, label: 'of this version' },
        { value: key ?? id, label: `of all versions of ${key}` },
      ]}
    />
  );
}
