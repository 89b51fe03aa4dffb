import type { ComponentChildren } from 'preact';
import { MODELS, type Pricing } from '../../../../src/domain/pricing/definitions.ts';
import type { Tier } from '../../api/objects.ts';
import { Table, type Column } from '../../components/table.tsx';
import { Money, Quantity } from '../../components/values.tsx';

type Figure = [label: string, figure: ComponentChildren];

/** The figures of a price but its tiers, by their labels. */
export function amountsOf(pricing: Pricing, currency: string): Figure[] {
  const values: Readonly<Record<string, unknown>> = pricing;
  return Object.entries(MODELS[pricing.pricing_model].fields).flatMap(([name, field]): Figure[] => {
    const { kind, label, choices } = field;
    const value = values[name];
    if (typeof value !== 'string') return [];
    if (choices !== undefined) return [[label, choices[value] ?? value]];
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

type TiersProps = { tiers: readonly Tier[]; what: string; currency: string };

/** The tiers of a price as a table. */
export function Tiers({ tiers, what, currency }: TiersProps) {
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
