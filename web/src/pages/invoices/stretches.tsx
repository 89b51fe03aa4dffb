import { isZero } from '../../../../src/domain/money/figures.ts';
import type { UpcomingLineItem } from '../../api/objects.ts';
import { Table, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money, Period, Quantity } from '../../components/values.tsx';

type Stretch = NonNullable<UpcomingLineItem['stretches']>[number];
type StretchesProps = {
  line: UpcomingLineItem;
  stretches: readonly Stretch[];
  currency: string;
  timezone: string;
};

/** How the amount of a fee with a quantity comes about: the times of each quantity, less what other lines bill. */
export function Stretches({ line, stretches, currency, timezone }: StretchesProps) {
  const billed_before = line.billed_before ?? '0';
  const has_before = !isZero(billed_before);
  return (
    <>
      <p>Split by the time of each quantity:</p>
      <Table
        caption={`Quantities of ${line.description}`}
        keyOf={({ period_start }) => period_start}
        items={stretches}
        columns={columns(timezone)}
      />
      {(stretches.length > 1 || has_before) && (
        <p class="equation number">
          {stretches.map(({ amount }) => grouped(amount)).join(' + ')}
          {has_before && `, less ${grouped(billed_before)} on other lines`} ={' '}
          <Money amount={line.amount} currency={currency} />
        </p>
      )}
    </>
  );
}

function columns(timezone: string): Column<Stretch>[] {
  return [
    {
      title: 'Time',
      show: ({ period_start, period_end }) => (
        <Period from={period_start} to={period_end} timezone={timezone} />
      ),
    },
    { title: 'Quantity', show: ({ quantity }) => <Quantity value={quantity} />, is_number: true },
    { title: 'Amount', show: ({ amount }) => grouped(amount), is_number: true },
  ];
}
