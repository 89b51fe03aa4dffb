import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type CreditDemand,
  type Draw,
  type GrantBalance,
  drawCredit,
  expiriesWithin,
} from '../../../src/domain/credit/credit.ts';
import { canonical, decimal, sum } from '../../../src/domain/money/decimal.ts';
import { aGrantBalance } from '../../support/ledger/grant-balances.ts';
import { aPeriod, midnight } from '../../support/ledger/schedules.ts';

const MAY = aPeriod('2026-05-01', '2026-06-01');

/** No other line of the same charge and period. */
const ALONE = { event_name: 'call', others_creditable: '0', previous_draws: [], provisional: '0' };

type Demand = CreditDemand & { grants: readonly GrantBalance[] };
const drawn = ({ grants, ...demand }: Demand) => drawCredit(demand, grants);

/** The draws, by grant, for a charge with `creditable` units in May. */
function draw(grants: readonly GrantBalance[], creditable: string, before: Record<string, string> = {}) {
  const creditable_before = new Map(Object.entries(before).map(([date, units]) => [midnight(date), units]));
  return drawn({ grants, period: MAY, creditable, creditable_before, ...ALONE });
}

describe('drawing credit', () => {
  const whole = aGrantBalance({ id: 'whole', remaining: '1000' });
  const expiring = aGrantBalance({ id: 'expiring', remaining: '1000', expires_at: midnight('2026-05-11') });
  const second = aGrantBalance({ id: 'second', remaining: '1000', expires_at: midnight('2026-05-21') });
  type Case = [
    what: string,
    grants: GrantBalance[],
    creditable: string,
    before: Record<string, string>,
    draws: string,
    applied: string,
  ];
  const rows: Case[] = [
    ['less usage than credit', [whole], '300', {}, 'whole 300', '300'],
    ['more usage than credit', [whole], '15000', {}, 'whole 1000', '1000'],
    ['a part of a unit', [whole], '0.25', {}, 'whole 0.25', '0.25'],
    ['no usage', [whole], '0', {}, '', '0'],
    ['no grants', [], '300', {}, '', '0'],
    ['an empty grant', [aGrantBalance({ remaining: '0' })], '300', {}, '', '0'],
    [
      'expired at the end of the period: all its usage was before',
      [aGrantBalance({ id: 'a', expires_at: MAY.period_end })],
      '300',
      {},
      'a 300',
      '300',
    ],
    [
      'expired later, drawn later: the usage counts',
      [aGrantBalance({ id: 'a', expires_at: midnight('2026-06-02') })],
      '300',
      {},
      'a 300',
      '300',
    ],
    [
      'expired at the start of the period',
      [aGrantBalance({ expires_at: MAY.period_start })],
      '300',
      {},
      '',
      '0',
    ],
    ['expired long before', [aGrantBalance({ expires_at: midnight('2026-04-01') })], '300', {}, '', '0'],
    [
      'made in the period, also for earlier usage',
      [aGrantBalance({ id: 'a', created_at: midnight('2026-05-31') })],
      '300',
      {},
      'a 300',
      '300',
    ],
    ['made at the end of the period', [aGrantBalance({ created_at: MAY.period_end })], '300', {}, '', '0'],
    [
      'expired within: only the usage before that',
      [expiring],
      '300',
      { '2026-05-11': '120' },
      'expiring 120',
      '120',
    ],
    ['expired in the period, before any usage', [expiring], '300', { '2026-05-11': '0' }, '', '0'],
    [
      'an expiring grant, then one that covers the rest',
      [whole, expiring],
      '300',
      { '2026-05-11': '120' },
      'expiring 120, whole 180',
      '300',
    ],
    [
      'two expiring grants: U(21 May) - 120 = 80',
      [second, expiring],
      '300',
      { '2026-05-11': '120', '2026-05-21': '200' },
      'expiring 120, second 80',
      '200',
    ],
    [
      'two expiring grants with no usage between',
      [second, expiring],
      '300',
      { '2026-05-11': '120', '2026-05-21': '120' },
      'expiring 120',
      '120',
    ],
    [
      'a small expiring grant first: 50, then 200 - 50',
      [second, { ...expiring, remaining: '50' }],
      '300',
      { '2026-05-11': '120', '2026-05-21': '200' },
      'expiring 50, second 150',
      '200',
    ],
    [
      'more usage before the expiry than in total: a correction came later',
      [expiring],
      '300',
      { '2026-05-11': '400' },
      'expiring 300',
      '300',
    ],
    [
      'less usage before the later expiry than before the earlier',
      [expiring, second],
      '300',
      { '2026-05-11': '200', '2026-05-21': '150' },
      'expiring 200',
      '200',
    ],
    ['a negative quantity before the expiry', [expiring], '300', { '2026-05-11': '-5' }, '', '0'],
  ];
  for (const [what, grants, creditable, before, draws, applied] of rows) {
    it(`${what}: ${draws || 'nothing'}`, () => {
      const drawn = draw(grants, creditable, before);
      assert.equal(
        drawn.draws.map(({ grant_id, amount }: Draw) => `${grant_id} ${amount}`).join(', '),
        draws,
      );
      assert.equal(drawn.applied, applied);
    });
  }

  it('leaves the rest for the next charge', () => {
    const first = draw([whole], '300');
    const next = draw(first.grants, '900');
    assert.deepEqual(first.grants, [{ ...whole, remaining: '700' }]);
    assert.deepEqual(next.draws, [{ grant_id: 'whole', amount: '700' }]);
  });

  it('throws if the usage before an expiry is missing', () => {
    assert.throws(() => draw([expiring], '300'), /usage before 2026-05-11T00:00:00.000Z/);
  });

  it('needs the usage before each expiry inside the period, of usable grants only, once per expiry', () => {
    const grants = [
      whole,
      second,
      expiring,
      { ...expiring, id: 'twin' },
      aGrantBalance({ expires_at: midnight('2026-05-12'), created_at: MAY.period_end }),
      aGrantBalance({ expires_at: MAY.period_start }),
      aGrantBalance({ expires_at: MAY.period_end }),
      aGrantBalance({ expires_at: midnight('2026-07-01') }),
    ];
    assert.deepEqual(expiriesWithin(grants, MAY), [midnight('2026-05-11'), midnight('2026-05-21')]);
  });
});

