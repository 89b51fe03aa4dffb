import type { XmlElement } from './xml.ts';

/** An amount or a price with its currency. */
export function money(amount: string, currency: string): XmlElement {
  return { '@currencyID': currency, '#': amount };
}
