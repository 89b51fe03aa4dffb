import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { unitPriceOf } from '../../../src/domain/pricing/unit-price.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

describe('the unit price of a line', () => {
  const line = { type: 'usage', invoice_item: null, quantity: '3', billable_quantity: '3', tiers: null };
  const flat = { ...line, type: 'flat', quantity: '1', billable_quantity: '1' };
  const fee: Pricing = { pricing_model: 'flat', flat_amount: '62' };
  const tier = { up_to: '1000', quantity: '900', unit_amount: '0.1', flat_amount: '0.00', amount: '90.00' };
  const graduated: Pricing = { pricing_model: 'graduated', tiers: TIERS };
  type Case = [
    why: string,
    line: Parameters<typeof unitPriceOf>[0],
    pricing: Pricing | null,
    said: string | null,
  ];
  const CASES: Case[] = [
    ['a fee', { ...flat, amount: '62.00' }, fee, '1 at 62.00'],
    ['a part of a fee', { ...flat, amount: '31.00' }, fee, '1 at 31.00'],
    ['a fee of a charge that is not known', { ...flat, amount: '31.00' }, null, '1 at 31.00'],
    [
      'an item',
      { ...line, quantity: '2.5', invoice_item: { unit_amount: '80' }, amount: '200.00' },
      null,
      '2.5 at 80',
    ],
    [
      'units less credit',
      { ...line, billable_quantity: '2', amount: '0.20' },
      { pricing_model: 'per_unit', unit_amount: '0.1' },
      '2 at 0.1',
    ],
    ['a single tier', { ...line, quantity: '900', tiers: [tier], amount: '90.00' }, graduated, '900 at 0.1'],
    [
      'a tier with a flat amount',
      { ...line, tiers: [{ ...tier, flat_amount: '5.00' }], amount: '95.00' },
      graduated,
      null,
    ],
    ['several tiers', { ...line, tiers: [tier, tier], amount: '180.00' }, graduated, null],
    ['usage of a charge that is not known', { ...line, amount: '3.00' }, null, null],
  ];
  for (const [why, of, pricing, said] of CASES)
    it(`of ${why} is ${said ?? 'none'}`, () => {
      const found = unitPriceOf(of, pricing);
      assert.equal(found && `${found.quantity} at ${found.unit_price}`, said);
    });
});
