import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { equals, rational, total } from '../../support/oracles/price-oracle.ts';
import { amountsOf } from '../model/amounts.ts';
import { totalOf } from '../model/lines.ts';
import type { Invoice, World } from '../model/world.ts';
import type { Session } from './session.ts';
import { moneyText } from './shown.ts';

const SUMS = [
  ['fees', 'flat'],
  ['usage', 'usage'],
  ['late_usage', 'late_usage'],
  ['items', 'item'],
  ['discounts', 'discount'],
  ['minimums', 'minimum'],
] as const;

/**
 * Asserts that the revenue of each month is that of the model's invoices by issue and by void, and that all of it, with its tax, is less
 * what stands of the credit notes.
 */
export async function compareRevenue(world: World, { request, customer_id }: Session): Promise<void> {
  const issued = world.invoices.filter(({ issued_at }) => issued_at !== null);
  if (issued.length === 0) return;
  const years = [...issued.map(({ issued_at }) => issued_at!), world.now].map((at) => Number(at.slice(0, 4)));
  const path =
    `/v1/revenue?customer_id=${customer_id}&currency=${world.currency}` +
    `&from=${Math.min(...years) - 1}-01-01&to=${Math.max(...years) + 2}-01-01`;
  const { status, body } = await request(path);
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
  const money = (amount: bigint) => moneyText(world, amount);
  for (const bucket of body.data) {
    const isIn = (at: string | null) => at !== null && at >= bucket.from && at < bucket.to;
    const of_month = issued.filter(({ issued_at }) => isIn(issued_at));
    const voided = issued.filter(({ voided_at }) => isIn(voided_at));
    const expected = {
      ...Object.fromEntries(SUMS.map(([name, type]) => [name, money(sumOfType(of_month, type))])),
      voided: money(-added(voided, (invoice) => amountsOf(invoice).subtotal)),
      invoices: of_month.length,
    };
    const { credited: _credited, total: _total, tax: _tax, from, ...shown } = bucket;
    const names = Object.keys(expected);
    const seen = Object.fromEntries(Object.entries(shown).filter(([name]) => names.includes(name)));
    assert.deepEqual(seen, expected, from);
  }
  const standing = issued.filter((invoice) => invoice.voided_at === null);
  const notes = issued.flatMap((invoice) => invoice.notes).filter(({ is_void }) => !is_void);
  const net = added(standing, (invoice) => amountsOf(invoice).subtotal) - added(notes, (note) => note.net);
  const tax = added(standing, (invoice) => amountsOf(invoice).tax) - added(notes, (note) => note.tax);
  for (const [name, amount] of [
    ['total', net],
    ['tax', tax],
  ] as const) {
    const amounts = body.data.map((bucket: Json) => rational(bucket[name]));
    assert.ok(
      equals(total(amounts), rational(money(amount))),
      `the ${name} of all months is not ${money(amount)}`,
    );
  }
}

function sumOfType(invoices: readonly Invoice[], type: (typeof SUMS)[number][1]): bigint {
  return added(invoices, ({ lines }) => totalOf(lines.filter((line) => line.type === type)));
}

function added<Item>(items: readonly Item[], amountOf: (item: Item) => bigint): bigint {
  return items.reduce((sum, item) => sum + amountOf(item), 0n);
}
