/** A JSON object, as metadata is. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The merge patch (RFC 7396) that makes `after` of `before`: null takes away what is in `before` alone. */
export function mergePatchOf(before: JsonObject, after: JsonObject): JsonObject {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const kept = Object.entries(after).map(([name, value]) => {
    const old = before[name];
    return [name, isJsonObject(old) && isJsonObject(value) ? mergePatchOf(old, value) : value];
  });
  return Object.fromEntries([...gone.map((name) => [name, null]), ...kept]);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
