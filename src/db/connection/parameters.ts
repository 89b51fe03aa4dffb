/** Adds a value to a statement and returns its placeholder, `$1`, which the text may use several times. */
export type Parameter = (value: unknown) => string;

export type Parameters = { readonly values: unknown[]; readonly parameter: Parameter };

/** The values of a statement that is composed of fragments: no fragment has to know the numbers of another. */
export function createParameters(): Parameters {
  const values: unknown[] = [];
  return { values, parameter: (value) => `$${values.push(value)}` };
}
