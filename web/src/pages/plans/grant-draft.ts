import type { Plan } from '../../api/objects.ts';
import { filledText, newKey } from './draft-parts.ts';

/** Credit of a plan as it is being written; `event_names` with commas between them. */
export type DraftGrant = {
  key: number;
  amount: string;
  event_names: string;
  expires: 'period_end' | 'days';
  days: string;
  carry_over_max: string;
  prorate: boolean;
};

export function newGrant(): DraftGrant {
  return {
    key: newKey(),
    amount: '',
    event_names: '',
    expires: 'period_end',
    days: '',
    carry_over_max: '',
    prorate: false,
  };
}

/** The form filled in with credit of a plan. */
export function draftGrant(grant: Plan['grants'][number]): DraftGrant {
  const { amount, event_names, expires, carry_over_max, prorate } = grant;
  return {
    ...newGrant(),
    amount: `${amount}`,
    event_names: namesOf(event_names),
    ...(expires === 'period_end' ? {} : { expires: 'days', days: `${expires.days}` }),
    carry_over_max: carry_over_max === null ? '' : `${carry_over_max}`,
    prorate,
  };
}

/** Names of events as one text. */
export function namesOf(event_names: readonly string[] | null): string {
  return event_names?.join(', ') ?? '';
}

/** Whether the names of events come back from the text as they are. */
export function areTypable(event_names: readonly string[] | null): boolean {
  return JSON.stringify(sentNames(namesOf(event_names)) ?? null) === JSON.stringify(event_names);
}

/** The names of a text; undefined for all. */
export function sentNames(text: string): string[] | undefined {
  const names = text.split(',').flatMap((name) => filledText(name) ?? []);
  return names.length === 0 ? undefined : names;
}

/** The credit as it is sent; what is no number goes as it was typed, for the server to say so. */
export function sentGrant(draft: DraftGrant): object {
  const { amount, event_names, expires, days, carry_over_max, prorate } = draft;
  return {
    amount: numberOf(amount),
    event_names: sentNames(event_names),
    ...(expires === 'days'
      ? { expires: { days: numberOf(days) } }
      : { expires, carry_over_max: numberOf(carry_over_max) }),
    ...(prorate && { prorate }),
  };
}

function numberOf(text: string): number | string | undefined {
  const typed = filledText(text);
  return typed !== undefined && /^\d{1,15}(\.\d{1,6})?$/.test(typed) ? Number(typed) : typed;
}
