/** Languages of emails. */
export const LANGUAGES = ['en', 'de', 'fr', 'it', 'es', 'nl'] as const;
export type Language = (typeof LANGUAGES)[number];
