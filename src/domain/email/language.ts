/** Languages of emails, by their codes in ISO 639-1. The first is that of an account that chose none. */
export const LANGUAGES = ['en', 'de', 'fr', 'it', 'es', 'nl'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Where a language is written as its formats of amounts and days say. */
export const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  de: 'de-DE',
  fr: 'fr-FR',
  it: 'it-IT',
  es: 'es-ES',
  nl: 'nl-NL',
};
