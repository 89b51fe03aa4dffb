import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LIMITS } from '../../../api/server.ts';
import { SERVICES } from '../../../dev/services.ts';
import { CLUSTER, COMPOSE, interpolate } from '../../production/compose.ts';
import { linesToFirstInvoice } from '../../production/first-invoice.ts';
import { entersImage } from '../../production/image.ts';
import { useCommand } from '../../support/servers/debian.ts';
import { aFolder } from '../../support/servers/folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { services } = COMPOSE;

describe('the images', () => {
  it('of docker-compose.yml, docker-compose.cluster.yml and the Dockerfile are those of the table in docs/operations.md', () => {
    const used = [
      ...Object.values({ ...services, ...CLUSTER.services }).flatMap(({ image }) => image ?? []),
      services['postgres']!.image!,
      ...[...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!),
    ];
    const [, table = ''] = read('docs/operations.md').split('| image | version |');
    const rows = table.split('\n\n', 1)[0]!.matchAll(/^\| `(\S+)` \| (\S+) \|/gm);
    assert.deepEqual([...new Set(used)].sort(), [...rows].map(([, name, tag]) => `${name}:${tag}`).sort());
  });

  it('of Temporal are of one version, but for the UI', () => {
    const versionOf = (name: string) => services[name]!.image!.split(':')[1];
    assert.equal(versionOf('temporal'), versionOf('temporal-schema'));
  });
});

