/** Adds a value to a statement and returns its placeholder, `$1`, which the text may use several times. */
export type Parameter = (value: unknown) => string;

export type Parameters = { readonly values: unknown[]; readonly parameter: Parameter };

/**
 * The values of a statement that is composed of fragments: no fragment has to know the numbers of another. `first` are
 * the values that the text names by their numbers, from $1 on.
 */
export function createParameters(first: readonly unknown[] = []): Parameters {
  const values = [...first];
  return { values, parameter: (value) => `$${values.push(value)}` };
}
