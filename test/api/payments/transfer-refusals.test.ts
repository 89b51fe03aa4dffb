import assert from 'node:assert/strict';
import type { Json, Received } from '../../support/servers/api.ts';
import { assertRefused, type Refusal } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, later, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { transfersOn } from '../../support/ledger/transfers.ts';

const DAY_MS = 86_400_000;
const INVALID = { code: 'invalid_request' } as const;
const CONFLICT = { code: 'conflict', reason: 'invalid_state' } as const;

/** contract.md 4, "Refusals of a transfer". */
describe('refusals of a transfer', function () {
  const stack = useStack();
  const given = testCustomersOn(requestsTo(stack));
  const { post, done, read, advance } = given;
  const { twoInvoices, invoicesOf } = transfersOn(given);
  const transfer = (body: Json): Promise<Received> => post('/v1/transfers', body);

  let owed: Awaited<ReturnType<typeof twoInvoices>>;
  let other: Json;
  before(async () => {
    owed = await twoInvoices();
    [other] = (await invoicesOf(['7.00'])) as [Json];
  });

  /** Parts of the body, made from the invoices of 100.00 and 50.00 and that of another customer. */
  const REFUSED: [what: string, body: (hundred: string, fifty: string, other: string) => Json, Refusal][] = [
    ['without an amount', () => ({ amount: undefined }), { ...INVALID, param: 'amount', reason: 'missing' }],
    ['of nothing', () => ({ amount: '0' }), { ...INVALID, param: 'amount', reason: 'out_of_range' }],
    [
      'of half a cent',
      () => ({ amount: '160.005' }),
      { ...INVALID, param: 'amount', reason: 'out_of_range' },
    ],
    ['without invoices', () => ({ invoices: [] }), { ...INVALID, param: 'invoices' }],
    [
      'of 101 invoices',
      (id) => ({ invoices: Array.from({ length: 101 }, () => ({ id })) }),
      { ...INVALID, param: 'invoices' },
    ],
    [
      'of a part of half a cent',
      (id) => ({ invoices: [{ id, amount: '0.005' }] }),
      { ...INVALID, param: 'invoices[0].amount', reason: 'out_of_range' },
    ],
    [
      'of an invoice twice',
      (id, fifty) => ({ invoices: [{ id }, { id: fifty }, { id }] }),
      { ...INVALID, param: 'invoices[2].id', reason: 'not_allowed' },
    ],
    [
      'of less than what is due',
      () => ({ amount: '149.99' }),
      { ...INVALID, param: 'invoices', reason: 'out_of_range' },
    ],
    [
      'of less than its parts',
      (id, fifty) => ({
        amount: '29.99',
        invoices: [
          { id, amount: '10' },
          { id: fifty, amount: '20' },
        ],
      }),
      { ...INVALID, param: 'invoices', reason: 'out_of_range' },
    ],
    [
      'of the future',
      () => ({ paid_at: later(at('02-10'), 1) }),
      { ...INVALID, param: 'paid_at', reason: 'out_of_range' },
    ],
    [
      'of long before the issue',
      () => ({ amount: '150', paid_at: later(at('02-01'), -366 * DAY_MS - 1) }),
      { ...INVALID, param: 'paid_at', reason: 'out_of_range' },
    ],
    [
      'of which a rest is of long before now',
      () => ({ paid_at: later(at('02-01'), -366 * DAY_MS) }),
      { ...INVALID, param: 'paid_at', reason: 'out_of_range' },
    ],
    ['with an unknown member', () => ({ excess: 'balance' }), { ...INVALID, param: 'excess' }],
    [
      'of a customer who does not exist',
      () => ({ customer_id: 'nobody' }),
      { code: 'not_found', param: 'customer_id', reason: 'unknown_customer' },
    ],
    [
      'of an invoice that does not exist',
      (id) => ({ invoices: [{ id }, { id: 'inv_1' }] }),
      { code: 'not_found', param: 'invoices[1].id', reason: 'unknown_invoice' },
    ],
    [
      'of the invoice of another customer',
      (_, __, id) => ({ invoices: [{ id }] }),
      { code: 'not_found', param: 'invoices[0].id', reason: 'unknown_invoice' },
    ],
    [
      'above what is due',
      (id, fifty) => ({ invoices: [{ id }, { id: fifty, amount: '50.01' }] }),
      { ...CONFLICT, param: 'invoices[1].amount' },
    ],
  ];
  for (const [what, body, refusal] of REFUSED)
    it(`${what}: ${refusal.reason ?? refusal.code} at ${refusal.param}`, async () => {
      const { customer_id, hundred, fifty } = owed;
      const sent = { customer_id, amount: '160.00', invoices: [{ id: hundred.id }, { id: fifty.id }] };
      assertRefused(await transfer({ ...sent, ...body(hundred.id, fifty.id, other.id) }), refusal);
      assert.deepEqual(
        (await read(`/v1/payments?customer_id=${customer_id}`)).data,
        [],
        'nothing is recorded',
      );
      assert.deepEqual((await read('/v1/transfers')).data, []);
    });

  it('of a draft, a paid and a void invoice', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const drafts = await advance(customer_id, at('03-01'), { hold_drafts: true });
    await done(`/v1/invoices/${hundred.id}/pay`);
    await done(`/v1/invoices/${fifty.id}/void`);
    for (const { id } of [drafts[0]!, hundred, fifty])
      for (const amount of [undefined, '1.00'])
        assertRefused(await transfer({ customer_id, amount: '10.00', invoices: [{ id, amount }] }), {
          ...CONFLICT,
          param: 'invoices[0].id',
        });
    assert.deepEqual((await read(`/v1/transfers?customer_id=${customer_id}`)).data, []);
  });

  const SENT = { reference: 'transfer 1', paid_at: at('02-05T08:00') };
  const assertDuplicate = (answer: Received, id: string) => {
    assertRefused(answer, { code: 'conflict', param: 'reference', reason: 'duplicate_payment' });
    assert.ok(answer.body.error.message.includes(id), answer.body.error.message);
  };

  it('twice, by customer, reference, amount and day, while a payment of it stands, unless it is allowed', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const part = { id: hundred.id, amount: '1.00' };
    const body = { customer_id, amount: '3.00', invoices: [part], ...SENT };
    const first = await done('/v1/transfers', body);
    assertDuplicate(await transfer({ ...body, invoices: [{ ...part, id: fifty.id }] }), first.id);
    assertDuplicate(await transfer({ ...body, amount: 3, paid_at: at('02-05T23:59') }), first.id);
    for (const change of [
      { reference: 'transfer 2' },
      { reference: undefined },
      { amount: '3.01' },
      { paid_at: at('02-06') },
      { allow_duplicate: true },
    ])
      assert.equal((await transfer({ ...body, ...change })).status, 201, JSON.stringify(change));
    const [third] = (await invoicesOf(['9.00'])) as [Json];
    const of_other = { customer_id: third.customer_id, invoices: [{ id: third.id, amount: '1.00' }] };
    assert.equal((await transfer({ ...body, ...of_other })).status, 201, 'another customer');
  });

  it('twice, while one payment of it stands', async () => {
    const { customer_id, hundred } = await twoInvoices();
    const body = { customer_id, amount: '3.00', invoices: [{ id: hundred.id, amount: '1.00' }], ...SENT };
    const first = await done('/v1/transfers', body);
    await done(`/v1/payments/${first.payments[0].id}/reverse`, { reason: 'mistake' });
    assertDuplicate(await transfer(body), first.id);
    await done(`/v1/transfers/${first.id}/reverse`, { reason: 'mistake' });
    await done('/v1/transfers', body);
  });

  it('twice, where a payment of its own is the first, but not for a payment of the same amount', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const first = await done(`/v1/invoices/${hundred.id}/payments`, { amount: '3.00', ...SENT });
    const body = { customer_id, amount: '3.00', invoices: [{ id: fifty.id, amount: '1.00' }], ...SENT };
    assertDuplicate(await transfer(body), first.id);
    await done('/v1/transfers', { ...body, allow_duplicate: true });
  });

  it('twice, before the state of its invoices, but after what is malformed', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const body = { customer_id, amount: '150.00', invoices: [{ id: hundred.id }, { id: fifty.id }], ...SENT };
    const first = await done('/v1/transfers', body);
    assertDuplicate(await transfer(body), first.id);
    assertRefused(await transfer({ ...body, amount: '150.001' }), { ...INVALID, param: 'amount' });
    assertRefused(await transfer({ ...body, reference: undefined }), CONFLICT);
  });

  it('twice, of ten at a time', async () => {
    const { customer_id, hundred } = await twoInvoices();
    const body = { customer_id, amount: '3.00', invoices: [{ id: hundred.id, amount: '1.00' }], ...SENT };
    const answers = await Promise.all(Array.from({ length: 10 }, () => transfer(body)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  });
});
