import { fileURLToPath } from 'node:url';
import { LOOPBACK } from './ports.ts';

const WEB = fileURLToPath(new URL('../web', import.meta.url));
/** Paths that the API answers; every other path is a page of the dashboard. */
const PATHS_OF_API = ['/v1', '/dashboard/api', '/docs', '/openapi.json'];

/**
 * The dashboard from its sources, before a running API: a page shows a changed file as soon as it is saved. Resolves
 * with the address, which ends with a slash.
 */
export async function startHotReload(api_url: string): Promise<string> {
  // Only development loads it: it takes longer than the rest of the start.
  const { createServer } = await import('vite');
  // The API compares Origin with Host, so both must name the address that the browser sees.
  const target = { target: api_url, changeOrigin: false };
  const server = await createServer({
    root: WEB,
    logLevel: 'warn',
    server: { host: LOOPBACK, proxy: Object.fromEntries(PATHS_OF_API.map((path) => [path, target])) },
  });
  await server.listen();
  return server.resolvedUrls!.local[0]!;
}
