/** A JSON object, as metadata is. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The merge patch (RFC 7396) that makes `after` of `before`: null takes away what is in `before` alone. */
export function mergePatchOf(before: JsonObject, after: JsonObject): JsonObject {
  const gone = Object.keys(before).filter((name) => !(name in after));
  const patch: Record<string, unknown> = Object.fromEntries(gone.map((name) => [name, null]));
  for (const [name, value] of Object.entries(after)) {
    const old = before[name];
    patch[name] = isJsonObject(old) && isJsonObject(value) ? mergePatchOf(old, value) : value;
  }
  return patch;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
