import assert from 'node:assert/strict';
import type { Json } from '../servers/api.ts';

/** Ids, and the address of a receiver. */
const ID =
  /\b(?:(?:cus|plan|chg|sub|inv|li|cg|reg|pay|trf|cn|bal|ii|dis|key|mig|aud|evt|chn|whe|whd|ps|eml|pp|pmd|pat|pys|prf|pdp)_[0-9a-z]{26}|acct_[0-9a-f]{32})\b|https:\/\/example\.com\/tidemark\b/g;
/** Members that differ from run to run: real times, and cursors, which only the API reads. */
const UNSTEADY = new Set([
  'created_at',
  'request_id',
  'requested_at',
  'finished_at',
  'redacted_at',
  'archived_at',
  'next_cursor',
  'closed_at',
  'journal_sha256',
  'as_of',
  'sequence',
  'next_after',
  'oldest_sequence',
  'newest_sequence',
  'delivered_up_to',
  'secret',
  'previous_secret_until',
  'duration_ms',
  'first_attempt_at',
  'last_attempt_at',
  'updated_at',
]);

/** Members that differ from run to run in one kind of object. */
const UNSTEADY_OF: Readonly<Record<string, readonly string[]>> = {
  portal_session: ['expires_at', 'revoked_at', 'url'],
  webhook_delivery: ['body', 'tries'],
  email: ['send_at', 'next_attempt_at', 'text'],
  payment_method_session: ['expires_at', 'url'],
  payment_session: ['expires_at', 'url'],
  payment_provider: ['webhook_url'],
  payment_attempt: ['provider_reference', 'ended_at'],
  payment: ['reference', 'paid_at', 'reversed_at'],
  payment_refund: ['provider_reference', 'ended_at'],
  payment_dispute: ['provider_reference'],
};

/**
 * Compares real responses with documented examples, which have other ids. Each documented id maps to one real id, bound at its
 * first occurrence.
 */
export function createLikeness() {
  const real_ids = new Map<string, string>();

  function bind(shown: string, real: string): void {
    const known = real_ids.get(shown);
    if (known === undefined) assert.ok(![...real_ids.values()].includes(real), `${real} is shown as two ids`);
    else assert.equal(real, known, `what ${shown} stands for`);
    real_ids.set(shown, real);
  }

  /** Replaces each documented id by its real one. An id that no response has bound yet stays as it is. */
  function toReal(value: Json): Json {
    return JSON.parse(JSON.stringify(value).replaceAll(ID, (shown) => real_ids.get(shown) ?? shown));
  }

  /** Binds the ids at the same positions of both values. */
  function learn(shown: Json, real: Json): void {
    if (typeof shown === 'string' && typeof real === 'string') {
      const ids = real.match(ID) ?? [];
      for (const [at, id] of (shown.match(ID) ?? []).entries()) if (ids[at] !== undefined) bind(id, ids[at]);
    } else if (typeof shown === 'object' && shown !== null && typeof real === 'object' && real !== null) {
      for (const name of Object.keys(shown)) learn(shown[name], real[name]);
    }
  }

  /** Replaces members that differ from run to run by their type. */
  function steady(value: Json): Json {
    return JSON.parse(
      JSON.stringify(value, function (this: Json, name, member) {
        const is_unsteady = UNSTEADY.has(name) || UNSTEADY_OF[this.object]?.includes(name) === true;
        return is_unsteady && member !== null ? typeof member : member;
      }),
    );
  }

  return {
    bind,
    toReal,
    learn: (shown: Json, real: Json) => learn(steady(shown), steady(real)),
    /** Every real id bound so far. */
    realIds: (): string[] => [...real_ids.values()],
    assertLike(shown: Json, real: Json): void {
      assert.deepEqual(steady(real), steady(toReal(shown)));
    },
  };
}
