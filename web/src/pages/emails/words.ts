import type { Account, Email } from '../../api/objects.ts';

export const KINDS: Readonly<Record<Email['kind'], string>> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  receipt: 'Receipt',
  payment_failed: 'Failed payment',
  statement: 'Statement',
  reminder: 'Reminder',
};

export const LANGUAGES: Readonly<Record<Account['language'], string>> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  it: 'Italian',
  es: 'Spanish',
  nl: 'Dutch',
};

/** Options of a field by their values. */
export function optionsOf(names: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}

const REASONS: Readonly<Record<string, string>> = {
  no_smtp: 'no mail server is set',
  test_recipient: 'emails of test data leave only to the addresses in Settings, Email',
  no_recipient: 'the customer has no address',
  muted: 'the customer gets no emails by themselves',
  void: 'the document is void',
  reversed: 'the payment is reversed',
  by_hand: 'a person canceled it',
  erased: 'the customer was erased',
  paid: 'nothing was due any more',
  paused: 'reminders were paused',
  charge_in_progress: 'a charge was under way',
  passed_over: 'its days were over before a worker ran',
};

/** Why an email has its status, in words; what a mail server said stays as it is. */
export function reasonOf({ status_reason }: Email): string | null {
  return status_reason === null ? null : (REASONS[status_reason] ?? status_reason);
}

/** The addresses of an email, as they stand in a letter. */
export function recipientsOf({ to }: Email): string {
  return to.length === 0 ? 'nobody' : to.map(({ address }) => address ?? 'erased').join(', ');
}

/** The addresses of a field, one in each line or between commas. */
export function addressesIn(text = ''): string[] {
  return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
}
