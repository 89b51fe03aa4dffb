import type { Subscription } from '../../api/objects.ts';
import { notBilled } from '../../components/instant.ts';
import { Notice } from '../../components/notice.tsx';
import { Code } from '../../components/values.tsx';
import { TryAgain } from './not-billed.tsx';
import { WorkflowLink } from './workflow-link.tsx';

/** Why a subscription is not billed, and what to do about it. */
export function AttentionNotice({ of: subscription, reload }: { of: Subscription; reload: () => void }) {
  const { attention, unbilled_since, workflow_id } = subscription;
  return (
    <Notice kind="attention">
      <p class="wide-text">
        <strong class="badge-attention">{notBilled(unbilled_since, attention ?? '')}</strong>
      </p>
      <p>
        It is not billed until somebody acts. Nothing is lost: what is due stays due. Put right what is named
        here, which regenerating one of its invoices may do, and try again.
      </p>
      <TryAgain of={subscription} reload={reload} />
      <p class="faint">
        The signal <Code>wake</Code> to its workflow, <WorkflowLink id={workflow_id} />, does the same.
      </p>
    </Notice>
  );
}
