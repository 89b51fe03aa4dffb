import type { ComponentChildren } from 'preact';
import { discountWords } from '../../../../src/domain/lines/discount-words.ts';
import { isZero } from '../../../../src/domain/money/figures.ts';
import type { UpcomingLineItem } from '../../api/objects.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money } from '../../components/values.tsx';
import { pricingAt } from '../charge-pricing.ts';
import { LineArithmetic } from './line-arithmetic.tsx';
import { lineKey } from './line-key.ts';
import type { BillOfLine } from './priced-together.ts';
import { useCharges } from './use-charges.ts';

type BillLinesProps<Line> = {
  bill: BillOfLine;
  lines: readonly Line[];
  /** The line's id, where it has one; a link with it behind the # opens the line. */
  idOf?: (line: Line) => string;
  /** Content below the arithmetic of a line. */
  below?: (line: Line) => ComponentChildren;
  /** Amounts after the total. */
  children?: ComponentChildren;
};

/** The lines of an invoice, each of which opens to how its amount came about, and the totals. */
export function BillLines<Line extends UpcomingLineItem>({
  bill,
  lines,
  idOf,
  below,
  children,
}: BillLinesProps<Line>) {
  const charges = useCharges(bill, lines);
  const { currency, subtotal, tax, total } = bill;
  return (
    <>
      {lines.length === 0 && <p class="faint">No line items.</p>}
      <ul class="lines">
        {lines.map((line) => {
          const id = idOf?.(line);
          const charge = charges.find(({ id: charge_id }) => charge_id === line.charge_id);
          return (
            <li key={id ?? lineKey(line)}>
              <Disclosure
                {...(id === undefined ? {} : { id })}
                summary={<LineSummary line={line} currency={currency} />}
              >
                <LineArithmetic
                  line={line}
                  pricing={charge && pricingAt(charge, line.price_index)}
                  bill={bill}
                />
                {below?.(line)}
              </Disclosure>
            </li>
          );
        })}
      </ul>
      <dl class="totals">
        <Total name="Subtotal" amount={subtotal} currency={currency} />
        <Total name={`Tax, ${grouped(tax.rate)} %`} amount={tax.amount} currency={currency} />
        <Total name="Total" amount={total} currency={currency} is_strong />
        {children}
      </dl>
      {tax.note !== null && <p>{tax.note}.</p>}
    </>
  );
}

function LineSummary({ line, currency }: { line: UpcomingLineItem; currency: string }) {
  const discounts = discountWords(line, grouped);
  return (
    <span class="line">
      <span class="line-words">
        {line.description}
        {discounts !== null && <span class="line-discounts">{discounts}</span>}
      </span>
      {!isZero(line.credits_applied) && <span class="faint">credit {grouped(line.credits_applied)}</span>}
      {line.skipped_events > 0 && <span class="faint">{line.skipped_events} left out</span>}
      <Money amount={line.amount} currency={currency} />
    </span>
  );
}

type TotalProps = { name: string; amount: string; currency: string; is_strong?: boolean };

export function Total({ name, amount, currency, is_strong = false }: TotalProps) {
  return (
    <div class={is_strong ? 'strong' : undefined}>
      <dt>{name}</dt>
      <dd>
        <Money amount={amount} currency={currency} />
      </dd>
    </div>
  );
}
