import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { SETTINGS } from '../src/settings/config.ts';
import { LISTED_MODELS, MODELS, PRICING_MODELS } from '../src/domain/pricing/definitions.ts';
import { nodeOptionsOf, SERVICES } from '../dev/services.ts';
import { COMPOSE } from './production/compose.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const byName = ([one]: readonly [string, string], [other]: readonly [string, string]) =>
  one < other ? -1 : 1;

describe('the table of settings', () => {
  const settings = Object.entries(SETTINGS);
  const groups = read('docs/settings.md')
    .split(/^## /m)
    .map((group) =>
      [...group.matchAll(/^\| `([A-Z_]+)` \| (.*) \|$/gm)].map(([, name, text]) => [name!, text!] as const),
    );

  it('in docs/settings.md is that of src/settings/config.ts, word for word', () => {
    assert.deepEqual(groups.flat().toSorted(byName), settings.toSorted(byName));
  });

  it('has its order within each subject', () => {
    const places = settings.map(([name]) => name);
    for (const group of groups) {
      const names = group.map(([name]) => name);
      assert.deepEqual(
        names,
        places.filter((name) => names.includes(name)),
      );
    }
  });
});

describe('a page of docs', () => {
  const PARAGRAPH_LENGTH_MAX = 500;
  const pages = readdirSync(new URL('../docs', import.meta.url)).filter((name) => name.endsWith('.md'));

  for (const page of pages)
    it(`${page} has a rule a paragraph, of at most ${PARAGRAPH_LENGTH_MAX} characters`, () => {
      const text = read(`docs/${page}`).replace(/^(```|~~~)[\s\S]*?^\1$/gm, '');
      const blocks = text.split(/\n(?=\s*(?:[-*] |\d+\. |[|#>]))|\n\s*\n/).map((block) => block.trim());
      const paragraphs = blocks.filter((block) => !/^[|#<]/.test(block));
      assert.deepEqual(
        paragraphs.filter(({ length }) => length > PARAGRAPH_LENGTH_MAX),
        [],
      );
    });
});

describe('the pricing models', () => {
  const list = (type: 'conjunction' | 'disjunction', names: readonly string[]) =>
    new Intl.ListFormat('en-GB', { type }).format(names);
  const names = Object.values(MODELS).map(({ name }) => name.toLowerCase());
  const assertIncludes = (file: string, words: string) =>
    assert.ok(read(file).includes(words), `${file} does not say: ${words}`);

  for (const file of ['README.md', 'docs/GLOSSARY.md'])
    it(`are all named in ${file}, in their order`, () => assertIncludes(file, `: ${names.join(', ')}.`));

  for (const file of ['docs/billing.md', 'docs/contract.md'])
    it(`have a row of the table in ${file}, in their order`, () => {
      const rows = [...read(file).matchAll(/^\| ([a-z_, ]+) \|/gm)].flatMap(([, cell]) => cell!.split(', '));
      const models = rows.filter((cell) => PRICING_MODELS.some((model) => model === cell));
      assert.deepEqual(models, PRICING_MODELS);
    });

  it('that may be listed, and those with tiers, are the ones that docs/contract.md names', () => {
    const tiered = PRICING_MODELS.filter((model) => MODELS[model].tierRule !== undefined);
    const contract = 'docs/contract.md';
    assertIncludes(contract, `A charge of the model ${list('disjunction', LISTED_MODELS)} may have`);
    assertIncludes(contract, `\`tiers\` is null but for ${list('conjunction', tiered)}.`);
  });
});

describe('the scripts of package.json', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
  const named = (file: string) =>
    [...read(file).matchAll(/\bnpm (?:run (?:-s )?)?(?!run\b|ci\b|install\b)([a-z][a-z:-]*)/g)].map(
      ([, name]) => name!,
    );

  it('are all named in docs/commands.md, which names no other', () => {
    assert.deepEqual([...new Set(named('docs/commands.md'))].sort(), Object.keys(scripts).sort());
  });

  for (const file of ['README.md', 'CONTRIBUTING.md'])
    it(`include every script that ${file} names`, () => {
      const names = named(file);
      assert.ok(names.length > 0);
      assert.deepEqual(
        names.filter((name) => scripts[name] === undefined),
        [],
      );
    });

  it('that guard main are named in README', () => {
    const guards = named('.ci/run');
    assert.ok(guards.length >= 3);
    for (const name of guards) assert.ok(named('README.md').includes(name), name);
  });

  it('run files that exist', () => {
    const files = Object.values(scripts).flatMap(
      (script) => script.match(/\b[\w/]+\/[\w./-]+\.(?:ts|mjs)\b/g) ?? [],
    );
    assert.ok(files.length >= 12);
    for (const file of files) assert.ok(read(file).length > 0, file);
  });
});

describe('test/README.md', () => {
  it('names every file of test/support', () => {
    const text = read('test/README.md');
    const files = readdirSync(new URL('support/', import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('plants/'))
      .map((path) => basename(path));
    assert.deepEqual(
      files.filter((name) => !text.includes(`\`${name}\``)),
      [],
    );
  });
});

describe('.vscode/launch.json', () => {
  it('runs a test file with the hooks of .mocharc.json', () => {
    const { configurations } = parse(read('.vscode/launch.json'));
    const mocha = JSON.parse(read('.mocharc.json').replace(/^ *\/\/.*$/gm, ''));
    const test = configurations.find(({ name }: { name: string }) => name === 'This test file');
    assert.ok(test.args.includes(`--require=${mocha.require[0]}`));
  });
});

function nodesOfImage(): string[] {
  return [...read('Dockerfile').matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version!);
}

describe('Node', () => {
  it('has the same version on every platform and in the image', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const of_machines = Object.entries(optionalDependencies).filter(([name]) => /^node-/.test(name));
    const of_image = nodesOfImage();
    assert.equal(of_machines.length, 4);
    assert.equal(of_image.length, 2);
    assert.equal(new Set([...of_machines.map(([, version]) => version), ...of_image]).size, 1);
  });

  it('gets no option that its version does not know', () => {
    const newer = '--external-memory-accounted-in-global-limit';
    assert.ok(nodeOptionsOf('API', '26.0.0').includes(newer));
    assert.deepEqual(
      nodeOptionsOf('API', '20.19.0'),
      nodeOptionsOf('API', '26.0.0').filter((option) => option !== newer),
    );
  });
});

describe('docker-compose.yml', () => {
  const { services } = COMPOSE;
  const ours = ['api', 'worker'];
  // NODE_ENV is the only variable that is not a setting of Tidemark.
  const known = [...Object.keys(SETTINGS), 'NODE_ENV'];

  it('has Postgres, Temporal, its UI, the setup, the API, the worker and a proxy', () => {
    for (const name of ['postgres', 'temporal', 'temporal-ui', 'setup', 'caddy', ...ours])
      assert.ok(services[name], name);
  });

  it('pins every image', () => {
    for (const [name, { image, build }] of Object.entries(services)) {
      assert.match(image ?? `${build}:1.0`, /:\d+(\.\d+)*$/, `${name}: ${image}`);
    }
  });

  for (const name of ['database-owner', 'setup'])
    it(`${name} is given settings that exist`, () => {
      const { environment = {} } = services[name]!;
      assert.deepEqual(
        Object.keys(environment).filter((variable) => !known.includes(variable)),
        [],
      );
    });

  for (const name of ours) {
    it(`${name} gets only settings that exist, and all that it needs`, () => {
      const { environment = {} } = services[name]!;
      assert.deepEqual(
        Object.keys(environment).filter((variable) => !known.includes(variable)),
        [],
      );
      for (const needed of ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TIDEMARK_SECRET']) {
        assert.ok(environment[needed], needed);
      }
    });

    it(`${name} starts a program that exists, once Postgres is healthy`, () => {
      const { command, depends_on } = services[name]!;
      assert.ok(Array.isArray(command));
      assert.ok(read(command.at(-1)!).length > 0);
      assert.equal(depends_on?.['postgres']?.condition, 'service_healthy');
    });
  }

  it('starts the API and the worker with the options of npm start, for the Node of the image', () => {
    const [version] = nodesOfImage();
    for (const [name, service] of [
      ['api', 'API'],
      ['worker', 'Worker'],
    ] as const)
      assert.deepEqual(services[name]!.command, [
        'node',
        ...nodeOptionsOf(service, version),
        '--import',
        'tsx',
        SERVICES[service],
      ]);
  });

  it('secrets and the address have no default', () => {
    const text = read('docker-compose.yml');
    for (const secret of [
      'POSTGRES_PASSWORD',
      'DATABASE_PASSWORD',
      'TEMPORAL_POSTGRES_PASSWORD',
      'TIDEMARK_SECRET',
      'PUBLIC_URL',
    ]) {
      const uses = [...text.matchAll(new RegExp(`\\$\\{${secret}([^}]*)\\}`, 'g'))];
      assert.ok(uses.length > 0, secret);
      for (const [, rest] of uses) assert.match(rest!, /^:\?/);
    }
  });

  it('API, worker and setup do not connect as superuser; one program alone may', () => {
    const roleOf = (url: string) => /^postgres:\/\/(\w+)@/.exec(url)?.[1];
    const { environment } = services['database-owner']!;
    for (const name of ['setup', ...ours])
      for (const part of ['DATABASE_URL', 'DATABASE_PASSWORD'])
        assert.equal(services[name]!.environment![part], environment![part]);
    assert.equal(
      services['setup']!.depends_on!['database-owner']!.condition,
      'service_completed_successfully',
    );
    assert.equal(
      roleOf(environment!['DATABASE_ADMIN_URL']!),
      services['postgres']!.environment!['POSTGRES_USER'],
    );
    assert.equal(roleOf(environment!['DATABASE_URL']!), 'tidemark_service');
    const given = Object.entries(services).filter(([, service]) =>
      Object.keys(service.environment ?? {}).some((name) => name.startsWith('DATABASE_ADMIN_')),
    );
    assert.deepEqual(
      given.map(([name]) => name),
      ['database-owner'],
    );
  });

  it('asks the API and the worker whether they are ready', () => {
    for (const [name, port] of [
      ['api', 'PORT'],
      ['worker', 'WORKER_PORT'],
    ] as const) {
      const { environment, healthcheck } = services[name]!;
      assert.match(healthcheck!.test.join(' '), new RegExp(`:${environment![port]}/readyz`));
    }
  });

  it('every service that others wait for has a health check', () => {
    for (const { depends_on } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on ?? {})) {
        if (condition === 'service_healthy') assert.ok(services[name]!.healthcheck, name);
      }
    }
  });

  it('gives Temporal 512 shards', () =>
    assert.equal(services['temporal']!.environment!['NUM_HISTORY_SHARDS'], '512'));
});

describe('the table of docs/performance.md', () => {
  const OLDER_THAN = 200;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

  it('is of a commit that is not older than 200 commits of the product', function () {
    if (!existsSync(new URL('../.git', import.meta.url))) return this.skip();
    const [, commit] = /^- commit: (\w+)$/m.exec(read('docs/performance.md'))!;
    const product = ['api', 'worker', 'activities', 'workflows', 'src'];
    const count = Number(git('rev-list', '--count', '--no-merges', `${commit}..HEAD`, '--', ...product));
    assert.ok(count <= OLDER_THAN, `${count} commits since: npm run bench -- --table docs/performance.md`);
  });
});
