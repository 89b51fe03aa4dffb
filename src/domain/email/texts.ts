import type { EmailKind } from './kind.ts';
import type { Language } from './language.ts';
import { DE } from './texts/de.ts';
import { EN } from './texts/en.ts';
import { ES } from './texts/es.ts';
import { FR } from './texts/fr.ts';
import { IT } from './texts/it.ts';
import type { EmailText, Wording } from './texts/wording.ts';
import { NL } from './texts/nl.ts';

const WORDINGS: Readonly<Record<Language, Wording>> = { en: EN, de: DE, fr: FR, it: IT, es: ES, nl: NL };

/** The text of a kind in a language, unless the account has its own. */
export function textOf(kind: EmailKind, language: Language): EmailText {
  return WORDINGS[language].texts[kind];
}

/** The words on the button of a kind, which leads to the link. */
export function buttonOf(kind: EmailKind, language: Language): string {
  return WORDINGS[language].buttons[kind];
}

/** The sentence of an invoice that replaces the one with this number. */
export function replacesOf(number: string, language: Language): string {
  return WORDINGS[language].replaces(number);
}
