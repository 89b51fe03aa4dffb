import { defineConfig } from 'vite';

/** Where the API is while the pages are being worked on. The built pages are served by the API itself. */
const API = 'http://127.0.0.1:3000';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // The content security policy allows neither an inline script nor a script in a data: address.
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { '/v1': API, '/dashboard/api': API } },
});
