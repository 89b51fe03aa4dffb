import { useSession } from '../shell/session.tsx';
import { isNotPermitted, type Fault } from './fault.ts';
import type { Dashboard } from './objects.ts';

/** The message of a fault as a sentence for people: where the role of a person is too low, with whom to ask. */
export function useRefusalSentence(fault: Fault): string {
  const { signed_in } = useSession();
  const sentence = sentenceOf(fault.message);
  if (!isNotPermitted(fault) || signed_in.state !== 'signed_in') return sentence;
  return `${sentence} ${whomToAsk(signed_in.dashboard)}`.trim();
}

/** The sentence that names whom to ask for what a role may not do; empty where there is nobody. */
export function whomToAsk({ admins }: Pick<Dashboard, 'admins'>): string {
  return admins.length === 0 ? '' : `Ask an admin: ${admins.join(', ')}.`;
}

/** A message of the API as a sentence; one that begins with the name of a field keeps it as it is spelled. */
export function sentenceOf(message: string): string {
  const [word = ''] = message.split(' ');
  const is_word = /^[a-z]+$/.test(word);
  const begun = is_word ? `${word.charAt(0).toUpperCase()}${message.slice(1)}` : message;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
