import type { Subscription } from '../../api/objects.ts';
import { notBilled } from '../../components/instant.ts';
import { Notice } from '../../components/notice.tsx';
import { Code } from '../../components/values.tsx';
import { TryAgain } from './not-billed.tsx';
import { WorkflowLink } from './workflow-link.tsx';
import { useReason } from '../parts/reason.ts';
import { ForAdmins, May } from '../../shell/session.tsx';

type Props = { subscription: Subscription; reload: () => void };

/** Says why a subscription is not billed, and what to do about it. */
export function AttentionNotice({ subscription, reload }: Props) {
  const { attention, unbilled_since, workflow_id } = subscription;
  const reasonOf = useReason();
  return (
    <Notice kind="attention">
      <p class="wide-text">
        <strong class="badge-attention">{notBilled(unbilled_since, reasonOf(attention ?? ''))}</strong>
      </p>
      <p>
        This subscription cannot be billed until the problem is corrected. No usage is lost, and due periods
        remain due. Correct the problem, for example by regenerating an invoice, then try again.
      </p>
      <May use="wakeSubscription">
        <TryAgain subscription={subscription} reload={reload} />
      </May>
      <ForAdmins>
        <p class="faint">
          You can also send the signal <Code>wake</Code> to its workflow, <WorkflowLink id={workflow_id} />.
        </p>
      </ForAdmins>
    </Notice>
  );
}
