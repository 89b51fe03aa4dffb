import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Json } from './support/servers/api.ts';
import { runLines } from './support/servers/run-lines.ts';
import { useStack } from './support/servers/stack.ts';

const README = new URL('../README.md', import.meta.url);
const HEADING = '## An invoice in ten lines of curl';

/** Lines of the first shell block below the heading, as a reader copies them. */
function linesOfCurl(): string[] {
  const [, section = ''] = readFileSync(README, 'utf8').split(`${HEADING}\n`);
  const [, block = ''] = /```sh\n([^]*?)```/.exec(section) ?? [];
  return block.trimEnd().split('\n');
}

describe('README', () => {
  const stack = useStack();

  it('its ten lines of curl make the invoice that it promises', async () => {
    const lines = linesOfCurl();
    assert.equal(lines.length, 10);
    const stdout = await runLines(lines, stack());
    const last: Json = JSON.parse(stdout.slice(stdout.indexOf('{"object":"test_clock"')));
    assert.equal(last.invoices.length, 1);
    const [{ status, number, line_items, subtotal, tax, total, credits_applied }] = last.invoices;
    assert.deepEqual([status, number], ['open', 'INV-000001']);
    assert.deepEqual([subtotal, tax.rate, tax.amount, total], ['1.30', '20', '0.26', '1.56']);
    const [{ quantity, billable_quantity, tiers }] = line_items;
    assert.deepEqual([quantity, credits_applied, billable_quantity], ['5', '1', '4']);
    assert.deepEqual(tiers, [
      { up_to: '2', quantity: '2', unit_amount: '0.1', flat_amount: '0.00', amount: '0.20' },
      { up_to: null, quantity: '2', unit_amount: '0.05', flat_amount: '1.00', amount: '1.10' },
    ]);
  });
});
