/** A node of a JSON Schema, or of anything else that is JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

export function isJsonObject(node: Json | undefined): node is JsonObject {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

/** Plain JSON, as a reader of the document gets it: without members that are undefined. */
export function jsonOf(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}
