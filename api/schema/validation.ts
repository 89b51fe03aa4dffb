import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { BillingError, type ErrorDetail, type Reason } from '../../src/domain/money/errors.ts';
import { isObject } from '../http/json.ts';
import { addKeywords, type Change } from './keywords.ts';

const OPTIONS = {
  strict: true,
  allowUnionTypes: true,
  useDefaults: true,
  verbose: true,
  // Passes `this`, the list of changes, on to our keywords, which add to it.
  passContext: true,
} as const;

const first = new Ajv2020({ ...OPTIONS, allErrors: false });
const every = new Ajv2020({ ...OPTIONS, allErrors: true });
addKeywords(first);
addKeywords(every);

const DETAILS_MAX = 50;
/** Faults after which validation stops: checking every item would let a client with a million items waste our time. */
const STOPPING_KEYWORDS = new Set(['maxItems', 'maxProperties', 'x-json-bytes-max']);

/**
 * Makes a parser from a schema. It changes the value in place: removes `null` of optional members, fills in defaults,
 * and replaces decimals and instants by their canonical spelling. Throws invalid_request with the first fault of each
 * member, at most 50.
 */
export function parserOf<Schema extends TSchema>(schema: Schema): (input: unknown) => Static<Schema> {
  const validate = first.compile(schema);
  const removeNulls = nullRemoverOf(schema);
  return (input) => {
    removeNulls?.(input);
    const changes: Change[] = [];
    if (validate.call(changes, input)) {
      for (const { parent, name, value } of changes) parent[name] = value;
      return input as Static<Schema>;
    }
    let errors = validate.errors!;
    if (!STOPPING_KEYWORDS.has(errors[0]!.keyword)) {
      // Compiled at the first fault and cached by Ajv: a valid request never needs it.
      const validateAll = every.compile(schema);
      validateAll.call([], input);
      errors = validateAll.errors ?? errors;
    }
    throw new BillingError('invalid_request', firstOfEach(errors.map(detailOf)).slice(0, DETAILS_MAX));
  };
}

/** Keeps the first fault of each member: an empty string, for example, also fails the pattern. */
function firstOfEach(details: readonly ErrorDetail[]): ErrorDetail[] {
  const known = new Set<string | null>();
  return details.filter(({ param }) => !known.has(param) && known.add(param));
}

/** Describes where a response violates its schema; null if it does not. */
export function responseFault(schema: TSchema, response: unknown): string | null {
  const validate = first.compile(schema);
  return validate.call([], response) ? null : first.errorsText(validate.errors);
}

/** The parts of a schema that decide where null means "left out". */
type Shape = {
  type?: unknown;
  anyOf?: readonly Shape[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  items?: Shape;
  default?: unknown;
};

/**
 * Makes a function that removes, in place, each null that means "left out"; null if the shape has no such member. Made
 * once for each schema, because ingest calls it for a thousand events a request.
 */
function nullRemoverOf(shape: Shape): ((value: unknown) => void) | null {
  const removeFromItem = shape.items === undefined ? null : nullRemoverOf(shape.items);
  const members = Object.entries(shape.properties ?? {})
    .map(([name, member]) => ({
      name,
      removeFrom: nullRemoverOf(member),
      is_removable: isOptional(shape, name) && !takesNull(member),
    }))
    .filter(({ removeFrom, is_removable }) => removeFrom !== null || is_removable);
  if (removeFromItem === null && members.length === 0) return null;
  return (value) => {
    if (Array.isArray(value)) {
      if (removeFromItem !== null) value.forEach(removeFromItem);
    } else if (isObject(value)) {
      for (const { name, removeFrom, is_removable } of members) {
        const member = value[name];
        if (member !== null) removeFrom?.(member);
        else if (is_removable) Reflect.deleteProperty(value, name);
      }
    }
  };
}

function isOptional({ required, properties }: Shape, name: string): boolean {
  return !(required ?? []).includes(name) || properties?.[name]?.default !== undefined;
}

function takesNull({ type, anyOf }: Shape): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf ?? []).some(takesNull);
}

/** Reason and message by keyword; `{}` stands for the keyword's limit. */
const FAULTS: Readonly<Record<string, readonly [Reason, string]>> = {
  type: ['wrong_type', 'must be of type {}'],
  required: ['missing', 'is missing'],
  additionalProperties: ['unknown_member', 'is not a known member'],
  enum: ['not_allowed', 'must be one of {}'],
  const: ['not_allowed', 'must be {}'],
  anyOf: ['not_allowed', 'does not match any of the allowed forms'],
  minLength: ['missing', 'must not be empty'],
  maxLength: ['too_long', 'must not be longer than {} characters'],
  pattern: ['malformed', 'is malformed'],
  propertyNames: ['malformed', 'has a member whose name is empty, too long or contains control characters'],
  minimum: ['out_of_range', 'must be at least {}'],
  maximum: ['out_of_range', 'must be at most {}'],
  exclusiveMinimum: ['out_of_range', 'must be above {}'],
  minItems: ['missing', 'must not be empty'],
  maxItems: ['too_many', 'must not have more than {} items'],
  minProperties: ['missing', 'must not be empty'],
  maxProperties: ['too_many', 'must not have more than {} members'],
};

function detailOf(error: ErrorObject): ErrorDetail {
  const param = paramOf(error);
  const [reason, message] = faultOf(error);
  return { param, reason, message: `${param ?? 'the body'} ${message}` };
}

function faultOf({ keyword, message, params, parentSchema, schema }: ErrorObject): readonly [Reason, string] {
  if (params.reason !== undefined) return [params.reason, message ?? ''];
  if (keyword === 'pattern' && parentSchema?.['x-fault'] !== undefined)
    return ['malformed', parentSchema['x-fault']];
  const [reason, text] = FAULTS[keyword] ?? ['malformed', message ?? 'is malformed'];
  const limit = Array.isArray(schema) ? schema.join(', ') : String(schema);
  return [reason, text.replace('{}', () => limit)];
}

/**
 * Converts Ajv's path, such as `/charges/0/tiers/1` and a member, to `charges[0].tiers[1].up_to`; null for the body
 * itself.
 */
function paramOf({ instancePath, params, propertyName }: ErrorObject): string | null {
  const member = params.missingProperty ?? params.additionalProperty ?? propertyName;
  const segments = instancePath.split('/').slice(1).map(unescaped);
  if (member !== undefined) segments.push(member);
  const path = segments.map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`)).join('');
  return path === '' ? null : path.replace(/^\./, '');
}

function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
