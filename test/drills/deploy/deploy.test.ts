import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { LIMITS } from '../../../api/server.ts';
import { readConfig } from '../../../src/settings/config.ts';

const read = (name: string) => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');
const drain_seconds = readConfig({ NODE_ENV: 'production' }).drain_ms / 1000;

/** The number that the pattern finds first. */
function numberIn(text: string, pattern: RegExp): number {
  const [, found] = pattern.exec(text) ?? [];
  assert.ok(found !== undefined, `${pattern}`);
  return Number(found);
}

describe('the proxies in deploy', () => {
  it('haproxy notices a draining process before it closes', () => {
    const text = read('haproxy.cfg');
    const [interval, failures] = [numberIn(text, / inter (\d+)s/), numberIn(text, / fall (\d+)/)];
    // A check may take as long as the interval.
    assert.ok(interval * failures + interval < drain_seconds);
  });

  it('nginx has closed its idle connections before a draining process does, and before any does', () => {
    const idle = numberIn(read('nginx.conf'), /^ +keepalive_timeout (\d+)s;/m);
    assert.ok(idle < drain_seconds);
    assert.ok(idle * 1000 < LIMITS.keep_alive_ms);
  });

  it('neither gives /metrics to clients', () => {
    assert.match(read('haproxy.cfg'), /deny_status 404 if \{ path \/metrics \}/);
    assert.match(read('nginx.conf'), /location = \/metrics \{\s+return 404;/);
  });
});
