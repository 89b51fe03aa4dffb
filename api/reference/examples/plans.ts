import type { Examples } from '../../routing/route.ts';
import { customized, CUSTOM_BODY } from './custom-plans.ts';
import { CHARGE, PLAN, STORAGE_PLAN, SUPPORT_PLAN, TOKENS_PLAN } from './ids.ts';
import { firstPage, page } from './list.ts';

const COMMON = {
  object: 'pricing_plan',
  livemode: false,
  created_at: '2026-01-01T00:00:00.000Z',
  key: null,
  version: null,
  archived_at: null,
  currency: 'USD',
  interval_count: 1,
  pricing_model: null,
  minimum_amount: null,
  grants: [] as object[],
  metadata: {},
  based_on: null as string | null,
  customer_id: null as string | null,
  overrides: null as object[] | null,
};
const ONE_PRICE = { prices: null, group_by: null };
const COUNT = { aggregation: { type: 'count' }, filters: null, ...ONE_PRICE };

const calls = {
  ...COMMON,
  id: PLAN,
  name: 'API calls',
  interval: 'month',
  charges: [
    {
      id: CHARGE,
      event_name: 'api_call',
      name: 'API calls',
      unit_name: null,
      ...COUNT,
      pricing_model: 'graduated',
      tiers: [
        { up_to: '1000', unit_amount: '0.1', flat_amount: null },
        { up_to: null, unit_amount: '0.05', flat_amount: '5' },
      ],
    },
  ],
};

const IN_EUROPE = {
  aggregation: { type: 'sum', property: 'gigabytes' },
  filters: { region: ['eu-west-1', 'eu-central-1'] },
};
const storage = {
  ...COMMON,
  id: STORAGE_PLAN,
  name: 'Storage',
  interval: 'year',
  charges: [
    {
      id: 'chg_01kdvzps60f259hrmq6emq4n02',
      event_name: 'platform_fee',
      name: 'Platform fee',
      unit_name: null,
      ...COUNT,
      pricing_model: 'flat',
      flat_amount: '49',
      billed: 'in_arrears',
    },
    {
      id: 'chg_01kdvzps60f259hrmzz3kryxnq',
      event_name: 'upload',
      name: 'Storage in Europe',
      unit_name: 'gigabytes',
      ...IN_EUROPE,
      ...ONE_PRICE,
      pricing_model: 'per_unit',
      unit_amount: '0.023',
    },
    {
      id: 'chg_01kdvzps60f259hrn5fbw20v7e',
      event_name: 'message',
      name: 'Messages',
      unit_name: null,
      ...COUNT,
      pricing_model: 'package',
      package_size: '1000',
      package_amount: '2.5',
      free_units: '100',
    },
  ],
};

const TOKENS = { aggregation: { type: 'sum', property: 'tokens' }, group_by: ['region'] };
const tokens = {
  ...COMMON,
  id: TOKENS_PLAN,
  name: 'Tokens by model',
  interval: 'month',
  charges: [
    {
      id: 'chg_01kdvzps60f259hrn7qk2m4x8c',
      event_name: 'completion',
      name: 'Tokens',
      unit_name: 'tokens',
      filters: null,
      ...TOKENS,
      pricing_model: 'per_unit',
      prices: [
        { match: { model: ['large', 'larger'] }, default: false, unit_amount: '0.00001' },
        { match: { model: ['small'] }, default: false, unit_amount: '0.000001' },
        { match: null, default: true, unit_amount: '0.000008' },
      ],
    },
  ],
};

const support = {
  ...COMMON,
  id: SUPPORT_PLAN,
  key: 'support',
  version: 1,
  name: 'Support',
  interval: 'month',
  charges: [
    {
      id: 'chg_01kdvzps60f259hrn9v3p6r1td',
      event_name: 'support_fee',
      name: 'Support',
      unit_name: null,
      ...COUNT,
      pricing_model: 'flat',
      flat_amount: '99',
      billed: 'in_arrears',
    },
  ],
};
const custom = customized(calls);
const SUPPORT_FEE = { event_name: 'support_fee', name: 'Support', pricing_model: 'flat' };

