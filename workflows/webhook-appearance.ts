import { defineSearchAttributeKey } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhooks.ts';
import { SEARCH_ATTRIBUTES } from './messages.ts';

const STATE = defineSearchAttributeKey(
  SEARCH_ATTRIBUTES.webhook_state.name,
  SEARCH_ATTRIBUTES.webhook_state.type,
);

type Left = Pick<Awaited<ReturnType<WebhookActivities['deliverChanges']>>, 'state' | 'reason'>;

const TEXTS: Readonly<Record<Left['state'], string>> = {
  delivering: 'Sends changes as they come.',
  asleep: 'Everything is sent. The next change wakes it.',
  failing: 'Waits for the next try of a delivery that failed.',
  paused: 'Paused. **Manual actions:** the signal `resume` goes on where it stopped.',
  parked:
    'Parked. **Manual actions:** correct the cause, then send the signal `resume`: it goes on where it stopped.',
  deleted: 'Deleted.',
};

/** Shows in the Temporal UI what an endpoint does. */
export function showDeliveries({ state, reason }: Left): void {
  const because = reason === null ? [] : [`**Reason:** ${reason}`];
  // The Temporal UI clips the last line of the details.
  setCurrentDetails([TEXTS[state], ...because, '---'].join('\n\n'));
  if (workflowInfo().typedSearchAttributes.get(STATE) !== state)
    upsertSearchAttributes([{ key: STATE, value: state }]);
}
