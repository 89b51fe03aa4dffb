import type { Subscription } from '../../api/objects.ts';
import { Notice } from '../../components/notice.tsx';
import { Code } from '../../components/values.tsx';
import { WorkflowLink } from './workflow-link.tsx';

/** Why nothing is billed any more, and how that is mended. */
export function AttentionNotice({ of: { attention, workflow_id } }: { of: Subscription }) {
  return (
    <Notice kind="attention">
      <p>
        <strong>This subscription needs a person.</strong> It is not billed until somebody acts. Nothing is
        lost: what is due stays due.
      </p>
      <p>{attention}</p>
      <ol>
        <li>Mend what it names. Regenerating one of its invoices may be what mends it.</li>
        <li>
          Open its workflow, <WorkflowLink id={workflow_id} />, and send it the signal <Code>wake</Code>: it
          reads everything again and goes on.
        </li>
      </ol>
    </Notice>
  );
}
