import { Type, type TSchema } from 'typebox';
import type { Filters } from '../../src/domain/pricing/charge.ts';
import type { Field } from '../../src/domain/pricing/definition.ts';
import {
  LISTED_MODELS,
  MODELS,
  PRICING_MODELS,
  type PricingModel,
} from '../../src/domain/pricing/definitions.ts';
import type { SentCharge, SentOverride } from '../../src/domain/pricing/sent-charge.ts';
import { GROUPS_MAX } from '../../src/domain/pricing/series.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { decimalText, Identifier, Name, orNull, PRINTABLE } from '../schema/schemas.ts';

const FIFTEEN = { whole_max: 15, scale_max: 15 };
const PERCENT = { whole_max: 3, scale_max: 15, low: '0', high: '100' };
const Amount = decimalText(FIFTEEN, 'In major units of the currency, with up to 15 decimals.');
const Quantity = decimalText(FIFTEEN, 'With up to 15 decimals.');

const NewTier = exactly({
  up_to: orNull(Quantity),
  unit_amount: Amount,
  flat_amount: Type.Optional(Amount),
});

const FilterValue = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  maxLength: 255,
  'x-number': true,
});

const VALUES = {
  type: 'object',
  maxProperties: 20,
  propertyNames: Identifier,
  additionalProperties: { type: 'array', minItems: 1, maxItems: 100, items: FilterValue },
};
const GROUPED_PROPERTIES_MAX = 2;

const Selection = exactly({
  event_name: Identifier,
  name: Type.Optional(Name),
  unit_name: Type.Optional(
    Type.String({
      ...PRINTABLE,
      description: 'The name of the unit in the plural, for invoices: `minutes`.',
    }),
  ),
  pricing_model: Type.Optional(oneOf(PRICING_MODELS)),
  aggregation: Type.Optional(
    exactly({
      type: oneOf(['count', 'sum', 'max', 'unique', 'latest']),
      property: Type.Optional(Identifier),
    }),
  ),
  filters: Type.Optional(
    Type.Unsafe<Filters>({
      ...VALUES,
      description:
        'The allowed values of each property. The charge counts an event only if all its properties match.',
      examples: [{ region: ['eu', 'us'] }],
    }),
  ),
});

const PRICES_MAX = 200;

const NewPrice = exactly({
  match: Type.Optional(
    Type.Unsafe<Filters>({
      ...VALUES,
      minProperties: 1,
      description: 'The values of each property that the price is for, compared as text.',
      examples: [{ model: ['large', 'larger'] }],
    }),
  ),
  default: Type.Optional(
    Type.Literal(true, {
      description: 'The price of all other events; the last one. Without it they are unrated.',
    }),
  ),
  ...pricingFields(),
});

/** The price of a charge: the fields of every model, each optional, or a list. */
const PRICE = {
  ...pricingFields(),
  prices: Type.Optional(
    Type.Array(NewPrice, {
      minItems: 1,
      maxItems: PRICES_MAX,
      description: `Models ${LISTED_MODELS.join(', ')}: prices by the values of properties, each a line of its own, instead of the fields of the model.`,
    }),
  ),
};

/**
 * A charge as clients send it. The schema accepts the fields of every model; fieldFaults refuses those of other models.
 */
export const NewCharge = Type.Unsafe<SentCharge>(
  exactly({
    ...Selection.properties,
    ...PRICE,
    group_by: Type.Optional(
      Type.Array(Identifier, {
        minItems: 1,
        maxItems: GROUPED_PROPERTIES_MAX,
        description: `Models ${LISTED_MODELS.join(', ')}: a line for each value of these properties, at most ${GROUPS_MAX} in a period; the rest is one line. Each line is rounded, and has tiers and free units of its own.`,
      }),
    ),
  }),
);

/** The price of one charge of a custom plan; the charge is one of its base (billing.md 12). */
export const NewOverride = Type.Unsafe<SentOverride>(
  exactly({
    charge: Type.Integer({ minimum: 0, description: 'The place of the charge in the base, from 0.' }),
    pricing_model: Type.Optional(
      oneOf(PRICING_MODELS, {
        description:
          'The model with the fields beside it alone. Without it the fields replace those of the base.',
      }),
    ),
    ...PRICE,
  }),
);

/** One schema per field. The description of a field that several models share, such as `tiers`, names all of them. */
function pricingFields(): Record<string, TSchema> {
  const fields = new Map<string, { field: Field; models: PricingModel[] }>();
  for (const model of PRICING_MODELS)
    for (const [name, field] of Object.entries(MODELS[model].fields)) {
      const known = fields.get(name);
      if (known === undefined) fields.set(name, { field, models: [model] });
      else known.models.push(model);
    }
  return Object.fromEntries([...fields].map(([name, { field, models }]) => [name, schemaOf(field, models)]));
}

function schemaOf(
  { kind, default: absent, choices = {}, description }: Field,
  models: readonly PricingModel[],
): TSchema {
  const names = `${models.length === 1 ? 'Model' : 'Models'} ${models.join(' and ')}`;
  const default_text = absent === undefined ? '' : ` Default: ${absent ?? 'none'}.`;
  const text = `${names}: ${description}`;
  switch (kind) {
    case 'amount':
      return Type.Optional(
        decimalText(FIFTEEN, `${text}, in major units, with up to 15 decimals.${default_text}`),
      );
    case 'quantity':
    case 'size':
      return Type.Optional(decimalText(FIFTEEN, `${text}.${default_text}`));
    case 'percent':
      return Type.Optional(decimalText(PERCENT, `${text}, from 0 to 100.${default_text}`));
    case 'choice':
      return Type.Optional(oneOf(Object.keys(choices), { description: `${text}.${default_text}` }));
    case 'tiers':
      return Type.Optional(
        Type.Array(NewTier, { minItems: 1, maxItems: 1000, description: `${text}.${default_text}` }),
      );
  }
}
