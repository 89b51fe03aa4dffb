import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

type Package = { resolved?: string; optionalDependencies?: Record<string, string> };

const { packages }: { packages: Record<string, Package> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);

describe('the lock file', () => {
  it('has an entry for every platform of every optional dependency, or npm ci refuses it', () => {
    const places = Object.keys(packages);
    const missing = Object.values(packages)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
      .filter((name) => !places.some((place) => place.endsWith(`node_modules/${name}`)));
    assert.deepEqual(missing, []);
  });

  it('names no registry', () => {
    const resolved = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
    assert.deepEqual(resolved, []);
  });
});
