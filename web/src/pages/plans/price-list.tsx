import { Disclosure } from '../../components/disclosure.tsx';
import { Table, type Column } from '../../components/table.tsx';
import type { NamedPrice } from './named-prices.ts';
import { amountsOf, Tiers } from './price-figures.tsx';

/** Tables of tiers that are open at first. */
const OPEN_AT_FIRST = 3;

type PriceListProps = { prices: readonly NamedPrice[]; what: string; currency: string };

/** The prices of a charge by the values of properties: a row for each, or its tiers. */
export function PriceList({ prices, what, currency }: PriceListProps) {
  const [first] = prices;
  if (first === undefined) return null;
  if ('tiers' in first.pricing) return <TierLists {...{ prices, what, currency }} />;
  const columns: Column<NamedPrice>[] = [
    { title: 'Price for', show: ({ words }) => <span class="wide-text">{words}</span> },
    ...amountsOf(first.pricing, currency).map(([title], at) => ({
      title,
      show: ({ pricing }: NamedPrice) => amountsOf(pricing, currency)[at]?.[1],
      is_number: true,
    })),
  ];
  return (
    <div class="price-list">
      <Table
        caption={`Prices of ${what}`}
        items={prices}
        columns={columns}
        keyOf={({ place }) => `${place}`}
      />
    </div>
  );
}

function TierLists({ prices, what, currency }: PriceListProps) {
  return (
    <ul class="lines price-list">
      {prices.map(({ place, words, pricing }) => (
        <li key={place}>
          <Disclosure summary={words} is_open_at_first={place < OPEN_AT_FIRST}>
            {'tiers' in pricing && (
              <Tiers tiers={pricing.tiers} what={`${what}, ${words}`} currency={currency} />
            )}
          </Disclosure>
        </li>
      ))}
    </ul>
  );
}
