import { defineSearchAttributeKey } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { CollectionActivities } from '../activities/collections.ts';
import { SEARCH_ATTRIBUTES } from './messages.ts';

const STATE = defineSearchAttributeKey(
  SEARCH_ATTRIBUTES.collection_state.name,
  SEARCH_ATTRIBUTES.collection_state.type,
);

type Collected = Awaited<ReturnType<CollectionActivities['collectNext']>>;
type Shown = Pick<Collected, 'state' | 'attempt_id'>;

const TEXTS: Readonly<Record<Shown['state'], string>> = {
  charging: 'Charges the invoice.',
  processing:
    'The provider has taken the charge and says in some days whether it succeeded. It is asked again each hour.',
  waits_for_provider:
    'The provider does not answer, or refuses the key. No attempt is counted. **Manual actions:** correct the cause, then send the signal `wake`: it asks at once.',
  scheduled: 'The next charge is planned; the invoice says for when.',
  paused: 'A charge is planned. Collection of the invoice or of the customer is paused.',
  idle: 'Nothing to do.',
};

/** Shows in the Temporal UI what the collection of an invoice does. */
export function showCollection({ state, attempt_id }: Shown): void {
  const named = attempt_id === null ? [] : [`**Attempt:** \`${attempt_id}\``];
  // The Temporal UI clips the last line of the details.
  setCurrentDetails([TEXTS[state], ...named, '---'].join('\n\n'));
  if (workflowInfo().typedSearchAttributes.get(STATE) !== state)
    upsertSearchAttributes([{ key: STATE, value: state }]);
}
