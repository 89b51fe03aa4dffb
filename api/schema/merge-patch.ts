import { Type, type Static, type TOptional, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import { isObject } from '../http/json.ts';
import { orNull } from './schemas.ts';

type Patched<Properties extends TProperties> = {
  [Name in keyof Properties]: TOptional<TUnsafe<Static<Properties[Name]> | null>>;
};

/** The members of a merge patch: each may be absent, and null removes the value. */
export function patched<Properties extends TProperties>(properties: Properties): Patched<Properties> {
  const entries = Object.entries<TSchema>(properties);
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, Type.Optional(orNull(schema))]),
  ) as Patched<Properties>;
}

/**
 * JSON merge patch (RFC 7396): members of the patch replace members of the target, objects merge, null removes. Mutates
 * neither.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}
