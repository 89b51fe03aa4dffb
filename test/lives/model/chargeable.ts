/** Amounts of a provider (billing.md 19). */

/** Minor units of ISO 4217 in one smallest unit of the provider, or the reverse, where they differ. */
const SMALLEST: Readonly<Record<string, { times?: bigint; by?: bigint }>> = {
  ISK: { times: 100n },
  UGX: { times: 100n },
  MGA: { by: 100n },
};

/** Amounts that a provider charges in whole tens. */
const IN_TENS = ['KWD'];

/** The least amounts in smallest units of the provider. */
const LEASTS: Readonly<Record<string, bigint>> = { USD: 50n, EUR: 50n, GBP: 30n, JPY: 50n };

/** The amount in smallest units of the provider; null if it cannot be charged exactly, or is below the least. */
export function atProvider(currency: string, amount: bigint): bigint | null {
  const { times = 1n, by = 1n } = SMALLEST[currency] ?? {};
  if (amount % by !== 0n || (IN_TENS.includes(currency) && amount % 10n !== 0n)) return null;
  const smallest = (amount * times) / by;
  return smallest < (LEASTS[currency] ?? 1n) ? null : smallest;
}

/** Whether the documents say that an amount is chargeable, or is not: of this currency they name no least amount. */
export function isClearlyChargeable(currency: string, amount: bigint): boolean {
  return currency !== 'KWD' || amount % 10n !== 0n || amount >= 1000n;
}
