/** A JSON object, such as metadata. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The merge patch (RFC 7396) that turns `before` into `after`; null removes a member. */
export function mergePatchOf(before: JsonObject, after: JsonObject): JsonObject {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const members = Object.entries(after).map(([name, value]) => {
    const old = before[name];
    return [name, isJsonObject(old) && isJsonObject(value) ? mergePatchOf(old, value) : value];
  });
  return Object.fromEntries([...gone.map((name) => [name, null]), ...members]);
}

/** Whether a value is a JSON object: no array and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
