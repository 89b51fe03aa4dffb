import type { Card, Method } from './collection.ts';
import type { World } from './world.ts';

/** Saves a method; it is the default where there is none: the first of all, or the first one after a default that was removed. */
export function saveMethod({ collection }: World, { label, card }: { label: string; card: Card }): Method {
  const method: Method = {
    label,
    card,
    status: 'active',
    is_default: defaultOf(collection.methods) === null,
  };
  collection.methods.push(method);
  return method;
}

/** The default method; null if there is none. */
export function defaultOf(methods: readonly Method[]): Method | null {
  return methods.find(({ is_default }) => is_default) ?? null;
}

/** Makes a method the default; false for one that is removed. */
export function makeDefault({ collection }: World, method: Method): boolean {
  if (method.status === 'removed') return false;
  for (const other of collection.methods) other.is_default = other === method;
  return true;
}

/** Removes a method for good; false for one that is removed. */
export function removeMethod(method: Method): boolean {
  if (method.status === 'removed') return false;
  method.status = 'removed';
  method.is_default = false;
  return true;
}

/** Whether a method may be charged. */
export function isActive(method: Method | null): method is Method {
  return method?.status === 'active';
}
