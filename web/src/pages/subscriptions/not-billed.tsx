import { pathWith, type Client } from '../../api/client.ts';
import type { Invoice, List, Subscription } from '../../api/objects.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { notBilled } from '../../components/instant.ts';
import { useReason } from '../parts/reason.ts';
import { May, useClient } from '../../shell/session.tsx';

type Props = { subscription: Subscription; reload: () => void };

/**
 * Says in a table since when and why a subscription is not billed, with a retry button. Renders nothing if it needs no
 * person.
 */
export function NotBilled({ subscription, reload }: Props) {
  const reasonOf = useReason();
  if (subscription.attention === null) return null;
  return (
    <span class="not-billed">
      <span class="wide-text badge-attention">
        {notBilled(subscription.unbilled_since, reasonOf(subscription.attention))}
      </span>
      <May use="wakeSubscription">
        <TryAgain subscription={subscription} reload={reload} />
      </May>
    </span>
  );
}

/** Renders while the subscription needs a person. If it is still there after a retry, billing has stopped again. */
export function TryAgain({ subscription, reload }: Props) {
  const client = useClient();
  const tryAgain = async () => {
    await client.post(`${pathOf(subscription)}/wake`);
    await outcomeOf(client, subscription);
    reload();
  };
  return <ActionButton label="Try again" perform={tryAgain} done_label="Billing failed again." />;
}

const pathOf = ({ id }: Subscription) => `/v1/subscriptions/${encodeURIComponent(id)}`;

const POLL_INTERVAL_MS = 400;
const POLLS_MAX = 15;

/**
 * Waits until the period is billed or billing has stopped again; at most six seconds, because a live draft is held for
 * an hour.
 */
async function outcomeOf(client: Client, subscription: Subscription): Promise<void> {
  for (let poll = 0; poll < POLLS_MAX; poll++) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    const { attention } = await client.get<Subscription>(pathOf(subscription));
    if (attention !== null || (await isBilled(client, subscription))) return;
  }
}

async function isBilled(client: Client, { id, unbilled_since: from }: Subscription): Promise<boolean> {
  if (from === null) return false;
  const to = new Date(Date.parse(from) + 1).toISOString();
  const path = pathWith('/v1/invoices', { subscription_id: id, from, to });
  const { data } = await client.get<List<Invoice>>(path);
  return data.some(({ status }) => status === 'open' || status === 'paid');
}
