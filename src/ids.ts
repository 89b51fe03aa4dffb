import { typeid } from 'typeid-js';

/** Prefixes of public ids. All but `evt` sort by creation; an event's id comes from its key's hash. */
export type IdPrefix = 'cus' | 'plan' | 'chg' | 'sub' | 'inv' | 'li' | 'cg' | 'reg' | 'key' | 'req';

/** A new id, such as `inv_01m7xekbfvfvkssqkvzf2w4340`: 26 characters of a UUIDv7 behind the prefix. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}
