import type { GrantBalance } from '../../../src/domain/credit/credit.ts';
import { midnight } from './schedules.ts';

/** A grant of 1,000 units, made in April 2026 and without expiry; `parts` overrides. */
export function aGrantBalance(parts: Partial<GrantBalance> = {}): GrantBalance {
  return {
    id: 'cg_1',
    remaining: '1000',
    expires_at: null,
    rollover: false,
    created_at: midnight('2026-04-01'),
    ...{ event_names: null, subscription_id: null, carry_over_until: null, carry_over_left: null },
    ...parts,
  };
}
