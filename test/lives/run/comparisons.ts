import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { equals, rational, total } from '../../support/oracles/price-oracle.ts';
import type { Session } from './session.ts';

/**
 * Asserts of each issued invoice that it is compared with the one before of its subscription and kind, and that causes, lines and totals
 * add up.
 */
export async function compareComparisons({ request, customer_id }: Session): Promise<void> {
  const { body } = await request(`/v1/invoices?customer_id=${customer_id}&limit=200`);
  const issued: Json[] = body.data.filter(({ issued_at }: Json) => issued_at !== null);
  for (const invoice of issued) {
    const path = `/v1/invoices/${invoice.id}/comparison`;
    const earlier = earliersOf(invoice, issued);
    const { status, body: comparison } = await request(path);
    if (earlier.length === 0) {
      assert.equal(status, 404, path);
      assert.equal(comparison.error.details[0].reason, 'no_earlier_invoice');
      continue;
    }
    assert.equal(status, 200, `${path}: ${JSON.stringify(comparison)}`);
    const other = earlier.find(({ id }) => id === comparison.with_invoice_id);
    assert.ok(other !== undefined, `${path}: with ${comparison.with_invoice_id}`);
    assert.deepEqual([comparison.total, comparison.with_total], [invoice.total, other.total]);
    assertAddsUp(comparison);
  }
}

/**
 * The issued invoice that stands and whose period ends last, at or before the start of that of another one; several where a full period has
 * further openings.
 */
function earliersOf({ id, subscription_id, kind, period_start }: Json, issued: readonly Json[]): Json[] {
  const before = issued.filter(
    (other) =>
      other.id !== id &&
      other.status !== 'void' &&
      other.subscription_id === subscription_id &&
      other.kind === kind &&
      other.period_end <= period_start,
  );
  const last = before
    .map(({ period_end }) => period_end)
    .toSorted()
    .at(-1);
  return before.filter(({ period_end }) => period_end === last);
}

function assertAddsUp({ lines, total: sum, with_total, difference }: Json): void {
  const adds = (parts: readonly string[], whole: string) =>
    assert.ok(equals(total(parts.map(rational)), rational(whole)), `${parts.join(' + ')} is not ${whole}`);
  const of = (member: string): string[] => lines.map((line: Json) => line[member]);
  adds(of('amount'), sum);
  adds(of('with_amount'), with_total);
  adds(of('difference'), difference);
  for (const line of lines)
    adds(
      line.causes.map(({ amount }: Json) => amount),
      line.difference,
    );
}
