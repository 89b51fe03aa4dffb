import { TypeID, typeid } from 'typeid-js';

/** Prefixes of public ids. All but `evt` sort by creation; an event's id comes from its key's hash. */
export type IdPrefix = 'cus' | 'plan' | 'chg' | 'sub' | 'inv' | 'li' | 'cg' | 'reg' | 'key' | 'req';

/** A new id, such as `inv_01m7xekbfvfvkssqkvzf2w4340`: 26 characters of a UUIDv7 behind the prefix. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

/** Every id of this prefix that was made before `at_ms` sorts before it. */
export function oldestId(prefix: IdPrefix, at_ms: number): string {
  const uuid = `${at_ms.toString(16).padStart(12, '0')}00000000000000000000`;
  const dashed = uuid.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return TypeID.fromUUID(prefix, dashed).toString();
}
