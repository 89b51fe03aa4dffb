import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BillingError, type Reason } from '../../../src/domain/money/errors.ts';
import { checkTransfer, spreadTransfer, type PayableInvoice } from '../../../src/domain/invoice/transfer.ts';

const [HUNDRED, FIFTY] = ['inv_100', 'inv_50'];

function payable(...invoices: [id: string, amount_due: string, status?: PayableInvoice['status']][]) {
  return new Map(
    invoices.map(([id, amount_due, status = 'open']) => [id, { id, amount_due, status, issued_at: null }]),
  );
}
const OPEN = payable([HUNDRED, '100.00'], [FIFTY, '50.00']);
const BOTH = [{ id: HUNDRED }, { id: FIFTY }];
const USD = (amount: string) => ({ amount, currency: 'USD' });

function refusalOf(work: () => unknown): [Reason | undefined, string | null | undefined] {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof BillingError);
    return [error.details[0]?.reason, error.details[0]?.param];
  }
  return [undefined, undefined];
}

/** billing.md 7, "Transfers". */
describe('a transfer', () => {
  it('of 160.00 for 100.00 and 50.00 leaves 10.00', () =>
    assert.deepEqual(spreadTransfer(USD('160'), BOTH, OPEN), {
      paid: [
        { invoice_id: HUNDRED, amount: '100.00' },
        { invoice_id: FIFTY, amount: '50.00' },
      ],
      to_balance: '10.00',
    }));

  it('of 120.00 for both is refused, and for 100.00 and 20.00 of the second leaves nothing', () => {
    assert.deepEqual(
      refusalOf(() => spreadTransfer(USD('120'), BOTH, OPEN)),
      ['out_of_range', 'invoices'],
    );
    const parts = [{ id: HUNDRED }, { id: FIFTY, amount: '20' }];
    const { paid, to_balance } = spreadTransfer(USD('120'), parts, OPEN);
    assert.deepEqual([paid[1]!.amount, to_balance], ['20.00', '0.00']);
  });

  for (const status of ['draft', 'paid', 'void'] as const)
    it(`is refused for an invoice that is ${status}`, () =>
      assert.deepEqual(
        refusalOf(() => spreadTransfer(USD('9'), [{ id: HUNDRED }], payable([HUNDRED, '100.00', status]))),
        ['invalid_state', 'invoices[0].id'],
      ));

  it('is refused above what is due, for an invoice twice, and for more than it has', () => {
    const above = [{ id: FIFTY }, { id: HUNDRED, amount: '100.01' }];
    assert.deepEqual(
      refusalOf(() => spreadTransfer(USD('200'), above, OPEN)),
      ['invalid_state', 'invoices[1].amount'],
    );
    assert.deepEqual(
      refusalOf(() => checkTransfer(USD('200'), [...BOTH, { id: HUNDRED, amount: '1' }])),
      ['not_allowed', 'invoices[2].id'],
    );
    const parts = BOTH.map((invoice) => ({ ...invoice, amount: '40' }));
    assert.deepEqual(
      refusalOf(() => checkTransfer(USD('79.99'), parts)),
      ['out_of_range', 'invoices'],
    );
  });

  it('has at most the decimals of its currency, as its parts have', () => {
    const yen = { amount: '100', currency: 'JPY' };
    assert.deepEqual(
      refusalOf(() => checkTransfer({ ...yen, amount: '0.5' }, BOTH)),
      ['out_of_range', 'amount'],
    );
    const parts = [{ id: HUNDRED }, { id: FIFTY, amount: '0.5' }];
    assert.deepEqual(
      refusalOf(() => checkTransfer(yen, parts)),
      ['out_of_range', 'invoices[1].amount'],
    );
    const { paid, to_balance } = spreadTransfer(yen, [{ id: HUNDRED }], payable([HUNDRED, '30']));
    assert.deepEqual([paid[0]!.amount, to_balance], ['30', '70']);
  });

  it('is all that it pays and what is left, in cents, and never more than is due', () => {
    const aDue = fc.integer({ min: 1, max: 100_000 });
    const aPart = fc.record({ due: aDue, percent: fc.option(fc.integer({ min: 1, max: 100 })) });
    const text = (cents: number) => `${Math.floor(cents / 100)}.${`${cents % 100}`.padStart(2, '0')}`;
    const cents = (amount: string) => Number(amount.replace('.', ''));
    const property = fc.property(
      fc.array(aPart, { minLength: 1, maxLength: 100 }),
      fc.nat(1_000_000),
      (parts, excess) => {
        const taken = parts.map(({ due, percent }) =>
          percent === null ? due : Math.ceil((due * percent) / 100),
        );
        const all = taken.reduce((sum, amount) => sum + amount, 0);
        const ids = parts.map((_, place) => `inv_${place}`);
        const open = payable(...ids.map((id, place) => [id, text(parts[place]!.due)] as [string, string]));
        const named = ids.map((id, place) =>
          parts[place]!.percent === null ? { id } : { id, amount: text(taken[place]!) },
        );
        const { paid, to_balance } = spreadTransfer(USD(text(all + excess)), named, open);
        assert.deepEqual(
          paid.map(({ amount }) => cents(amount)),
          taken,
        );
        assert.equal(cents(to_balance), excess);
        if (all > 1)
          assert.deepEqual(
            refusalOf(() => spreadTransfer(USD(text(all - 1)), named, open)),
            ['out_of_range', 'invoices'],
          );
      },
    );
    fc.assert(property);
  });
});
