import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertInvalidState, command, picked, type Command } from './command.ts';
import { addItem, deleteItem, type ItemTerms } from '../model/items.ts';
import { post } from '../run/session.ts';
import { note } from '../model/world.ts';

const TERMS: fc.Arbitrary<ItemTerms> = fc.record({
  quantity: fc.constantFrom('1', '1', '3', '2.5', '0.333333'),
  unit_amount: fc.constantFrom('10', '1000', '0.335', '0', '-3', '-0.125', '-400'),
});

/** An item for the subscription whose invoice comes next, or for any one. */
export const anItem: fc.Arbitrary<Command> = fc
  .record({ terms: TERMS, named: fc.option(fc.nat(3), { freq: 2 }) })
  .map(({ terms, named }) => {
    const name = `add an item of ${terms.quantity} at ${terms.unit_amount}`;
    return command({
      name,
      run: async (world, session) => {
        const place = named === null ? null : named % world.subscriptions.length;
        session.steps.push(`${name}${place === null ? '' : `, for subscription ${place}`}`);
        const answer = await post(session, '/v1/invoice-items', {
          ...{ customer_id: session.customer_id, description: 'Item', ...terms },
          ...(place === null ? {} : { subscription_id: session.subscriptions[place] }),
        });
        const item = addItem(world, place === null ? null : world.subscriptions[place]!, terms);
        if (item === null) return assertInvalidState(world, answer);
        note(world, item.amount < 0n ? 'item below 0 added' : 'item added');
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
      },
    });
  });

/** The deletion of any item, also of one that is invoiced. */
export const anItemDeletion: fc.Arbitrary<Command> = fc.nat(5).map((pick) =>
  command({
    name: `delete item ${pick}`,
    isPossible: ({ items }) => items.some(({ is_deleted }) => !is_deleted),
    run: async (world, session) => {
      const items = world.items.filter(({ is_deleted }) => !is_deleted);
      const item = picked(items, pick)!;
      const place = items.indexOf(item);
      session.steps.push(`delete item ${place}`);
      const answer = await session.request(`/v1/invoice-items/${session.items[place]}`, { method: 'DELETE' });
      if (!deleteItem(world, item)) return assertInvalidState(world, answer);
      note(world, 'item deleted');
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    },
  }),
);
