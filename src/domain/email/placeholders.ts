/** Names that a text may have in braces, and that an email fills (billing.md 16). */
export const PLACEHOLDERS = [
  'customer',
  'company',
  'number',
  'total',
  'amount_due',
  'due_date',
  'invoices',
  'method',
  'link',
] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The value of each placeholder; null for one without a value, such as the due date of a receipt. */
export type PlaceholderValues = Readonly<Record<Placeholder, string | null>>;

const IN_BRACES = /\{([^{}\n]*)\}/g;
const BLANK_LINES = /\n{3,}/g;

/** The placeholders of a text that no email fills, each once, with their braces and in the order of the text. */
export function unknownPlaceholdersOf(text: string): string[] {
  const unknown = [...text.matchAll(IN_BRACES)].filter(([, name]) => !isPlaceholder(name!));
  return [...new Set(unknown.map(([whole]) => whole))];
}

/**
 * A text with the values of its placeholders. A line that has a placeholder without a value is left out, so that no
 * email says "Due date:" and nothing behind it. Values stay as they are, braces in them too.
 */
export function fill(text: string, values: PlaceholderValues): string {
  const lines = text.split('\n').filter((line) => namesOf(line).every((name) => values[name] !== null));
  return lines
    .map((line) => filled(line, values))
    .join('\n')
    .replace(BLANK_LINES, '\n\n')
    .trim();
}

/** A subject with the values of its placeholders, in one line: one without a value leaves no gap. */
export function fillSubject(text: string, values: PlaceholderValues): string {
  return filled(text, values).replace(/\s+/g, ' ').trim();
}

function filled(line: string, values: PlaceholderValues): string {
  return line.replace(IN_BRACES, (whole, name: string) =>
    isPlaceholder(name) ? (values[name] ?? '') : whole,
  );
}

function namesOf(line: string): Placeholder[] {
  return [...line.matchAll(IN_BRACES)].map(([, name]) => name!).filter(isPlaceholder);
}

function isPlaceholder(name: string): name is Placeholder {
  return PLACEHOLDERS.some((known) => known === name);
}
