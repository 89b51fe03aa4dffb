import type { ComponentChildren } from 'preact';
import { countedWords, withPriceTitles } from '../../../../src/domain/lines/charge-title.ts';
import { exactInDecimalsOf } from '../../../../src/domain/money/figures.ts';
import { isMetered, modelOf, MODELS, type Pricing } from '../../../../src/domain/pricing/definitions.ts';
import type { Charge, Plan, Subscription } from '../../api/objects.ts';
import { Definitions } from '../../components/definitions.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { grouped } from '../../components/grouped.ts';
import { Section } from '../../components/page.tsx';
import { DayOrTime, LastDay, Money, Period } from '../../components/values.tsx';
import { pricingAt } from '../charge-pricing.ts';
import { intervalInWords } from '../plans/models.ts';
import { amountsOf, Tiers } from '../plans/price-figures.tsx';
import { eventsOnPaper, type Plans } from './paper-words.ts';

type PlansProps = {
  subscriptions: readonly Subscription[];
  plans: Plans;
  /** An amount of the payer, whose decimals prices have at least. */
  amount: string;
};

/** The plan of each subscription of the payer, and what it costs. */
export function PlansAndPrices({ subscriptions, plans, amount }: PlansProps) {
  if (subscriptions.length === 0) return null;
  return (
    <Section title="Plan and prices">
      <div class="stack">
        {subscriptions.map((subscription) => {
          const plan = plans.get(subscription.plan_id);
          return (
            plan !== undefined && (
              <div key={subscription.id} class="stack">
                <h3>
                  {plan.name} <span class="faint">billed {intervalInWords(plan)}</span>
                </h3>
                <Definitions entries={termsOf(subscription, plans)} />
                <Prices plan={plan} plans={plans} amount={amount} />
              </div>
            )
          );
        })}
      </div>
    </Section>
  );
}

type Entry = [name: string, value: ComponentChildren];

/** The terms of a subscription that say when. */
function termsOf(subscription: Subscription, plans: Plans): Entry[] {
  const { status, start_date, trial_end_date, cancel_at, pending_change, timezone } = subscription;
  const { current_period_start: from, current_period_end: to } = subscription;
  const begins = status === 'pending' ? <DayOrTime at={start_date} timezone={timezone} /> : null;
  const entries: (Entry | null)[] = [
    begins && ['Begins', begins],
    begins === null ? ['Current period', <Period from={from} to={to} timezone={timezone} />] : null,
    status === 'trialing' ? ['Free until', <LastDay at={trial_end_date} timezone={timezone} />] : null,
    pending_change && [
      'Plan to come',
      <>
        {plans.get(pending_change.plan_id)?.name ?? 'another plan'}, from{' '}
        <DayOrTime at={pending_change.at} timezone={timezone} />
      </>,
    ],
    cancel_at === null ? null : ['Last day', <LastDay at={cancel_at} timezone={timezone} />],
  ];
  return entries.filter((entry) => entry !== null);
}

/** A line for each price, named as on invoices, for the minimum, and for each credit that comes with the plan. */
function Prices({ plan, plans, amount }: { plan: Plan; plans: Plans; amount: string }) {
  return (
    <ul class="lines">
      {withPriceTitles(plan.charges).map(({ charge, price_index, title }) => {
        const pricing = pricingAt(charge, price_index);
        return (
          pricing !== undefined && (
            <li key={`${charge.id} ${price_index}`}>
              <PriceOf charge={charge} title={title} pricing={pricing} plan={plan} amount={amount} />
            </li>
          )
        );
      })}
      {plan.minimum_amount !== null && (
        <li key="minimum">
          <span class="line">
            <span class="line-words">Minimum of each period, net</span>
            <Money amount={plan.minimum_amount} currency={plan.currency} />
          </span>
        </li>
      )}
      {plan.grants.map(({ amount: units, event_names }, place) => (
        <li key={`grant ${place}`}>
          <span class="line">
            <span class="line-words">
              Credit of each period{event_names !== null && `, for ${eventsOnPaper(event_names, plans)}`}
            </span>
            <span class="number">{grouped(`${units}`)} units</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

type PriceProps = { charge: Charge; title: string; pricing: Pricing; plan: Plan; amount: string };

function PriceOf({ charge, title, pricing, plan, amount }: PriceProps) {
  const { currency } = plan;
  const exact = (price: string) => exactInDecimalsOf(amount, price);
  const formats = { quantity: grouped, amount: (price: string) => `${grouped(exact(price))} ${currency}` };
  const unit = isMetered(charge) ? countedWords(charge, '0').trim() : '';
  const line = (
    <span class="line">
      <span class="line-words">
        {title} {unit !== '' && <span class="faint">{unit}</span>}
      </span>
      <span class="number">{modelOf(pricing).unitPrice(formats)}</span>
      {'flat_amount' in pricing && <span class="faint">{wordsOfFee(pricing, plan)}</span>}
    </span>
  );
  if ('tiers' in pricing)
    return (
      <Disclosure summary={line}>
        <p>{MODELS[pricing.pricing_model].meaning}</p>
        <Tiers
          tiers={pricing.tiers.map((tier) => ({
            ...tier,
            unit_amount: exact(tier.unit_amount),
            flat_amount: tier.flat_amount && exact(tier.flat_amount),
          }))}
          what={title}
          currency={currency}
        />
      </Disclosure>
    );
  const has_more = Object.keys(MODELS[pricing.pricing_model].fields).length > 1;
  if ('flat_amount' in pricing || !has_more) return line;
  return (
    <Disclosure summary={line}>
      <Definitions entries={amountsOf(pricing, currency)} />
    </Disclosure>
  );
}

/** "each month, before the period begins". */
function wordsOfFee({ billed }: { billed?: string }, plan: Plan): string {
  const words = billed === 'in_advance' ? MODELS.flat.fields['billed']?.choices?.[billed] : undefined;
  return [intervalInWords(plan), words].filter((text) => text !== undefined).join(', ');
}
