import assert from 'node:assert/strict';
import { dashboardRoutesBeside } from '../../../api/dashboard/routes.ts';
import { routes } from '../../../api/routes.ts';
import { describeBadInput, type BadRequest } from '../../support/sources/bad-input.ts';

/** JSON text, because JavaScript would round the numbers. Each value exceeds 40 significant digits, 30 places or 100 characters. */
const BEYOND = {
  '41 digits': `"${'9'.repeat(41)}"`,
  '31 places': `"0.${'9'.repeat(31)}"`,
  '101 zeros before it': `"${'1'.padStart(102, '0')}"`,
  '101 zeros behind it': `"1.${'0'.repeat(101)}"`,
  '100 kB of digits': `"${'9'.repeat(100_000)}"`,
  '100 kB of zeros before it': `"${'1'.padStart(100_000, '0')}"`,
  '100 kB of zeros behind it': `"1.${'0'.repeat(100_000)}"`,
  '1e30': '1e30',
  '1e300': '1e300',
  '1e-31': '1e-31',
  '5e-324': '5e-324',
  '1e-400': '1e-400',
  '1e400': '1e400',
  'a number of 100 kB': '9'.repeat(100_000),
  'a number of 100 kB behind the point': `0.${'9'.repeat(100_000)}`,
};

const VALUE = '@value';
type Field = [param: string, path: string, body: object];

function charge(param: string, members: object): Field {
  const charges = [{ event_name: 'e', ...members }];
  return [`charges[0].${param}`, '/v1/pricing-plans', { name: 'Plan', charges }];
}

const tiers = (tier: object) => [
  { up_to: '1', unit_amount: '1', ...tier },
  { up_to: null, unit_amount: '1' },
];
const packaged = { pricing_model: 'package', package_size: '1', package_amount: '1' };

/** Every field with a decimal value. */
const FIELDS: readonly Field[] = [
  charge('flat_amount', { pricing_model: 'flat', flat_amount: VALUE }),
  charge('unit_amount', { pricing_model: 'per_unit', unit_amount: VALUE }),
  charge('tiers[0].up_to', { pricing_model: 'graduated', tiers: tiers({ up_to: VALUE }) }),
  charge('tiers[0].unit_amount', { pricing_model: 'volume', tiers: tiers({ unit_amount: VALUE }) }),
  charge('tiers[0].flat_amount', { pricing_model: 'volume', tiers: tiers({ flat_amount: VALUE }) }),
  charge('package_size', { ...packaged, package_size: VALUE }),
  charge('package_amount', { ...packaged, package_amount: VALUE }),
  charge('free_units', { ...packaged, free_units: VALUE }),
  charge('credits_per_unit', { pricing_model: 'credit', credits_per_unit: VALUE }),
  charge('overage_unit_amount', { pricing_model: 'credit', overage_unit_amount: VALUE }),
  ['tax_rate', '/v1/customers', { external_id: 'new', tax_rate: VALUE }],
  ['amount', '/v1/credit-grants', { customer_id: 'C1', amount: VALUE }],
];

function rowsOf([param, path, body]: Field): BadRequest[] {
  return Object.entries(BEYOND).map(([what, text]) => {
    const sent = { method: 'POST', body: JSON.stringify(body).replace(`"${VALUE}"`, text) };
    return [`${param}: ${what}`, path, sent, 'invalid_request', param];
  });
}

/** Refusals of a number in a filter: a string is never a decimal, even if it looks like one; a number is. */
function filterRow(what: string, number: string): BadRequest {
  const charges = [
    { event_name: 'e', pricing_model: 'per_unit', unit_amount: '1', filters: { size: [1, VALUE] } },
  ];
  const body = JSON.stringify({ name: 'Plan', charges }).replace(`"${VALUE}"`, number);
  return [
    `a filter: ${what}`,
    '/v1/pricing-plans',
    { method: 'POST', body },
    'invalid_request',
    'charges[0].filters.size[1]',
  ];
}

describeBadInput(
  'decimals beyond the limits',
  [
    ...FIELDS.flatMap(rowsOf),
    ...['1e100', '1e-31', '1e300', '5e-324', '1e400', '1e-400'].map((number) => filterRow(number, number)),
  ],
  { prepare: (api) => api.post('/v1/customers', { external_id: 'C1' }) },
);

describe('the schemas of bodies', () => {
  type Schema = Readonly<Record<string, unknown>>;
  const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

  /** A schema with all schemas nested in it. */
  function all(schema: unknown): Schema[] {
    return isSchema(schema) ? [schema, ...Object.values(schema).flatMap(all)] : [];
  }

  it('limit every number', () => {
    const numbers = [...routes, ...dashboardRoutesBeside(routes)]
      .flatMap(({ body }) => all(body))
      .filter(({ type }) => [type].flat().includes('number'));
    assert.ok(numbers.length > 12);
    for (const schema of numbers) {
      if (schema['x-number'] === true) continue;
      const rule = schema['x-decimal'];
      assert.ok(isSchema(rule), JSON.stringify(schema));
      const { whole_max, scale_max } = rule;
      assert.ok(
        Number(whole_max) + Number(scale_max) <= 40 && Number(scale_max) <= 30,
        JSON.stringify(schema),
      );
    }
  });
});