export const create: Examples = {
  'Graduated tiers': {
    body: {
      name: 'API calls',
      currency: 'USD',
      charges: [
        {
          event_name: 'api_call',
          name: 'API calls',
          pricing_model: 'graduated',
          tiers: [
            { up_to: 1000, unit_amount: '0.10' },
            { up_to: null, unit_amount: '0.05', flat_amount: '5.00' },
          ],
        },
      ],
    },
    status: 201,
    response: calls,
  },
  'Prices by model, and a line for each region': {
    body: {
      name: 'Tokens by model',
      currency: 'USD',
      charges: [
        {
          event_name: 'completion',
          name: 'Tokens',
          unit_name: 'tokens',
          ...TOKENS,
          pricing_model: 'per_unit',
          prices: [
            { match: { model: ['large', 'larger'] }, unit_amount: '0.00001' },
            { match: { model: ['small'] }, unit_amount: '0.000001' },
            { default: true, unit_amount: '0.000008' },
          ],
        },
      ],
    },
    status: 201,
    response: tokens,
  },
  'A fee, a sum of a property, and packages': {
    body: {
      name: 'Storage',
      currency: 'USD',
      interval: 'year',
      charges: [
        { event_name: 'platform_fee', name: 'Platform fee', pricing_model: 'flat', flat_amount: '49.00' },
        {
          event_name: 'upload',
          name: 'Storage in Europe',
          unit_name: 'gigabytes',
          pricing_model: 'per_unit',
          unit_amount: '0.023',
          ...IN_EUROPE,
        },
        {
          event_name: 'message',
          name: 'Messages',
          pricing_model: 'package',
          package_size: 1000,
          package_amount: '2.50',
          free_units: 100,
        },
      ],
    },
    status: 201,
    response: storage,
  },
  'With a key': {
    body: { key: 'support', name: 'Support', charges: [{ ...SUPPORT_FEE, flat_amount: '99.00' }] },
    status: 201,
    response: support,
  },
  'Another first tier for one customer': { body: CUSTOM_BODY, status: 201, response: custom },
};

export const preview: Examples = {
  'Preview of the next version': {
    body: {
      key: 'support',
      name: 'Support',
      charges: [{ ...SUPPORT_FEE, flat_amount: '129.00' }],
    },
    status: 200,
    response: {
      object: 'pricing_plan_preview',
      key: 'support',
      version: 2,
      current: support,
      changes: [{ field: 'charges[0].flat_amount', current: '99', proposed: '129' }],
      has_more: false,
    },
  },
  'What one customer pays instead': {
    body: CUSTOM_BODY,
    status: 200,
    response: {
      object: 'pricing_plan_preview',
      key: null,
      version: null,
      current: calls,
      changes: [
        { field: 'name', current: 'API calls', proposed: 'API calls for Acme' },
        { field: 'charges[0].tiers[0].unit_amount', current: '0.1', proposed: '0.08' },
      ],
      has_more: false,
    },
  },
};

export const list: Examples = {
  'One plan per page': {
    query: { limit: 1 },
    status: 200,
    response: firstPage('l5E7b79-6-B-iLwhOWwFVXBsYW5fMDFtODAwcmtrc2YyNTlocm1lMHN2cXZ2MzU', storage),
  },
  'The versions of a key': {
    query: { key: 'support' },
    status: 200,
    response: page(support),
  },
  'The custom plans of a customer': {
    query: { customer_id: 'acme' },
    status: 200,
    response: page(custom),
  },
};

export const read: Examples = {
  'A plan with tiers': { path: { id: PLAN }, status: 200, response: calls },
};

const ARCHIVED_AT = '2026-01-01T00:00:00.000Z';

export const archive: Examples = {
  'A price that nobody is to get any more': {
    path: { id: SUPPORT_PLAN },
    status: 200,
    response: { ...support, archived_at: ARCHIVED_AT },
  },
};

export const unarchive: Examples = {
  'A price that is offered again': { path: { id: SUPPORT_PLAN }, status: 200, response: support },
};
