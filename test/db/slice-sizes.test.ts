import assert from 'node:assert/strict';
import { createSizes } from '../../src/db/invariants/sizes.ts';

/** The number of units of the slice after twenty of which each takes a time for itself and one for each of its units. */
function sizeAfter({ start_ms, unit_ms }: { start_ms: number; unit_ms: number }): number {
  const sizes = createSizes();
  for (let slice = 0; slice < 20; slice++) {
    const units = sizes.of('full_period');
    sizes.learn('full_period', units, start_ms + units * unit_ms);
  }
  return sizes.of('full_period');
}

describe('the units of a slice of a check', () => {
  it('take about 400 ms', () => {
    const units = sizeAfter({ start_ms: 20, unit_ms: 4 });
    assert.ok(units >= 50 && units <= 110, `${units}`);
  });

  it('are as many where each statement waits for nodes, which fewer units do not shorten', () => {
    const units = sizeAfter({ start_ms: 600, unit_ms: 4 });
    assert.ok(units >= 50 && units <= 110, `${units}`);
  });

  it('are few where each of them takes long', () => {
    assert.ok(sizeAfter({ start_ms: 20, unit_ms: 300 }) <= 3);
    assert.ok(sizeAfter({ start_ms: 20, unit_ms: 10_000 }) <= 2);
  });

  it('are at most 1,000', () => {
    assert.equal(sizeAfter({ start_ms: 20, unit_ms: 0.001 }), 1000);
  });
});
