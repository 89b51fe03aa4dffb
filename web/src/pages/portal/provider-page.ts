/** Leads to a page of the payment provider, which is in no frame. */
export function openProviderPage(url: string): void {
  if (top === self) location.assign(url);
  else open(url, '_blank', 'noopener');
}

/** The payment session with which the payer comes back from the provider; null if the address names none. */
export function sessionOfAddress(): string | null {
  return new URLSearchParams(location.search).get('payment_session_id');
}
