/** A JSON value, such as a node of a JSON Schema. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

/** Whether a node is a JSON object: neither null nor an array. */
export function isJsonObject(node: Json | undefined): node is JsonObject {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

/** Converts a value to plain JSON, as clients receive it: without undefined members. */
export function jsonOf(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}
