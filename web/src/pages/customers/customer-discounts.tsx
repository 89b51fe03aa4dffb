import type { Customer, Discount, Subscription } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { PlanName } from '../../components/name.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, DayOrTime, Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { May, useDashboard } from '../../shell/session.tsx';
import { SubscriptionLink } from '../parts/links.tsx';
import { namesOf } from '../plans/grant-draft.ts';
import { EndDiscount } from './end-discount.tsx';
import { NewDiscount } from './new-discount.tsx';

type DiscountsProps = { customer: Customer; subscriptions: readonly Subscription[]; changed: () => void };

/** The discounts of a customer: percents off its lines, amounts off its billing periods. */
export function CustomerDiscounts({ customer, subscriptions, changed }: DiscountsProps) {
  const pages = usePagesWithin<Discount>('/v1/discounts', { customer_id: customer.id, limit: '20' });
  const { account } = useDashboard();
  const timezone = customer.timezone ?? account.timezone;
  const altered = () => {
    pages.loaded.reload();
    changed();
  };
  const actions = (
    <May use="createDiscount">
      <NewDiscount customer={customer} timezone={timezone} changed={altered} />
    </May>
  );
  return (
    <Section title="Discounts" actions={actions}>
      <PagedTable
        caption="Discounts, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columns({ timezone, subscriptions, changed: altered })}
        empty={
          <Empty title="No discounts">
            <p>
              A discount takes a percent off fees and usage, or an amount off each billing period, by dates.
            </p>
          </Empty>
        }
      />
    </Section>
  );
}

type Shown = { timezone: string; subscriptions: readonly Subscription[]; changed: () => void };

function columns({ timezone, subscriptions, changed }: Shown): Column<Discount>[] {
  return [
    { title: 'Name', show: ({ name }) => <Cut text={name} /> },
    { title: 'Status', show: ({ status }) => <Badge status={status} /> },
    {
      title: 'Takes off',
      show: ({ percent, amount, currency }) =>
        amount === null ? `${percent} %` : <Money amount={amount} currency={currency} />,
      is_number: true,
    },
    { title: 'Covers', show: (discount) => <Cover discount={discount} subscriptions={subscriptions} /> },
    { title: 'From', show: ({ from }) => <DayOrTime at={from} timezone={timezone} /> },
    {
      title: 'Until',
      show: ({ until }) =>
        until === null ? <span class="faint">no end</span> : <DayOrTime at={until} timezone={timezone} />,
    },
    {
      title: 'Actions',
      show: (discount) =>
        discount.status === 'active' && (
          <May use="endDiscount">
            <EndDiscount discount={discount} changed={changed} />
          </May>
        ),
    },
  ];
}

type CoverProps = { discount: Discount; subscriptions: readonly Subscription[] };

/** The charges that a discount is off, or whole periods, and its subscription, by the plan. */
function Cover({ discount: { amount, event_names, subscription_id }, subscriptions }: CoverProps) {
  const subscription = subscriptions.find(({ id }) => id === subscription_id);
  return (
    <>
      <Cut text={amount === null ? namesOf(event_names) || 'all charges' : 'each billing period'} />
      {subscription !== undefined && (
        <div>
          of{' '}
          <Link to={`/subscriptions/${subscription.id}`}>
            <PlanName id={subscription.plan_id} />
          </Link>
        </div>
      )}
      {subscription_id !== null && subscription === undefined && (
        <div>
          of <SubscriptionLink id={subscription_id} />
        </div>
      )}
    </>
  );
}
