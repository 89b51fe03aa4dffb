import type { ComponentChildren } from 'preact';
import type { Plan, Subscription } from '../../api/objects.ts';
import { CopyButton } from '../../components/copy.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { distanceInWords } from '../../components/instant.ts';
import { Code, DayOrTime, Money } from '../../components/values.tsx';
import { useDashboard } from '../../shell/session.tsx';
import { CustomerLink, PlanLink } from '../parts/links.tsx';
import { intervalInWords } from '../plans/models.ts';
import { WorkflowLink } from './workflow-link.tsx';

type FactsProps = { subscription: Subscription; plan: Plan | null; now: string };

/** The properties of a subscription. `plan` is null while it loads. */
export function Facts({ subscription, plan, now }: FactsProps) {
  const { id, customer_id, plan_id, workflow_id, timezone, status } = subscription;
  const is_admin = useDashboard().user.role === 'admin';
  return (
    <Definitions
      entries={[
        ['Customer', <CustomerLink id={customer_id} />],
        ['Plan', <PlanLink id={plan_id} />],
        ...baseOf(plan),
        ...next(subscription),
        ['Billed', plan && intervalInWords(plan)],
        ...billedAt(subscription, plan),
        ['Time zone', timezone],
        ...(status === 'canceled' ? [] : boundary(subscription, now)),
        [startName(subscription), <DayOrTime at={subscription.start_date} timezone={timezone} />],
        ...instant('Trial until', subscription.trial_end_date, timezone),
        ...instant('Billing anchor', subscription.billing_anchor, timezone),
        ...instant('Ends', subscription.cancel_at, timezone),
        ...instant('Ended', subscription.canceled_at, timezone),
        ...(is_admin ? ([['Workflow', <WorkflowLink id={workflow_id} />]] satisfies Entry[]) : []),
        [
          'Id',
          <>
            <Code>{id}</Code> <CopyButton text={id} what="the subscription’s id" />
          </>,
        ],
      ]}
    />
  );
}

function startName({ status, start_date, canceled_at }: Subscription): string {
  if (canceled_at !== null && canceled_at <= start_date) return 'Planned start';
  return status === 'pending' ? 'Begins' : 'Began';
}

type Entry = [name: string, value: ComponentChildren];

function boundary({ current_period_end: at, timezone }: Subscription, now: string): Entry[] {
  return [
    [
      at > now ? 'Next period end' : 'Period ended',
      <>
        <DayOrTime at={at} timezone={timezone} /> <span class="faint">{distanceInWords(at, now)}</span>
      </>,
    ],
  ];
}

/** The base of a custom plan. */
function baseOf(plan: Plan | null): Entry[] {
  return plan === null || plan.based_on === null
    ? []
    : [['Custom plan, based on', <PlanLink id={plan.based_on} />]];
}

/** The usage at which a period is billed before its end. */
function billedAt({ bill_at }: Subscription, plan: Plan | null): Entry[] {
  if (bill_at === null || plan === null) return [];
  return [
    [
      'Billed before the end',
      <>
        once usage comes to <Money amount={bill_at} currency={plan.currency} />
      </>,
    ],
  ];
}

/** The change of plan that is to come. */
function next({ pending_change, timezone }: Subscription): Entry[] {
  if (pending_change === null) return [];
  const { plan_id, at } = pending_change;
  return [
    [
      'Next plan',
      <>
        <PlanLink id={plan_id} /> from <DayOrTime at={at} timezone={timezone} />
      </>,
    ],
  ];
}

function instant(name: string, at: string | null, timezone: string): Entry[] {
  return at === null ? [] : [[name, <DayOrTime at={at} timezone={timezone} />]];
}
