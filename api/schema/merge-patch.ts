import { isObject } from '../http/json.ts';

/** JSON merge patch (RFC 7396): members of the patch replace members of the target, objects merge, null removes. Mutates neither. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}
