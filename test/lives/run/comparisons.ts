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
    const earlier = earlierOf(invoice, issued);
    const { status, body: comparison } = await request(path);
    if (earlier === null) {
      assert.equal(status, 404, path);
      assert.equal(comparison.error.details[0].reason, 'no_earlier_invoice');
      continue;
    }
    assert.equal(status, 200, `${path}: ${JSON.stringify(comparison)}`);
    assert.equal(comparison.with_invoice_id, earlier.id, path);
    assert.deepEqual([comparison.total, comparison.with_total], [invoice.total, earlier.total]);
    assertAddsUp(comparison);
  }
}

/** The issued invoice that stands and whose period ends last, at or before the start of that of another one. */
function earlierOf({ id, subscription_id, kind, period_start }: Json, issued: readonly Json[]): Json | null {
  const before = issued.filter(
    (other) =>
      other.id !== id &&
      other.status !== 'void' &&
      other.subscription_id === subscription_id &&
      other.kind === kind &&
      other.period_end <= period_start,
  );
  return before.reduce(
    (latest: Json | null, other) =>
      latest === null || other.period_end > latest.period_end ? other : latest,
    null,
  );
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
