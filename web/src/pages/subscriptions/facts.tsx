import type { ComponentChildren } from 'preact';
import type { Plan, Subscription } from '../../api/objects.ts';
import { CopyButton } from '../../components/copy.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { distanceInWords } from '../../components/instant.ts';
import { Code, Time } from '../../components/values.tsx';
import { CustomerLink, PlanLink } from '../parts/links.tsx';
import { intervalInWords } from '../plans/models.ts';
import { WorkflowLink } from './workflow-link.tsx';

type FactsProps = { subscription: Subscription; plan: Plan | null; now: string };

/** The properties of a subscription. `plan` is null while it loads. */
export function Facts({ subscription, plan, now }: FactsProps) {
  const { id, customer_id, plan_id, workflow_id, current_period_end, status } = subscription;
  return (
    <Definitions
      entries={[
        ['Customer', <CustomerLink id={customer_id} />],
        ['Plan', <PlanLink id={plan_id} />],
        ...next(subscription.pending_change),
        ['Billed', plan && intervalInWords(plan)],
        ['Time zone', subscription.timezone],
        ...(status === 'canceled' ? [] : boundary(current_period_end, now)),
        [startName(subscription), <Time at={subscription.start_date} />],
        ...instant('Trial until', subscription.trial_end_date),
        ...instant('Billing anchor', subscription.billing_anchor),
        ...instant('Ends', subscription.cancel_at),
        ...instant('Ended', subscription.canceled_at),
        ['Workflow', <WorkflowLink id={workflow_id} />],
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

function boundary(at: string, now: string): Entry[] {
  return [
    [
      at > now ? 'Next period end' : 'Period ended',
      <>
        <Time at={at} /> <span class="faint">{distanceInWords(at, now)}</span>
      </>,
    ],
  ];
}

/** The change of plan that is to come. */
function next(change: Subscription['pending_change']): Entry[] {
  if (change === null) return [];
  const { plan_id, at } = change;
  return [
    [
      'Next plan',
      <>
        <PlanLink id={plan_id} /> from <Time at={at} />
      </>,
    ],
  ];
}

function instant(name: string, at: string | null): Entry[] {
  return at === null ? [] : [[name, <Time at={at} />]];
}
