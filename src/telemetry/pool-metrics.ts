import { Gauge, type Registry } from 'prom-client';

/** Connections of a pool, and requests that wait for one. */
type Counted = { totalCount: number; idleCount: number; waitingCount: number };

const COUNTS = { total: 'totalCount', idle: 'idleCount', waiting: 'waitingCount' } as const;

/** Adds the gauge of database connections, for the pools of this process by their names. */
export function gaugePools(registry: Registry, pools: Readonly<Record<string, Counted>>): void {
  new Gauge({
    name: 'tidemark_pool_connections',
    help: 'Database connections by pool, total and idle, and requests that wait for a connection.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [name, pool] of Object.entries(pools))
        for (const [state, count] of Object.entries(COUNTS)) this.set({ pool: name, state }, pool[count]);
    },
  });
}
