import type { Config } from '../src/config.ts';
import { workflowLists } from './workflow-lists.ts';

/** The page at the address itself: what this is and where the rest lies. */
export function dashboardPage({ temporal_ui_url, temporal_namespace }: Config): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tidemark</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }
  pre { background: #f4f4f4; padding: 1rem; overflow-x: auto; }
</style>
<h1>Tidemark</h1>
<p>Usage-based billing: send events, give customers plans, and every period ends with an invoice. This is its API.</p>
<ul>
  <li><a href="/docs">API reference</a> (<a href="/openapi.json">OpenAPI document</a>)</li>
  ${temporal_ui_url === null ? '' : `<li>Workflows in the Temporal UI: ${workflowLinks(`${temporal_ui_url}/namespaces/${temporal_namespace}`)}</li>`}
  <li><a href="/readyz">Readiness</a> and <a href="/metrics">metrics</a></li>
</ul>
<p>Your first customer, with the test key that the start printed:</p>
<pre>curl -X POST "$API/v1/customers" -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{"external_id": "acme"}'</pre>
</html>
`;
}

function workflowLinks(namespace_url: string): string {
  return workflowLists(new Date().toISOString())
    .map(({ name, query }) => {
      const url = `${namespace_url}/workflows?query=${encodeURIComponent(query)}`;
      return `<a href="${escaped(url)}">${name}</a>`;
    })
    .join(', ');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
