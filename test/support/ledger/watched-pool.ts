import type { Pool } from '../../../src/db/connection/pool.ts';

/** A pool that calls `before` with the text of each statement before it sends it; where that rejects, so does the statement, unsent. */
export function watchedPool(pool: Pool, before: (text: string) => Promise<void>): Pool {
  const guarded = <T extends object>(of: T): T =>
    new Proxy(of, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== 'function') return member;
        if (name === 'connect')
          return async () => guarded(await (member as () => Promise<object>).call(target));
        if (name !== 'query') return member.bind(target) as unknown;
        return async (...parameters: unknown[]) => {
          const [sent] = parameters;
          await before(typeof sent === 'string' ? sent : String((sent as { text?: unknown }).text));
          return (member as (...sent: unknown[]) => unknown).apply(target, parameters);
        };
      },
    });
  return guarded(pool);
}
