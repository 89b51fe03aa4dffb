import type { ComponentChildren } from 'preact';
import { MODELS, type Pricing } from '../../../../src/domain/pricing/definitions.ts';
import type { Charge, Tier } from '../../api/objects.ts';
import { Definitions } from '../../components/definitions.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Code, Money, Quantity } from '../../components/values.tsx';
import { Calculator } from './calculator.tsx';
import { AGGREGATIONS } from './models.ts';
import { PriceCurve } from './price-curve.tsx';

type ChargeSectionProps = { charge: Charge; currency: string; is_drawn: boolean };

/** All about one charge: what it counts, what that costs, and a place to try quantities. */
export function ChargeSection({ charge, currency, is_drawn }: ChargeSectionProps) {
  const { name, event_name, pricing_model } = charge;
  const { name: model, meaning } = MODELS[pricing_model];
  return (
    <Section title={name ?? event_name}>
      <div class="stack">
        <p class="lead">
          <strong>{model}.</strong> {meaning}
        </p>
        <Definitions of={[...selectionOf(charge), ...amountsOf(charge, currency)]} />
        {'tiers' in charge && <Tiers of={charge.tiers} what={name ?? event_name} currency={currency} />}
        {pricing_model !== 'flat' && <Trial charge={charge} currency={currency} is_drawn={is_drawn} />}
      </div>
    </Section>
  );
}

type Entry = [name: string, value: ComponentChildren];

function selectionOf({ id, event_name, unit_name, aggregation, filters, pricing_model }: Charge): Entry[] {
  const names: Entry[] = [
    ['Event name', <Code>{event_name}</Code>],
    ['Charge', <Code>{id}</Code>],
  ];
  // A flat charge bills no events.
  if (pricing_model === 'flat') return names;
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
    [
      'Only events with',
      filters === null ? 'no condition: all events with this name count' : <Filters of={filters} />,
    ],
  ];
}

function Filters({ of: filters }: { of: NonNullable<Charge['filters']> }) {
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

/** The prices of a charge but its tiers, by their labels. */
function amountsOf(pricing: Pricing, currency: string): Entry[] {
  const values: Readonly<Record<string, unknown>> = pricing;
  return Object.entries(MODELS[pricing.pricing_model].fields).flatMap(([name, { kind, label }]) => {
    const value = values[name];
    if (typeof value !== 'string') return [];
    if (kind === 'amount') return [[label, <Money amount={value} currency={currency} />]];
    return [
      [
        label,
        <>
          <Quantity value={value} />
          {kind === 'percent' && ' %'}
        </>,
      ],
    ];
  });
}

type TiersProps = { of: readonly Tier[]; what: string; currency: string };

function Tiers({ of: tiers, what, currency }: TiersProps) {
  const columns: Column<Tier>[] = [
    {
      title: 'Up to, inclusive',
      show: ({ up_to }) => (up_to === null ? 'all above' : <Quantity value={up_to} />),
      is_number: true,
    },
    {
      title: 'Unit amount',
      show: (tier) => <Money amount={tier.unit_amount} currency={currency} />,
      is_number: true,
    },
    {
      title: 'Flat amount',
      show: ({ flat_amount }) =>
        flat_amount === null ? (
          <span class="faint">–</span>
        ) : (
          <Money amount={flat_amount} currency={currency} />
        ),
      is_number: true,
    },
  ];
  return (
    <div class="narrow">
      <Table
        caption={`Tiers of ${what}`}
        items={tiers}
        columns={columns}
        keyOf={({ up_to }) => up_to ?? ''}
      />
    </div>
  );
}

/** The curve and the calculator, once they are opened. */
function Trial({ charge, currency, is_drawn }: ChargeSectionProps) {
  const {
    id: _id,
    event_name,
    name,
    unit_name: _unit,
    aggregation: _aggregation,
    filters: _filters,
    ...pricing
  } = charge;
  const what = name ?? event_name;
  return (
    <Disclosure summary="Price" is_open_at_first={is_drawn}>
      <div class="columns trial">
        <PriceCurve title={`Price of ${what}`} pricing={pricing} currency={currency} />
        <Calculator what={what} pricing={pricing} currency={currency} />
      </div>
    </Disclosure>
  );
}
