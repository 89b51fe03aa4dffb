import { Type, type Static } from 'typebox';
import { ERROR_CODES, REASONS } from '../domain/money/errors.ts';
import { nullable, oneOf, responseObject } from './parts.ts';

/** A fault of a request, in errors and where the refusal of one is stored. */
export const ErrorDetail = responseObject('ErrorDetail', {
  param: nullable(Type.String({ description: 'Path of the field, such as `events[3].timestamp`.' })),
  reason: oneOf(REASONS),
  message: Type.String(),
});

export type ErrorContent = Static<typeof ErrorContent>;
const ErrorContent = Type.Object(
  {
    code: oneOf(ERROR_CODES),
    message: Type.String(),
    param: nullable(Type.String()),
    details: Type.Array(ErrorDetail),
    request_id: Type.String(),
  },
  { title: 'ErrorContent' },
);

/** Body of every response that is not a 2xx. The API reference names the code of each status at its response. */
export const ErrorObject = Type.Object({ error: ErrorContent }, { title: 'Error' });
