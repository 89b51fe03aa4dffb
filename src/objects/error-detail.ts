import { Type } from 'typebox';
import { REASONS } from '../domain/money/errors.ts';
import { nullable, oneOf, responseObject } from './parts.ts';

/** A fault of a request, in errors and where the refusal of one is stored. */
export const ErrorDetail = responseObject('ErrorDetail', {
  param: nullable(Type.String({ description: 'Path of the field, such as `events[3].timestamp`.' })),
  reason: oneOf(REASONS),
  message: Type.String(),
});
