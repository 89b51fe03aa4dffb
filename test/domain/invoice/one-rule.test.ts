import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Aggregation } from '../../../src/domain/pricing/charge.ts';
import { MODELS, PRICING_MODELS } from '../../../src/domain/pricing/definitions.ts';
import { LineLedger, type Part } from '../../support/ledger/line-ledger.ts';
import { aCharge, aPricing, somePercents } from '../../support/ledger/plans.ts';
import * as oracle from '../../support/oracles/price-oracle.ts';

const AGGREGATIONS: readonly Aggregation[] = [
  { type: 'count' },
  ...(['sum', 'max', 'unique', 'latest'] as const).map((type) => ({ type, property: 'n' })),
];
/** The models that bill events by any aggregation. */
const BY_EVENTS = PRICING_MODELS.filter(
  (model) => MODELS[model].is_metered && MODELS[model].aggregations === undefined,
);

type Step =
  | { do: 'store'; is_early: boolean; values: number[] }
  | { do: 'generate' | 'regenerate'; part: Part }
  | { do: 'bill what is late' }
  | { do: 'void'; place: number };

const step = <Do extends Step['do']>(name: Do) => fc.constant(name);
const aPart = fc.constantFrom<Part>('first', 'second');
const someValues = fc.array(fc.integer({ min: -3, max: 9 }), { maxLength: 9 });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: step('store'), is_early: fc.boolean(), values: someValues }) },
  { weight: 3, arbitrary: fc.record({ do: step('generate'), part: aPart }) },
  { weight: 2, arbitrary: fc.record({ do: step('regenerate'), part: aPart }) },
  { weight: 2, arbitrary: fc.record({ do: step('bill what is late') }) },
  { weight: 2, arbitrary: fc.record({ do: step('void'), place: fc.nat(5) }) },
);

function take(ledger: LineLedger, taken: Step): void {
  switch (taken.do) {
    case 'store':
      return taken.values.forEach((value) => ledger.store(taken.is_early, value));
    case 'generate':
      return ledger.generate(taken.part);
    case 'regenerate':
      return ledger.regenerate(taken.part);
    case 'bill what is late':
      return ledger.issueLate();
    case 'void':
      return ledger.lines
        .slice(taken.place, taken.place + 1)
        .forEach((line) => ledger.voidInvoice(line.invoice));
  }
}

/** Bills both parts and all late usage. */
function settle(ledger: LineLedger): void {
  ledger.generate('first');
  ledger.generate('second');
  ledger.issueLate();
}

describe('the lines of a charge and a period, after any late events, cuts, voids, generates and regenerates', () => {
  for (const model of BY_EVENTS) {
    for (const aggregation of AGGREGATIONS) {
      it(`sum to what one invoice would have said: ${model}, ${aggregation.type}`, () => {
        const aLife = fc.record({
          pricing: aPricing(model),
          credit: fc.constantFrom(0, 3, 20, 1000),
          percents: somePercents,
          steps: fc.array(aStep, { minLength: 2, maxLength: 14 }),
        });
        fc.assert(
          fc.property(aLife, ({ pricing, credit, percents, steps }) => {
            const ledger = new LineLedger(aCharge({ pricing, aggregation }), credit, percents);
            for (const taken of steps) {
              take(ledger, taken);
              assert.ok(ledger.timesHeld() <= 1);
            }
            settle(ledger);
            const sumOf = (field: 'quantity' | 'amount' | 'credits_applied') =>
              oracle.total(ledger.lines.map((line) => oracle.rational(line[field])));
            const expected = ledger.expected();
            assert.ok(oracle.equals(sumOf('quantity'), oracle.rational(expected.quantity)), 'quantity');
            assert.ok(oracle.equals(sumOf('credits_applied'), expected.credit), 'credit');
            assert.ok(oracle.equals(sumOf('amount'), expected.amount), 'amount');
            assert.ok(!oracle.isLess(oracle.rational(ledger.credit_left), oracle.NOTHING), 'credit left');
          }),
          { numRuns: 15 },
        );
      });
    }
  }

  for (const model of BY_EVENTS.filter((name) => !MODELS[name].may_fall))
    it(`sum to its amount without percents too: ${model}`, () => {
      const aLife = fc.record({
        pricing: aPricing(model),
        percents: somePercents.filter((percents) => percents.length > 0),
        steps: fc.array(aStep, { minLength: 2, maxLength: 14 }),
      });
      fc.assert(
        fc.property(aLife, ({ pricing, percents, steps }) => {
          const ledger = new LineLedger(aCharge({ pricing }), 0, percents);
          for (const taken of steps) take(ledger, taken);
          settle(ledger);
          const before = ledger.lines.map((line) => oracle.rational(line.amount_before!));
          assert.ok(oracle.equals(oracle.total(before), ledger.expected().before));
        }),
        { numRuns: 30 },
      );
    });
});
