import assert from 'node:assert/strict';
import type { Json } from './api.ts';

const ID = /\b(?:cus|plan|chg|sub|inv|li|cg|reg|evt)_[0-9a-z]{26}\b/g;
/** Real time, and text that only its maker reads. */
const UNSTEADY = new Set(['created_at', 'requested_at', 'finished_at', 'next_cursor']);

/** Compares real answers with shown ones, whose ids are other ones: each stands for one real id, from its first occurrence on. */
export function createLikeness() {
  const real_ids = new Map<string, string>();

  function bind(shown: string, real: string): void {
    const known = real_ids.get(shown);
    if (known === undefined) assert.ok(![...real_ids.values()].includes(real), `${real} is shown as two ids`);
    else assert.equal(real, known, `what ${shown} stands for`);
    real_ids.set(shown, real);
  }

  /** The value with each shown id replaced by the real one. An id that nothing made yet stays as it is. */
  function toReal(value: Json): Json {
    return JSON.parse(JSON.stringify(value).replaceAll(ID, (shown) => real_ids.get(shown) ?? shown));
  }

  /** Takes note of the ids that stand at the same places. */
  function learn(shown: Json, real: Json): void {
    if (typeof shown === 'string' && typeof real === 'string') {
      const ids = real.match(ID) ?? [];
      for (const [at, id] of (shown.match(ID) ?? []).entries()) if (ids[at] !== undefined) bind(id, ids[at]);
    } else if (typeof shown === 'object' && shown !== null && typeof real === 'object' && real !== null) {
      for (const name of Object.keys(shown)) learn(shown[name], real[name]);
    }
  }

  /** The same, but for what two runs of one story never share: there, only the type counts. */
  function steady(value: Json): Json {
    return JSON.parse(
      JSON.stringify(value, (name, member) =>
        UNSTEADY.has(name) && member !== null ? typeof member : member,
      ),
    );
  }

  return {
    bind,
    toReal,
    learn: (shown: Json, real: Json) => learn(steady(shown), steady(real)),
    /** Every real id that is known. */
    realIds: (): string[] => [...real_ids.values()],
    assertLike(shown: Json, real: Json): void {
      assert.deepEqual(steady(real), steady(toReal(shown)));
    },
  };
}
