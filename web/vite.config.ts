import { defineConfig } from 'vite';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // The content security policy allows neither an inline script nor a script in a data: address.
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
