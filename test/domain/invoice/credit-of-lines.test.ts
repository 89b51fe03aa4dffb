import assert from 'node:assert/strict';
import {
  type Draw,
  type GrantBalance,
  drawCredit,
  returnsOf,
  standingDraws,
  withReturns,
} from '../../../src/domain/credit/credit.ts';
import { aGrantBalance } from '../../support/ledger/grant-balances.ts';
import { aPeriod, midnight } from '../../support/ledger/schedules.ts';

const MAY = aPeriod('2026-05-01', '2026-06-01');

describe('credit beside other lines of the same charge and period', () => {
  const never = aGrantBalance({ id: 'never', remaining: '100' });
  const day_11 = aGrantBalance({ id: 'day_11', remaining: '100', expires_at: midnight('2026-05-11') });
  const first = aGrantBalance({ id: 'first', remaining: '20' });
  const second = aGrantBalance({ id: 'second', remaining: '20' });
  type Case = {
    why: string;
    grants: GrantBalance[];
    units: string;
    before_11?: string;
    others: string;
    provisional?: string;
    previous_draws: [grant: GrantBalance, amount: string][];
    expected: { draws?: string; returns?: string; applied: string; covered: string };
  };
  const rows: Case[] = [
    {
      why: 'covers the units of the line itself, not those that others were charged for',
      ...{ grants: [never], units: '80', others: '50', previous_draws: [] },
      expected: { draws: 'never 30', applied: '30', covered: '30' },
    },
    {
      why: 'several grants together cover no more than that',
      ...{ grants: [first, second], units: '80', others: '50', previous_draws: [] },
      expected: { draws: 'first 20, second 10', applied: '30', covered: '30' },
    },
    {
      why: 'adds to what others have drawn',
      ...{ grants: [never], units: '80', others: '50', previous_draws: [[never, '50']] },
      expected: { draws: 'never 30', applied: '30', covered: '80' },
    },
    {
      why: 'units whose credit returns are covered by nothing, so that the line draws for them anew',
      ...{
        grants: [never, day_11],
        units: '0.25',
        before_11: '0',
        others: '1',
        previous_draws: [[day_11, '1']],
      },
      expected: { draws: 'never 0.25', returns: 'day_11 1', applied: '-0.75', covered: '0.25' },
    },
    {
      why: 'an expiring grant covers no more than the usage before its expiry, others and this line together',
      ...{ grants: [day_11], units: '80', before_11: '60', others: '50', previous_draws: [[day_11, '50']] },
      expected: { draws: 'day_11 10', applied: '10', covered: '60' },
    },
    {
      why: 'fewer units than are covered: the difference returns, the last drawn first',
      ...{
        grants: [],
        units: '30',
        others: '80',
        previous_draws: [
          [day_11, '30'],
          [never, '50'],
        ],
        before_11: '30',
      },
      expected: { returns: 'never 50', applied: '-50', covered: '30' },
    },
    {
      why: 'fewer units, but enough for what is covered: nothing returns',
      ...{ grants: [never], units: '60', others: '80', previous_draws: [[never, '50']] },
      expected: { applied: '0', covered: '50' },
    },
    {
      why: 'what an expiry no longer allows returns, and another grant takes its place',
      ...{ grants: [never], units: '80', others: '80', previous_draws: [[day_11, '50']], before_11: '20' },
      expected: { draws: 'never 30', returns: 'day_11 30', applied: '0', covered: '50' },
    },
    {
      why: 'what a draft shows covers its units, and is drawn from no grant yet',
      ...{ grants: [never], units: '80', others: '50', provisional: '50', previous_draws: [] },
      expected: { draws: 'never 30', applied: '30', covered: '80' },
    },
    {
      why: 'what is drawn goes before what a draft shows',
      ...{ grants: [], units: '60', others: '80', provisional: '40', previous_draws: [[never, '50']] },
      expected: { applied: '0', covered: '60' },
    },
    {
      why: 'what a line returned for one that is void by now is taken over, and not drawn anew',
      ...{ grants: [never], units: '15', others: '-5', previous_draws: [[never, '-5']] },
      expected: { draws: 'never 15', applied: '20', covered: '15' },
    },
    {
      why: 'all of it is taken over, also where the units ask for less, and covers them first',
      ...{ grants: [never], units: '0', others: '-3', previous_draws: [[day_11, '-8']] },
      expected: { applied: '8', covered: '0' },
    },
    {
      why: 'new credit covers what is not taken over, and nothing that others were charged for',
      ...{ grants: [never], units: '4', others: '-4', previous_draws: [[day_11, '-4']] },
      expected: { draws: 'never 4', applied: '8', covered: '4' },
    },
    {
      why: 'an earlier draw of one grant stands beside what is taken over of another',
      ...{
        grants: [never],
        units: '12',
        others: '2',
        previous_draws: [
          [never, '6'],
          [day_11, '-4'],
        ],
        before_11: '12',
      },
      expected: { draws: 'never 6', applied: '10', covered: '12' },
    },
  ];
  const textOf = (draws: readonly Draw[]) =>
    draws.map(({ grant_id, amount }) => `${grant_id} ${amount}`).join(', ');
  for (const {
    why,
    grants,
    units,
    others,
    provisional = '0',
    previous_draws,
    before_11 = units,
    expected,
  } of rows) {
    it(why, () => {
      const demand = {
        period: MAY,
        event_name: 'call',
        creditable: units,
        creditable_before: new Map([[midnight('2026-05-11'), before_11]]),
        others_creditable: others,
        provisional,
        previous_draws: previous_draws.map(([grant, amount]) => ({ grant, amount })),
      };
      const { draws, returns, applied, covered, credit } = drawCredit(
        demand,
        withReturns(
          grants,
          returnsOf(demand).map((back) => ({ ...back, full_period_start: MAY.period_start })),
        ),
      );
      const sumOfCredit = credit.reduce((sum, { amount }) => sum + Number(amount), 0);
      assert.equal(`${sumOfCredit}`, applied);
      const said = { draws: textOf(draws), returns: textOf(returns), applied, covered };
      assert.deepEqual(said, { draws: '', returns: '', ...expected });
    });
  }

  it('the credit of lines is what they drew less what they returned, the last drawn first', () => {
    const entries: [GrantBalance, string][] = [
      [never, '10'],
      [day_11, '20'],
      [never, '5'],
      [never, '-7'],
      [day_11, '-25'],
    ];
    const standing = (of: typeof entries) =>
      standingDraws(of.map(([grant, amount]) => ({ grant, amount }))).map(({ grant, amount }) => [
        grant.id,
        amount,
      ]);
    assert.deepEqual(standing(entries), [
      ['never', '8'],
      ['day_11', '-5'],
    ]);
    assert.deepEqual(standing([...entries, [day_11, '7']]), [
      ['never', '8'],
      ['day_11', '2'],
    ]);
  });
});