describe('any draw', () => {
  // Days of May: 0 is before May, 31 after it. Usage is one number per day, so U (billing.md 4) only rises.
  const aDay = fc.integer({ min: 0, max: 31 });
  const aDemand = fc.record({
    days: fc.array(fc.nat({ max: 20 }), { minLength: 31, maxLength: 31 }),
    grants: fc.array(
      fc.record({ amount: fc.nat({ max: 150 }), day: fc.option(aDay), rollover: fc.boolean() }),
      {
        maxLength: 6,
      },
    ),
  });
  const instantOf = (day: number) => new Date(Date.parse(MAY.period_start) + day * 86_400_000).toISOString();
  const before = (days: readonly number[], day: number) => days.slice(0, day).reduce((a, b) => a + b, 0);
  const demandOf = ({ days, grants }: typeof aDemand extends fc.Arbitrary<infer D> ? D : never) => ({
    grants: grants.map(({ amount, day, rollover }, place) =>
      aGrantBalance({
        id: `cg_${place}`,
        remaining: `${amount}`,
        expires_at: day === null ? null : instantOf(day),
        rollover,
      }),
    ),
    period: MAY,
    creditable: `${before(days, 31)}`,
    creditable_before: new Map(days.map((_, day) => [instantOf(day), `${before(days, day)}`])),
    ...ALONE,
  });

  it('conserves credit, grant by grant, and overdraws no grant', () => {
    fc.assert(
      fc.property(aDemand, (parts) => {
        const demand = demandOf(parts);
        const { draws, applied, grants } = drawn(demand);
        assert.equal(grants.length, demand.grants.length);
        for (const grant of demand.grants) {
          const left = grants.find(({ id }) => id === grant.id)!;
          const taken = draws
            .filter(({ grant_id }) => grant_id === grant.id)
            .map(({ amount }) => decimal(amount));
          assert.ok(decimal(left.remaining).gte('0'));
          assert.ok(taken.every((amount) => amount.gt('0')));
          assert.deepEqual(
            { ...left, remaining: canonical(decimal(left.remaining).plus(sum(taken))) },
            grant,
          );
        }
        assert.equal(canonical(sum(draws.map(({ amount }) => decimal(amount)))), applied);
        assert.ok(decimal(applied).lte(demand.creditable));
      }),
    );
  });

  it('covers as much as the best choice of grants: the minimum cut between grants and usage', () => {
    fc.assert(
      fc.property(aDemand, (parts) => {
        const { days, grants } = parts;
        // Max-flow min-cut: up to each day, either the usage or the grants that expire by then are the limit.
        const cuts = [...days.keys(), 31].map((day) => {
          const later = grants.filter((grant) => grant.day === null || grant.day > day);
          return before(days, day) + later.reduce((total, { amount }) => total + amount, 0);
        });
        const best = Math.min(...cuts, before(days, 31));
        assert.equal(drawn(demandOf(parts)).applied, `${best}`);
      }),
    );
  });

  it('does not depend on the order of the grants', () => {
    const aShuffle = aDemand.chain((parts) => {
      const demand = demandOf(parts);
      return fc.tuple(
        fc.constant(demand),
        fc.shuffledSubarray(demand.grants, {
          minLength: demand.grants.length,
          maxLength: demand.grants.length,
        }),
      );
    });
    fc.assert(
      fc.property(aShuffle, ([demand, shuffled]) => {
        assert.deepEqual(drawn({ ...demand, grants: shuffled }), drawn(demand));
      }),
      { numRuns: 50 },
    );
  });
});
