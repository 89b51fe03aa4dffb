import { recipientsOf, testRecipientsOf } from './addresses.ts';
import type { KeptReason } from './email.ts';

/** Facts by which an email goes somewhere: of its customer, of its environment, and who sends it. */
export type DepartureFacts = {
  /** Whether a person sends it: then also to a customer that is muted. */
  is_by_hand: boolean;
  /** Addresses that a person chose; null: the customer's. */
  chosen_to: readonly string[] | null;
  billing_emails: readonly string[];
  email: string | null;
  email_muted: boolean;
  livemode: boolean;
  /** Addresses and patterns to which emails of test data go. */
  email_test_recipients: readonly string[];
  /** Whether there is a server that takes emails. */
  has_smtp: boolean;
};

/** The addresses to which an email leaves, or why it does not (billing.md 16). */
export function departureOf(facts: DepartureFacts): { to: string[] } | { kept: KeptReason } {
  if (facts.email_muted && !facts.is_by_hand) return { kept: 'muted' };
  const wanted = facts.chosen_to ?? recipientsOf(facts);
  if (wanted.length === 0) return { kept: 'no_recipient' };
  const to = facts.livemode ? [...wanted] : testRecipientsOf(wanted, facts.email_test_recipients);
  if (to.length === 0) return { kept: 'test_recipient' };
  return facts.has_smtp ? { to } : { kept: 'no_smtp' };
}
