import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { useUnpacked } from '../../support/servers/debian.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { CASES as CASES_OF_BILLING, type Case } from './alerts.ts';
import { PAYER_CASES } from './payer-alerts.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const RULES = fileOf('deploy/prometheus/rules.yml');
const SCRAPE = fileOf('deploy/prometheus/prometheus.yml');

const CASES = [...CASES_OF_BILLING, ...PAYER_CASES];

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: object };
const rules: Rule[] = parse(readFileSync(RULES, 'utf8')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);

/** promtool's test of one case. Alerts are series too, so a case needs to repeat no annotation. */
function testOf({ what, step = 1, series, minute, fire }: Case) {
  const counts = new Map<string, number>();
  for (const alert of fire) counts.set(alert, (counts.get(alert) ?? 0) + 1);
  return {
    name: what,
    interval: `${step}m`,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count by (alertname) (ALERTS{alertstate="firing"})`,
        eval_time: `${minute}m`,
        exp_samples: [...counts].map(([alertname, value]) => ({
          labels: `{alertname="${alertname}"}`,
          value,
        })),
      },
    ],
  };
}

describe('deploy/prometheus', () => {
  const promtool = useUnpacked('promtool', 'prometheus');
  const run = (...args: string[]) => promisify(execFile)(promtool(), args);

  it('is valid', async () => {
    await run('check', 'rules', RULES);
    await run('check', 'config', SCRAPE);
  });

  it('its alerts fire when they should, and not otherwise', async () => {
    const folder = await aFolder();
    const steps = [...new Set(CASES.map(({ step = 1 }) => step))];
    const files = steps.map((minutes) => {
      const file = join(folder, `step-${minutes}.test.yml`);
      const tests = CASES.filter(({ step = 1 }) => step === minutes).map(testOf);
      const evaluation = { rule_files: [RULES], evaluation_interval: `${minutes}m` };
      writeFileSync(file, JSON.stringify({ ...evaluation, tests }));
      return file;
    });
    await run('test', 'rules', ...files);
  });
});

describe('deploy/prometheus/rules.yml', () => {
  it('has a case for each alert', () => {
    const fired = new Set(CASES.flatMap(({ fire }) => fire));
    assert.deepEqual(
      rules.map(({ alert }) => alert).filter((alert) => !fired.has(alert)),
      [],
    );
  });

  it('has an alert for each metric whose row in docs/operations.md names one', () => {
    const rows = readFileSync(fileOf('docs/operations.md'), 'utf8').matchAll(
      /^\| `(t\w+)` \| .* \| .*`(Tidemark\w+)`.* \|$/gm,
    );
    const named = [...rows].map(([, metric, alert]) => ({ metric: metric!, alert: alert! }));
    assert.ok(named.length >= 10, `${named.length} rows`);
    for (const { metric, alert } of named)
      assert.ok(rules.find((rule) => rule.alert === alert)?.expr.includes(metric), `${alert}: ${metric}`);
  });

  it('tells an operator whom to wake, what it is and what to do', () => {
    for (const { alert, labels, annotations } of rules) {
      assert.match(labels.severity, /^(?:warning|critical)$/, alert);
      assert.deepEqual(Object.keys(annotations), ['summary', 'description'], alert);
    }
  });
});
