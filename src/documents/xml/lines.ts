import { decimal, ZERO } from '../../domain/money/decimal.ts';
import { grouped } from '../../domain/lines/description.ts';
import { differenceOf } from '../../domain/money/figures.ts';
import { toAmount } from '../../domain/money/money.ts';
import type { Days, EDocument, ELine } from './e-document.ts';
import { money } from './money.ts';
import type { XmlElement } from './xml.ts';

/** UN/ECE Recommendation 20: "one", a unit of whatever is counted. */
const ONE = 'C62';

type Place = Pick<EDocument, 'kind' | 'currency'> & { id: string; category: XmlElement };

/** A line of the document. Its text keeps the quantity if the line is written as 1 at its amount. */
export function lineElement(line: ELine, { kind, currency, id, category }: Place): XmlElement {
  const { description, amount, days } = line;
  const { quantity, price, price_before, note } = counted(line, currency);
  return {
    'cbc:ID': id,
    'cbc:Note': note,
    [kind === 'invoice' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity']: {
      '@unitCode': ONE,
      '#': quantity,
    },
    'cbc:LineExtensionAmount': money(amount, currency),
    'cac:InvoicePeriod': daysElement(days),
    'cac:Item': { 'cbc:Name': description, 'cac:ClassifiedTaxCategory': category },
    'cac:Price': {
      'cbc:PriceAmount': money(price, currency),
      'cac:AllowanceCharge': price_before === null ? undefined : allowance(price_before, price, currency),
    },
  };
}

type Counted = { quantity: string; price: string; price_before: string | null; note: string | undefined };

/**
 * Quantity and price whose product, rounded, is the amount. The price may not be negative (EN 16931, BR-27), so that a
 * line of tiers, of a minimum, or below zero by its price is 1 or -1 at the amount without its sign (billing.md 9).
 */
function counted({ quantity, unit_price, price_before, amount }: ELine, currency: string): Counted {
  if (unit_price !== null && isProduct({ quantity, unit_price, amount }, currency))
    return { quantity, price: unit_price, price_before, note: undefined };
  return {
    quantity: amount.startsWith('-') ? '-1' : '1',
    price: amount.replace('-', ''),
    price_before: null,
    note: quantity === '1' ? undefined : `Quantity: ${grouped(quantity)}`,
  };
}

/** The price before percents (BT-148) and what they take off it (BT-147), of which the net price is the rest. */
function allowance(price_before: string, price: string, currency: string): XmlElement {
  return {
    'cbc:ChargeIndicator': 'false',
    'cbc:Amount': money(differenceOf(price_before, price), currency),
    'cbc:BaseAmount': money(price_before, currency),
  };
}

function isProduct(
  { quantity, unit_price, amount }: { quantity: string; unit_price: string; amount: string },
  currency: string,
): boolean {
  const price = decimal(unit_price);
  return price.gte(ZERO) && toAmount(price.times(quantity), currency) === amount;
}

/** First and last day of a document or of a line. */
export function daysElement(days: Days | null): XmlElement | undefined {
  return days === null ? undefined : { 'cbc:StartDate': days.first, 'cbc:EndDate': days.last };
}