describe('docker-compose.yml on a machine', () => {
  it('publishes the ports of Caddy, and the UI of Temporal on loopback, and no other', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${port}`),
    );
    assert.deepEqual(published.sort(), [
      'caddy 443:443',
      'caddy 443:443/udp',
      'caddy 80:80',
      'temporal-ui 127.0.0.1:8233:8080',
    ]);
  });

  it('has the API trust the network that it shares with Caddy alone', () => {
    const members = Object.entries(services).filter(([, { networks = [] }]) => networks.includes('proxy'));
    assert.deepEqual(
      members.map(([name]) => name),
      ['caddy', 'api'],
    );
    const [{ subnet }] = COMPOSE.networks['proxy']!.ipam!.config as [{ subnet: string }];
    assert.equal(services['api']!.environment!['TRUSTED_PROXIES'], subnet);
  });

  it('limits the memory and the logs of every service, and waits for TCP where it asks PostgreSQL', () => {
    for (const [name, { mem_limit, logging, image, healthcheck }] of Object.entries(services)) {
      assert.match(mem_limit ?? '', /\d[mg]\}?$/, name);
      assert.equal(logging?.driver, 'local', name);
      if (image?.startsWith('postgres:') === true)
        assert.match(healthcheck!.test.join(' '), /^CMD pg_isready -h 127\.0\.0\.1 /);
    }
  });

  it('sets up once before the API and the worker start, and tries again after a failure', () => {
    assert.equal(services['setup']!.command?.at(-1), 'setup');
    for (const name of ['api', 'worker'])
      assert.equal(services[name]!.depends_on!['setup']!.condition, 'service_completed_successfully', name);
    for (const name of ['setup', 'database-owner', 'temporal-schema'])
      assert.match(services[name]!.restart!, /^on-failure:\d+$/, name);
  });

  it('gives a stopping process more time than it takes', () => {
    const drain_s = Number(interpolate(services['api']!.environment!['DRAIN_SECONDS']!, {}));
    for (const name of ['api', 'worker'])
      assert.ok(Number.parseInt(services[name]!.stop_grace_period!) > drain_s + 25, name);
  });
});

describe('the image', () => {
  it('gets what its commands need, and no secret, history or test', () => {
    const { files } = {
      files: execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n'),
    };
    const entering = files.filter((file) => file !== '' && entersImage(ROOT, file));
    const folders = new Set(entering.map((file) => file.split('/')[0]));
    assert.deepEqual(
      [...folders].sort(),
      ['.npmrc', 'activities', 'api', 'bin', 'migrations', 'package-lock.json', 'package.json', 'src']
        .concat(['cli', 'dev', 'worker', 'tsconfig.json', 'web', 'workflows'])
        .sort(),
    );
    for (const file of [...Object.values(SERVICES), 'cli/main.ts', 'bin/tidemark.mjs'])
      assert.ok(entering.includes(file), file);
    for (const secret of [
      '.env',
      '.env.local',
      'web/.env',
      '.git/config',
      'deploy/key.pem',
      'src/tls.key',
      '.tidemark/secrets',
    ])
      assert.ok(!entersImage(ROOT, secret), secret);
  });

  it('has a command tidemark that can be run, and a user by number who is not root', () => {
    const dockerfile = read('Dockerfile');
    const [, file] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/tidemark$/m.exec(dockerfile) ?? [];
    assert.ok((statSync(join(ROOT, file!)).mode & 0o111) !== 0, 'it is not executable');
    assert.match(dockerfile, /^USER [1-9]\d*:[1-9]\d*$/m);
  });
});

describe('deploy/Caddyfile', () => {
  useCommand('caddy', 'caddy');
  const text = read('deploy/Caddyfile');
  const seconds = (directive: string) => Number(new RegExp(`\\b${directive} (\\d+)s$`, 'm').exec(text)![1]);

  it('is valid, with a certificate of each kind', async () => {
    for (const CADDY_TLS of ['', 'tls internal']) {
      const args = ['adapt', '--config', join(ROOT, 'deploy/Caddyfile'), '--adapter', 'caddyfile'];
      const PATH = '/usr/local/bin:/usr/bin:/bin';
      const env = { PATH, PUBLIC_URL: 'https://billing.example.com', CADDY_TLS };
      const { stdout } = await promisify(execFile)('caddy', args, { env });
      assert.match(stdout, /"host":\["billing\.example\.com"\]/);
    }
  });

  it('notices that a process stops before the process stops serving', () => {
    const drain_s = Number(interpolate(services['api']!.environment!['DRAIN_SECONDS']!, {}));
    assert.ok(seconds('health_interval') + seconds('health_timeout') < drain_s);
  });

  it('waits as long as the slowest response, and keeps no connection as long as the API', () => {
    assert.ok(seconds('response_header_timeout') * 1000 >= LIMITS.silent_ms);
    assert.ok(seconds('keepalive') * 1000 < LIMITS.keep_alive_ms);
  });

  it('knows the containers and the port of the API, and no port of metrics', () => {
    const { PORT, METRICS_PORT } = services['api']!.environment!;
    const addresses = [...text.matchAll(/\b([a-z]+-api-\d|api):(\d+)/g)];
    assert.equal(addresses.length, 5);
    for (const [, name, port] of addresses) {
      assert.ok(name === 'api' || name!.startsWith(`${COMPOSE.name}-api-`));
      assert.equal(port, PORT);
    }
    assert.ok(!text.includes(METRICS_PORT!));
  });
});

describe('deploy/new-environment.sh', () => {
  it('writes every setting that docker-compose.yml needs, with new secrets, for its owner alone, and once', async () => {
    const folder = await aFolder();
    const make = (url: string) =>
      promisify(execFile)(
        'sh',
        [
          '-c',
          `mkdir -p deploy && cp '${ROOT}/deploy/new-environment.sh' deploy/ && sh deploy/new-environment.sh '${url}'`,
        ],
        { cwd: folder },
      );
    for (const url of ['', 'http://billing.example.com', 'https://billing.example.com/path'])
      await assert.rejects(make(url), /usage/);
    assert.ok(!existsSync(join(folder, '.env')));
    await make('https://billing.example.com');
    const text = readFileSync(join(folder, '.env'), 'utf8');
    const settings: Record<string, string> = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    );
    assert.equal(settings['PUBLIC_URL'], 'https://billing.example.com');
    const compose = read('docker-compose.yml');
    const needed = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
    assert.deepEqual([...new Set(needed)].sort(), Object.keys(settings).sort());
    const secrets = Object.entries(settings).filter(([name]) => name !== 'PUBLIC_URL');
    for (const [name, value] of secrets) assert.match(value, /^[0-9a-f]{48}$/, name);
    assert.equal(new Set(secrets.map(([, value]) => value)).size, secrets.length);
    assert.equal(statSync(join(folder, '.env')).mode & 0o777, 0o600);
    await assert.rejects(make('https://other.example.com'), /is not changed/);
    assert.equal(readFileSync(join(folder, '.env'), 'utf8'), text);
  });
});

describe('from an empty machine to the first live invoice', () => {
  it('takes ten commands at most', () => {
    for (const place of ['docker', 'kubernetes'] as const) {
      const lines = linesToFirstInvoice(place);
      assert.ok(lines.length > 5 && lines.length <= 10, `${place}: ${lines.length}`);
      assert.match(lines.at(-1)!, /\/v1\/invoices\/generate/);
    }
  });

  it('names services, commands and files that exist', () => {
    const text = linesToFirstInvoice('docker').join('\n');
    const named = [...text.matchAll(/docker compose (?:logs|exec -T) (\S+)/g)].map(([, name]) => name!);
    assert.deepEqual(named, ['setup', 'api']);
    for (const name of named) assert.ok(services[name], name);
    for (const [, file] of text.matchAll(/\bsh (deploy\/\S+)/g))
      assert.ok(existsSync(join(ROOT, file!)), file);
    assert.ok(existsSync(join(ROOT, 'deploy/helm/tidemark/Chart.yaml')));
    assert.match(linesToFirstInvoice('kubernetes').join('\n'), /helm install \S+ deploy\/helm\/tidemark /);
  });
});
