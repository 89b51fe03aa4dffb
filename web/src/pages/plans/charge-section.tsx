import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isMetered, MODELS } from '../../../../src/domain/pricing/definitions.ts';
import type { Charge } from '../../api/objects.ts';
import { Definitions } from '../../components/definitions.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { Select } from '../../components/form.tsx';
import { Section } from '../../components/page.tsx';
import { Code } from '../../components/values.tsx';
import { pricingAt } from '../charge-pricing.ts';
import { Calculator } from './calculator.tsx';
import { AGGREGATIONS } from './models.ts';
import { namedPrices, type NamedPrice } from './named-prices.ts';
import { PriceCurve } from './price-curve.tsx';
import { amountsOf, Tiers } from './price-figures.tsx';
import { PriceList } from './price-list.tsx';

/** Characters of what a price is for, in a choice and a title. */
const WORDS_MAX = 60;

type ChargeSectionProps = { charge: Charge; currency: string; is_drawn: boolean };

/** All about one charge: what it counts, what that costs, and a place to try quantities. */
export function ChargeSection({ charge, currency, is_drawn }: ChargeSectionProps) {
  const { name, event_name, pricing_model } = charge;
  const { name: model, meaning } = MODELS[pricing_model];
  const what = name ?? event_name;
  const prices = namedPrices(charge);
  const own_pricing = pricingAt(charge, null);
  return (
    <Section title={what}>
      <div class="stack">
        <p class="lead">
          <strong>{model}.</strong> {meaning}
        </p>
        <Definitions
          entries={[
            ...selectionOf(charge),
            ...(own_pricing === undefined ? [] : amountsOf(own_pricing, currency)),
          ]}
        />
        {charge.prices !== null && <PriceList {...{ prices, what, currency }} />}
        {'tiers' in charge && <Tiers tiers={charge.tiers} what={what} currency={currency} />}
        {isMetered(charge) && <Trial {...{ prices, what, currency, is_drawn }} />}
      </div>
    </Section>
  );
}

type TrialProps = Omit<ChargeSectionProps, 'charge'> & { prices: readonly NamedPrice[]; what: string };

type Entry = [name: string, value: ComponentChildren];

function selectionOf(charge: Charge): Entry[] {
  const { id, event_name, unit_name, aggregation, filters, group_by } = charge;
  const names: Entry[] = [
    ['Event name', <Code>{event_name}</Code>],
    ['Charge', <Code>{id}</Code>],
  ];
  if (!isMetered(charge)) return names;
  return [
    ...names,
    [
      'Quantity of a period',
      <>
        {AGGREGATIONS[aggregation.type]}
        {'property' in aggregation && (
          <>
            , <Code>{aggregation.property}</Code>
          </>
        )}
      </>,
    ],
    ...(unit_name === null ? [] : [['Unit on the invoice', unit_name] satisfies Entry]),
    ['Only events with', filters === null ? withoutCondition(charge) : <Filters filters={filters} />],
    ...(group_by === null ? [] : [['A line for each', <Properties names={group_by} />] satisfies Entry]),
  ];
}

function withoutCondition({ prices }: Charge): string {
  if (prices === null || prices.some((price) => price.default))
    return 'no condition: all events with this name count';
  return 'no condition: events with this name count if they have one of the prices below';
}

function Properties({ names }: { names: readonly string[] }) {
  return (
    <>
      {names.map((name, place) => (
        <span key={name}>
          {place > 0 && ', '}
          <Code>{name}</Code>
        </span>
      ))}
    </>
  );
}

function Filters({ filters }: { filters: NonNullable<Charge['filters']> }) {
  return (
    <ul class="plain-list">
      {Object.entries(filters).map(([property, values]) => (
        <li key={property}>
          <Code>{property}</Code> {values.length === 1 ? 'is' : 'is one of'}{' '}
          {values.map((value, place) => (
            <span key={`${value}`}>
              {place > 0 && ', '}
              <Code>{`${value}`}</Code>
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** The curve and the calculator, once they are opened: of a list, for the price that is chosen. */
function Trial({ prices, what, currency, is_drawn }: TrialProps) {
  const [chosen, setChosen] = useState(0);
  const price = prices[chosen];
  if (price === undefined) return null;
  const options = prices.map(({ place, words }) => ({ value: `${place}`, label: shortened(words ?? '') }));
  const named = price.words === null ? what : `${what}, ${shortened(price.words)}`;
  return (
    <Disclosure summary="Price" is_open_at_first={is_drawn}>
      {prices.length > 1 && (
        <div class="filters">
          <Select
            name="price"
            label="Price for"
            options={options}
            value={`${chosen}`}
            change={(place) => setChosen(Number(place))}
          />
        </div>
      )}
      <div class="columns trial" key={chosen}>
        <PriceCurve title={`Price of ${named}`} pricing={price.pricing} currency={currency} />
        <Calculator what={named} pricing={price.pricing} currency={currency} />
      </div>
    </Disclosure>
  );
}

function shortened(words: string): string {
  const characters = [...words];
  return characters.length <= WORDS_MAX ? words : `${characters.slice(0, WORDS_MAX - 1).join('')}…`;
}
