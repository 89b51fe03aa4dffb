import { Type } from 'typebox';
import { CHANGE_TYPE_NAMES, typesNamed } from '../../src/domain/feed/change-types.ts';
import { invalid } from '../../src/domain/money/errors.ts';

const TYPES_MAX = 100;

/** A number of the feed, after which a reader begins. */
export const Sequence = Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 });

/**
 * Names of types and patterns such as `invoice.*`, unchanged. Throws invalid_request, with `param`, for an unknown one
 * or above 100.
 */
export function checkedTypes(param: string, names: readonly string[]): readonly string[] {
  if (names.length > TYPES_MAX)
    throw invalid(param, 'too_many', `${param} must not have more than ${TYPES_MAX} names`);
  const unknown = names.find((name) => typesNamed(name).length === 0);
  if (unknown !== undefined) {
    const message = `${param} has "${unknown}", which is no type of change; types are ${CHANGE_TYPE_NAMES.join(', ')}`;
    throw invalid(param, 'malformed', message);
  }
  return names;
}
