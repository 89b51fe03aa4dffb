/**
 * Parts that the drafts of a plan, its charges and its prices have in common: keys, lists, and texts that may be blank.
 */
let keys_given = 0;

/** Identifies an item for as long as it is in the form. */
export function newKey(): number {
  keys_given += 1;
  return keys_given;
}

/** Copies the list with another item in one place. */
export function withItem<Item>(items: readonly Item[], place: number, item: Item): Item[] {
  return items.map((other, index) => (index === place ? item : other));
}

export function withoutItem<Item>(items: readonly Item[], place: number): Item[] {
  return items.filter((_, index) => index !== place);
}

/** The typed text without blanks at its ends; undefined for nothing. */
export function filledText(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
