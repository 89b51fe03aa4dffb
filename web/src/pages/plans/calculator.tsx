import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { modelOf, type Pricing } from '../../../../src/domain/pricing/definitions.ts';
import type { Price, PricedTier } from '../../api/objects.ts';
import { usePrices } from '../../api/use-prices.ts';
import { Definitions } from '../../components/definitions.tsx';
import { Field } from '../../components/form.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money, Quantity } from '../../components/values.tsx';
import { plainly } from './price-curve.tsx';
import { exampleQuantity } from './quantities.ts';

type CalculatorProps = { what: string; pricing: Pricing; currency: string };

/** A quantity in, what an invoice would charge for it out, with the arithmetic of its tiers. */
export function Calculator({ what, pricing, currency }: CalculatorProps) {
  const [quantity, setQuantity] = useState(() => exampleQuantity(pricing));
  const { prices, fault, is_loading } = usePrices(pricing, currency, [quantity.trim()]);
  const price = prices?.[0];
  return (
    <div class="stack">
      <div class="filters">
        <Field
          name="quantity"
          label="A period’s quantity"
          keyboard="decimal"
          value={quantity}
          change={setQuantity}
        />
      </div>
      <div class="loaded" aria-busy={is_loading} aria-live="polite">
        {fault !== null && (
          <p class="field-fault">{plainly(fault.message).replace('quantities[0]', 'quantity')}.</p>
        )}
        {price !== undefined && <Line price={price} what={what} pricing={pricing} currency={currency} />}
      </div>
    </div>
  );
}

type LineProps = CalculatorProps & { price: Price };

/** Shows the price as the line of an invoice, for a whole period and without credit. */
function Line({ price: { billable_quantity, amount, tiers }, what, pricing, currency }: LineProps) {
  return (
    <div class="stack">
      <Definitions
        entries={[
          [
            'Price without credit',
            <strong>
              <Money amount={amount} currency={currency} />
            </strong>,
          ],
          ['Billable quantity', <Quantity value={billable_quantity} />],
          ...calculation(pricing, billable_quantity),
        ]}
      />
      {tiers !== null && tiers.length > 0 && (
        <Table
          caption={`Amounts of the tiers of ${what}`}
          items={tiers}
          keyOf={({ up_to }) => up_to ?? ''}
          columns={columnsIn(currency)}
        />
      )}
    </div>
  );
}

function calculation(pricing: Pricing, billable_quantity: string): Entry[] {
  const result = modelOf(pricing).calculation(billable_quantity, { quantity: grouped, amount: grouped });
  return result === null ? [] : [['Calculation', result.words]];
}

type Entry = [name: string, value: ComponentChildren];

function columnsIn(currency: string): Column<PricedTier>[] {
  return [
    {
      title: 'Tier',
      show: ({ up_to }) =>
        up_to === null ? (
          'above'
        ) : (
          <>
            up to <Quantity value={up_to} />
          </>
        ),
    },
    { title: 'Units', show: ({ quantity }) => <Quantity value={quantity} />, is_number: true },
    { title: '× unit amount', show: ({ unit_amount }) => <Quantity value={unit_amount} />, is_number: true },
    { title: '+ flat amount', show: ({ flat_amount }) => <Quantity value={flat_amount} />, is_number: true },
    {
      title: '= amount',
      show: ({ amount }) => <Money amount={amount} currency={currency} />,
      is_number: true,
    },
  ];
}
