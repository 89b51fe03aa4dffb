import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { monthAfter, MOVEMENTS, recurringMonths, type RecurringMonth } from '../model/recurring.ts';
import { note, type World } from '../model/world.ts';
import type { Session } from './session.ts';
import { moneyText } from './shown.ts';

/**
 * Asserts that the recurring revenue of each month of a life is what the model says of its last instant, also in a range that begins
 * later, and that the movements of each month are those of the customer.
 */
export async function compareRecurringRevenue(world: World, session: Session): Promise<void> {
  const months = recurringMonths(world);
  await compareMonths(world, session, { months, of: `&customer_id=${session.customer_id}` });
  // The account has no other customer.
  const [later, of] = [months.slice(Math.floor(months.length / 2)), ''];
  await compareMonths(world, session, { months: later, of });
  for (const month of months) await compareMovements(world, session, month);
}

type Range = { months: readonly RecurringMonth[]; of: string };

async function compareMonths(world: World, session: Session, { months, of }: Range): Promise<void> {
  const [from, to] = [months[0]!.month, monthAfter(months.at(-1)!.month)];
  const query = `from=${from}-01&to=${to}-01&currency=${world.currency}${of}`;
  const { data } = await read(session, `/v1/recurring-revenue?${query}`);
  assert.deepEqual(
    data,
    months.map((month) => expectedMonth(world, month)),
    query,
  );
}

function expectedMonth(world: World, { month, before, after, type }: RecurringMonth): Json {
  const moved = MOVEMENTS.map((name) => [name, moneyText(world, name === type ? after - before : 0n)]);
  return {
    ...{ month, before: moneyText(world, before) },
    ...Object.fromEntries(moved),
    ...{ recurring: moneyText(world, after), customers: after > 0n ? 1 : 0 },
  };
}

async function compareMovements(world: World, session: Session, month: RecurringMonth): Promise<void> {
  const path = `/v1/recurring-revenue/movements?month=${month.month}&currency=${world.currency}`;
  const { data } = await read(session, path);
  const { type, before, after } = month;
  const moved = { before: moneyText(world, before), after: moneyText(world, after) };
  const expected = type === null ? [] : [{ customer_id: session.customer_id, name: null, type, ...moved }];
  assert.deepEqual(data, expected, path);
  note(world, type === null ? 'month without a movement compared' : `month with ${type} compared`);
}

async function read({ request }: Session, path: string): Promise<Json> {
  const { status, body } = await request(path);
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
  return body;
}
