import assert from 'node:assert/strict';
import type { ErrorCode, Reason } from '../../../src/domain/money/errors.ts';
import type { Json } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn, times } from '../../support/ledger/test-customer.ts';

const unit = (event_name: string) => ({ event_name, pricing_model: 'per_unit', unit_amount: '1' });

/** billing.md 4, "For one thing". */
describe('credit for one thing', () => {
  const stack = useStack();
  const { advance, customer, done, grant, plan, post, read, subscribe, use } = testCustomersOn(
    requestsTo(stack),
  );
  const creditOf = ({ line_items }: Json): Record<string, string> =>
    Object.fromEntries(line_items.map((line: Json) => [line.event_name, line.credits_applied]));
  const remaining = async (id: string): Promise<number> => (await read(`/v1/credit-grants/${id}`)).remaining;

  it('covers the charges of its events alone', async () => {
    const id = await customer();
    const { id: grant_id } = await grant(id, 10, { event_names: ['call', 'mail'], note: 'A test of calls' });
    await subscribe(id, await plan([unit('call'), unit('byte'), unit('mail')]));
    await advance(id, at('01-10'));
    await use(
      id,
      ['call', 'byte', 'mail'].flatMap((event_name) => times(4, { event_name, timestamp: at('01-05') })),
    );
    const [january] = await advance(id, at('02-01'));
    assert.deepEqual([creditOf(january!), january!.total], [{ call: '4', byte: '0', mail: '4' }, '4.00']);
    const { event_names, note, subscription_id } = await read(`/v1/credit-grants/${grant_id}`);
    assert.deepEqual([event_names, note, subscription_id], [['call', 'mail'], 'A test of calls', null]);
  });

  it('covers one subscription alone, and ends with the period of that one', async () => {
    const id = await customer();
    const one = await subscribe(id, await plan([unit('call')]));
    const other = await subscribe(id, await plan([unit('byte')], { interval: 'year' }));
    const bound = await grant(id, 10, { subscription_id: one.id });
    const of_all = await grant(id, 10);
    assert.deepEqual(
      [bound.expires_at, of_all.expires_at, bound.subscription_id],
      [at('02-01'), at('01-01', 1), one.id],
    );
    await advance(id, at('01-10'));
    await use(id, [
      ...times(4, { event_name: 'call', timestamp: at('01-05') }),
      ...times(3, { event_name: 'byte', timestamp: at('01-05') }),
    ]);
    await advance(id, at('02-01'));
    assert.deepEqual([await remaining(bound.id), await remaining(of_all.id)], [0, 10]);
    assert.match(
      (await read(`/v1/credit-grants/${bound.id}`)).ledger.map(({ type }: Json) => type).join(),
      /granted,drawn,expired/u,
    );
    const upcoming = await read(`/v1/subscriptions/${other.id}/upcoming-invoice`);
    assert.deepEqual(creditOf(upcoming), { byte: '3' });
  });

  it('draws first, of grants that expire together, from those with names, then from those of a subscription', async () => {
    const id = await customer();
    const { id: subscription_id } = await subscribe(id, await plan([unit('call')]));
    const grants = [
      await grant(id, 1),
      await grant(id, 1, { subscription_id }),
      await grant(id, 1, { event_names: ['call'] }),
      await grant(id, 1, { event_names: ['call'], subscription_id }),
    ];
    await advance(id, at('01-10'));
    await use(id, times(3, { event_name: 'call', timestamp: at('01-05') }));
    await advance(id, at('02-01'));
    const drawn = await Promise.all(
      grants.map(async (one) => {
        const { ledger } = await read(`/v1/credit-grants/${one.id}`);
        return ledger.some(({ type }: Json) => type === 'drawn');
      }),
    );
    assert.deepEqual(drawn, [false, true, true, true]);
  });

  it('is refused for a subscription of somebody else, for one that has ended, and for bad names', async () => {
    const [id, other] = [await customer(), await customer()];
    const { id: ended } = await subscribe(id, await plan([unit('call')]));
    await done(`/v1/subscriptions/${ended}/cancel`, { at: 'now' });
    const { id: theirs } = await subscribe(other, await plan([unit('call')]));
    const refused = async (members: object, code: ErrorCode, param: string, reason: Reason) =>
      assertRefused(await post('/v1/credit-grants', { customer_id: id, amount: 1, ...members }), {
        ...{ code, param, reason },
      });
    await refused({ subscription_id: theirs }, 'not_found', 'subscription_id', 'unknown_subscription');
    await refused({ subscription_id: 'sub_1' }, 'not_found', 'subscription_id', 'unknown_subscription');
    await refused({ subscription_id: ended }, 'conflict', 'subscription_id', 'invalid_state');
    await refused({ event_names: [] }, 'invalid_request', 'event_names', 'missing');
    await refused({ event_names: ['a', 'a'] }, 'invalid_request', 'event_names', 'malformed');
    await refused({ event_names: [''] }, 'invalid_request', 'event_names[0]', 'missing');
    await refused(
      { event_names: Array.from({ length: 21 }, (_, place) => `e${place}`) },
      ...(['invalid_request', 'event_names', 'too_many'] as const),
    );
    await refused({ note: 'x'.repeat(256) }, 'invalid_request', 'note', 'too_long');
    await refused({ note: '' }, 'invalid_request', 'note', 'missing');
  });
});
