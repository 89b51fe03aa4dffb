import type { Subscription } from '../../api/objects.ts';
import { Badge } from '../../components/badge.tsx';
import { distanceInWords } from '../../components/instant.ts';
import { DayOrTime, Period } from '../../components/values.tsx';
import { isBilling, shownStatus } from './shown-status.ts';

type Props = { subscription: Subscription; now: string };

/** The subscription's state as a sentence, and the elapsed share of its period. */
export function CurrentPeriod({ subscription, now }: Props) {
  const { status, current_period_start: from, current_period_end: to, timezone } = subscription;
  const share = (Date.parse(now) - Date.parse(from)) / (Date.parse(to) - Date.parse(from));
  const is_billing = isBilling(subscription, now);
  const is_running = !is_billing && (status === 'active' || status === 'trialing');
  return (
    <div class="stack">
      <p class="lead">
        <Badge status={shownStatus(subscription, now)} />{' '}
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

function Billing({ subscription: { current_period_end, attention, timezone }, now }: Props) {
  return (
    <>
      The period ended <When at={current_period_end} now={now} timezone={timezone} />
      {attention === null ? '; its invoice is being made.' : ' and has no invoice yet.'}
    </>
  );
}

function State({ subscription, now }: Props) {
  const { status, start_date, current_period_end, cancel_at, canceled_at, attention, timezone } =
    subscription;
  const ends_before_start = cancel_at !== null && cancel_at <= start_date;
  switch (status) {
    case 'pending':
      return (
        <>
          The subscription has not started. {ends_before_start ? 'It ends before it starts, ' : 'It starts '}
          <When at={ends_before_start ? cancel_at : start_date} now={now} timezone={timezone} />.
        </>
      );
    case 'trialing':
      return (
        <>
          In trial: usage is not billed. The trial ends{' '}
          <When at={current_period_end} now={now} timezone={timezone} />
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
            <When at={current_period_end} now={now} timezone={timezone} />.
          </>
        );
      return (
        <>
          {cancel_at === current_period_end
            ? 'The subscription ends with a last invoice '
            : 'The current period ends and is billed '}
          <When at={current_period_end} now={now} timezone={timezone} />.
        </>
      );
    case 'canceled':
      return (
        <>
          The subscription ended {canceled_at !== null && <DayOrTime at={canceled_at} timezone={timezone} />}.
          It does not bill later events.
        </>
      );
  }
}

/** An instant, relative and absolute. */
function When({ at, now, timezone }: { at: string; now: string; timezone: string }) {
  return (
    <>
      {distanceInWords(at, now)}, on <DayOrTime at={at} timezone={timezone} />
    </>
  );
}
