import { Registry } from 'prom-client';
import { createWebhookMetrics } from '../worker/webhook-metrics.ts';
import { createCollectionMetrics } from '../worker/collection-metrics.ts';
import { createCloseMetrics } from '../activities/close-metrics.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { listsOf, workflowLists } from '../api/dashboard/workflow-lists.ts';
import { SEARCH_ATTRIBUTES } from '../workflows/messages.ts';
import { aFolder } from './support/servers/folder.ts';
import { useStack } from './support/servers/stack.ts';
import { daysAgo, subscriptionsOf } from './support/ledger/subscriptions.ts';

const DOCS = new URL('../docs/', import.meta.url);
const text = readFileSync(new URL('operations.md', DOCS), 'utf8');
const PICTURE_BYTES_MAX = 120 * 1024;

/** Code spans at the start of a cell, in the column `cell` of every table. */
const codeIn = (cell: number) =>
  text.split('\n').flatMap((line) => /^`([^`]*)`/.exec(line.split('|')[cell]?.trim() ?? '')?.[1] ?? []);

describe('docs/operations.md', () => {
  const stack = useStack();
  const { subscribe } = subscriptionsOf(stack);

  it('has the filters of the dashboard, word for word', () => {
    const known = [
      ...workflowLists('2026-12-01T00:05:00.000Z'),
      ...listsOf({ customer_id: 'cus_1', subscription_id: 'sub_1' }),
    ];
    const rows = [...text.matchAll(/^\| ([a-z ,]+) \| `(Workflow.*)` \|$/gm)];
    assert.deepEqual(
      rows.map(([, name, query]) => ({ name, query })),
      known,
    );
  });

  it('names every search attribute except the plan', () => {
    for (const { name } of Object.values(SEARCH_ATTRIBUTES))
      if (name !== SEARCH_ATTRIBUTES.plan.name) assert.ok(text.includes(name), name);
  });

  it('explains every metric of Tidemark, and no other', async () => {
    const printed = await (await fetch(`${stack().api_url}/metrics`)).text();
    const of_worker = new Registry();
    createCloseMetrics().register(of_worker);
    createWebhookMetrics().register(of_worker);
    createCollectionMetrics().register(of_worker);
    const all = printed + (await of_worker.metrics());
    const names = [...all.matchAll(/^# TYPE (tidemark_\S+)/gm)].map(([, name]) => name!);
    assert.deepEqual(
      codeIn(1)
        .filter((name) => name.startsWith('tidemark_'))
        .sort(),
      names.sort(),
    );
  });

  it('says what to do first for every alert, and marks those that page the operator', () => {
    const { groups } = parse(readFileSync(new URL('../deploy/prometheus/rules.yml', DOCS), 'utf8'));
    const rules: { alert: string; labels: { severity: string } }[] = groups[0].rules;
    const [, table = ''] = /\n\| alert \| .*\n([^]*?)\n\n/.exec(text) ?? [];
    const rows = [...table.matchAll(/^\| `(Tidemark\w+)`(, \*critical\*)? \|/gm)];
    assert.deepEqual(
      rows.map(([, alert, critical]) => [alert, critical === undefined ? 'warning' : 'critical']).sort(),
      rules.map(({ alert, labels }) => [alert, labels.severity]).sort(),
    );
  });

  it('links only to headings that it has', () => {
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor!);
    assert.ok(links.length > 50, `${links.length} links`);
    assert.deepEqual(
      links.filter((anchor) => !headings.includes(anchor)),
      [],
    );
  });

  it('quotes lines of the log as the code has them', () => {
    const sources = [
      'api/access/admission.ts',
      'api/http/tls.ts',
      'api/main.ts',
      'activities/index.ts',
      'activities/invariants.ts',
      'worker/numbering.ts',
      'activities/reconcile.ts',
      'worker/main.ts',
      'worker/thresholds.ts',
    ];
    const code = sources.map((file) => readFileSync(new URL(`../${file}`, DOCS), 'utf8')).join();
    const [, table = ''] = /\n\| line \| meaning \| action \|\n([^]*?)\n\n/.exec(text) ?? [];
    const lines = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, line]) => line!);
    assert.equal(lines.length, 10);
    for (const line of lines) assert.ok(code.includes(`'${line}'`), line);
  });

  it('describes every picture; no picture is too large or unused', () => {
    const pictures = [...text.matchAll(/^!\[(.{20,})\]\(images\/(.+\.png)\)$/gm)].map(([, , file]) => file!);
    const stored = readdirSync(new URL('images/', DOCS)).filter((file) => file.endsWith('.png'));
    assert.deepEqual(pictures.sort(), stored.sort());
    for (const file of stored)
      assert.ok(statSync(new URL(`images/${file}`, DOCS)).size < PICTURE_BYTES_MAX, file);
  });

  it('finds the workflow of a customer with its commands', async () => {
    const { id, customer_id } = await subscribe({ start_date: daysAgo(1) });
    const [, lines = ''] = /A test runs exactly these lines\. -->\n```sh\n([^]*?)```/.exec(text) ?? [];
    const cwd = await aFolder();
    mkdirSync(join(cwd, '.tidemark'));
    const { api_url, live_key } = stack();
    writeFileSync(join(cwd, '.tidemark', 'stack.json'), JSON.stringify({ api_url, live_key }));
    const bash = ['-e', '-o', 'pipefail', '-c', `CUSTOMER=${customer_id}\n${lines}`];
    const { stdout } = await promisify(execFile)('bash', bash, { cwd, timeout: 60_000 });
    assert.equal(stdout, `subscription-${id} active \n`);
  });
});
