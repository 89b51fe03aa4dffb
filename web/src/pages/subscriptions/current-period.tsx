import type { Subscription } from '../../api/objects.ts';
import { Badge } from '../../components/badge.tsx';
import { distanceInWords } from '../../components/instant.ts';
import { Period, Time } from '../../components/values.tsx';

type Props = { subscription: Subscription; now: string };

/** The subscription's state as a sentence, and the elapsed share of its period. */
export function CurrentPeriod({ subscription, now }: Props) {
  const { status, current_period_start: from, current_period_end: to, timezone } = subscription;
  const share = (Date.parse(now) - Date.parse(from)) / (Date.parse(to) - Date.parse(from));
  const is_billing = status === 'active' && to <= now;
  const is_running = !is_billing && (status === 'active' || status === 'trialing');
  return (
    <div class="stack">
      <p class="lead">
        <Badge status={shownStatus(subscription, is_billing)} />{' '}
        {is_billing ? (
          <Billing subscription={subscription} now={now} />
        ) : (
          <State subscription={subscription} now={now} />
        )}
      </p>
      {is_running && (
        <div class="progress">
          <progress max={1} value={Math.min(1, Math.max(0, share))} aria-label="Elapsed part of the period" />
          <p>
            <Period from={from} to={to} timezone={timezone} />
          </p>
        </div>
      )}
    </div>
  );
}

/** Replaces the green `active` for a subscription that is billed now, or is not. */
function shownStatus({ status, attention }: Subscription, is_billing: boolean): string {
  if (attention !== null) return 'needs_attention';
  return is_billing ? 'billing_now' : status;
}

function Billing({ subscription: { current_period_end, attention }, now }: Props) {
  return (
    <>
      The period ended <When at={current_period_end} now={now} />
      {attention === null ? '; its invoice is being made.' : ' and has no invoice yet.'}
    </>
  );
}

function State({ subscription, now }: Props) {
  const { status, start_date, current_period_end, cancel_at, canceled_at, attention } = subscription;
  const ends_before_start = cancel_at !== null && cancel_at <= start_date;
  switch (status) {
    case 'pending':
      return (
        <>
          The subscription has not started. {ends_before_start ? 'It ends before it starts, ' : 'It starts '}
          <When at={ends_before_start ? cancel_at : start_date} now={now} />.
        </>
      );
    case 'trialing':
      return (
        <>
          In trial: usage is not billed. The trial ends <When at={current_period_end} now={now} />
          {cancel_at === current_period_end
            ? ', together with the subscription.'
            : ', and then the first billing period starts.'}
        </>
      );
    case 'active':
      if (attention !== null)
        return (
          <>
            The subscription needs attention. The current period ends{' '}
            <When at={current_period_end} now={now} />.
          </>
        );
      return (
        <>
          {cancel_at === current_period_end
            ? 'The subscription ends with a last invoice '
            : 'The current period ends and is billed '}
          <When at={current_period_end} now={now} />.
        </>
      );
    case 'canceled':
      return (
        <>
          The subscription ended at <Time at={canceled_at} />. It does not bill later events.
        </>
      );
  }
}

/** An instant, relative and absolute. */
function When({ at, now }: { at: string; now: string }) {
  return (
    <>
      {distanceInWords(at, now)}, at <Time at={at} />
    </>
  );
}
