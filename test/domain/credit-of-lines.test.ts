import assert from 'node:assert/strict';
import { type Draw, type Lot, drawCredit, outstandingDraws } from '../../src/domain/credit.ts';
import { aLot } from '../support/lots.ts';
import { aPeriod, midnight } from '../support/schedules.ts';

const MAY = aPeriod('2026-05-01', '2026-06-01');

describe('credit beside other lines of the same charge and period', () => {
  const never = aLot({ id: 'never', remaining: '100' });
  const day_11 = aLot({ id: 'day_11', remaining: '100', expires_at: midnight('2026-05-11') });
  type Case = {
    why: string;
    lots: Lot[];
    units: string;
    before_11?: string;
    others: string;
    past: [grant: Lot, amount: string][];
    expected: { draws?: string; returns?: string; applied: string; covered: string };
  };
  const rows: Case[] = [
    {
      why: 'covers the units of the line itself, not those that others were charged for',
      ...{ lots: [never], units: '80', others: '50', past: [] },
      expected: { draws: 'never 30', applied: '30', covered: '30' },
    },
    {
      why: 'adds to what others have drawn',
      ...{ lots: [never], units: '80', others: '50', past: [[never, '50']] },
      expected: { draws: 'never 30', applied: '30', covered: '80' },
    },
    {
      why: 'an expiring grant covers no more than the usage before its expiry, others and this line together',
      ...{ lots: [day_11], units: '80', before_11: '60', others: '50', past: [[day_11, '50']] },
      expected: { draws: 'day_11 10', applied: '10', covered: '60' },
    },
    {
      why: 'fewer units than are covered: the difference returns, the last drawn first',
      ...{
        lots: [],
        units: '30',
        others: '80',
        past: [
          [day_11, '30'],
          [never, '50'],
        ],
        before_11: '30',
      },
      expected: { returns: 'never 50', applied: '-50', covered: '30' },
    },
    {
      why: 'fewer units, but enough for what is covered: nothing returns',
      ...{ lots: [never], units: '60', others: '80', past: [[never, '50']] },
      expected: { applied: '0', covered: '50' },
    },
    {
      why: 'what an expiry no longer allows returns, and another grant takes its place',
      ...{ lots: [never], units: '80', others: '80', past: [[day_11, '50']], before_11: '20' },
      expected: { draws: 'never 30', returns: 'day_11 30', applied: '0', covered: '50' },
    },
    {
      why: 'what a line gave back for one that is void by now is drawn again',
      ...{ lots: [never], units: '15', others: '-5', past: [[never, '-5']] },
      expected: { draws: 'never 20', applied: '20', covered: '15' },
    },
  ];
  const textOf = (draws: readonly Draw[]) =>
    draws.map(({ grant_id, amount }) => `${grant_id} ${amount}`).join(', ');
  for (const { why, lots, units, others, past, before_11 = units, expected } of rows) {
    it(why, () => {
      const { draws, returns, applied, covered } = drawCredit({
        lots,
        period: MAY,
        creditable: units,
        creditable_before: new Map([[midnight('2026-05-11'), before_11]]),
        others_creditable: others,
        past: past.map(([grant, amount]) => ({ grant, amount })),
      });
      const said = { draws: textOf(draws), returns: textOf(returns), applied, covered };
      assert.deepEqual(said, { draws: '', returns: '', ...expected });
    });
  }

  it('what is drawn at present is what the ledger drew, less what it returned, the last drawn first', () => {
    const entries: [Lot, string][] = [
      [never, '-10'],
      [day_11, '-20'],
      [never, '-5'],
      [never, '7'],
      [day_11, '25'],
    ];
    const open = outstandingDraws(entries.map(([grant, amount]) => ({ grant, amount })));
    assert.deepEqual(
      open.map(({ grant, amount }) => [grant.id, amount]),
      [
        ['never', '8'],
        ['day_11', '-5'],
      ],
    );
  });
});
