/** Every place where the actual value differs from the expected one, one per line. */
export function differences(actual: unknown, expected: unknown, place = ''): string[] {
  if (Object.is(actual, expected)) return [];
  const [is, should] = [membersOf(actual), membersOf(expected)];
  if (is === null || should === null)
    return [`${place}: is ${JSON.stringify(actual)}, should be ${JSON.stringify(expected)}`];
  const names = new Set([...is.keys(), ...should.keys()]);
  return [...names].flatMap((name) => differences(is.get(name), should.get(name), `${place}${name}`));
}

/** Members of an object or a list by their path suffix, `.name` or `[index]`; null for other values. */
function membersOf(value: unknown): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null;
  const is_list = Array.isArray(value);
  return new Map(Object.entries(value).map(([name, member]) => [is_list ? `[${name}]` : `.${name}`, member]));
}
