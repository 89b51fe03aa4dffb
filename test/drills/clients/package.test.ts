import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { send, type Json } from '../../support/servers/api.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { useStack } from '../../support/servers/stack.ts';
import { aFeedServer } from '../../sdk/feed-server.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PACKAGE = join(ROOT, 'sdk/typescript');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const run = promisify(execFile);

/** A program that both module systems can run, after their own import. */
const PROGRAM = `
const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'tm_sk_test_1' });
const totalOf = async (id: string): Promise<string | undefined> =>
  (await client.GET('/v1/invoices/{id}', { params: { path: { id } } })).data?.total;
async function namesOf(): Promise<(string | null)[]> {
  const names: (string | null)[] = [];
  for await (const customer of client.paginate('/v1/customers', { limit: 10 })) names.push(customer.name);
  return names;
}
async function totalsOf(): Promise<void> {
  for await (const change of client.changes.follow(7, { types: ['invoice.*'] }))
    if (change.object_type === 'invoice') console.log(change.data?.total.length);
}
// @ts-expect-error There is no such path.
const wrongPath = () => client.GET('/v1/nothing');
// @ts-expect-error An event names its customer.
const wrongEvent = () => client.events.track({ event_name: 'a' });
// @ts-expect-error A list below an object needs the object.
const wrongList = () => client.paginate('/v1/customers/{id}/balance-entries');
verifyWebhook('{}', {}, 'whsec_AAAA').catch((error: unknown) =>
  console.log(
    error instanceof WebhookVerificationError && error.reason,
    new TidemarkError(404, null, null).status,
    [totalOf, namesOf, totalsOf, wrongPath, wrongEvent, wrongList].length,
  ),
);
`;
const NAMES = 'createClient, TidemarkError, verifyWebhook, WebhookVerificationError';
const FORMATS = {
  'program.mts': `import { ${NAMES} } from '@tidemark/client';${PROGRAM}`,
  'program.cts': `import client_of_tidemark = require('@tidemark/client');
const { ${NAMES} } = client_of_tidemark;${PROGRAM}`,
};

/** The folder of the package as a fresh clone has it, outside of the repository, with what it needs installed. */
async function aCopyAlone(): Promise<string> {
  const folder = await aFolder();
  const filter = (path: string) => !/^(node_modules|dist)$/.test(relative(PACKAGE, path));
  cpSync(PACKAGE, folder, { recursive: true, filter });
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
  return folder;
}

/** An empty project in which somebody has installed the package, TypeScript and the types of Node. */
async function anEmptyProject(): Promise<string> {
  const folder = await aFolder();
  const { devDependencies } = JSON.parse(read('package.json'));
  const cwd = await aCopyAlone();
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const others = ['typescript', '@types/node'].map((name) => `${name}@${devDependencies[name]}`);
  await run('npm', ['install', '--no-audit', '--no-fund', `./${filename}`, ...others], { cwd: folder });
  return folder;
}

/** The errors of the compiler in these files, under strict and without a tsconfig.json; blank if there are none. */
async function faultsOf(
  folder: string,
  files: readonly string[],
  options: readonly string[],
): Promise<string> {
  const tsc = join(folder, 'node_modules/.bin/tsc');
  const args = ['--strict', '--module', 'nodenext', '--target', 'es2022', ...options, ...files];
  const compiled = run(tsc, args, { cwd: folder });
  const { stdout } = await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }));
  return stdout;
}

/** The examples of the README, in their order. */
const EXAMPLES = [...read('sdk/typescript/README.md').matchAll(/^```ts\n([^]*?)^```$/gm)].map(
  ([, code]) => code!,
);

describe('the packed client in TypeScript', function () {
  this.timeout(300_000);
  const stack = useStack();
  let folder: string;
  before(async () => {
    folder = await anEmptyProject();
    for (const [file, text] of Object.entries(FORMATS)) writeFileSync(join(folder, file), text);
    EXAMPLES.forEach((code, at) => writeFileSync(join(folder, nameOf(at + 1)), code));
  });

  it('has the version of the root, the dependency that the tests use and no other, and is built by the compiler of the root', () => {
    const { version, devDependencies, license } = JSON.parse(read('package.json'));
    const client = JSON.parse(read('sdk/typescript/package.json'));
    assert.deepEqual([client.version, client.license], [version, license]);
    assert.deepEqual(client.dependencies, { 'openapi-fetch': devDependencies['openapi-fetch'] });
    assert.deepEqual(client.devDependencies, {
      '@types/node': devDependencies['@types/node'],
      typescript: devDependencies.typescript,
    });
  });

  it('is compiled under strict, and run, as an ES module and as CommonJS', async () => {
    assert.equal(await faultsOf(folder, Object.keys(FORMATS), []), '');
    for (const file of Object.keys(FORMATS)) {
      const { stdout, stderr } = await run(process.execPath, [file.replace('ts', 'js')], { cwd: folder });
      assert.deepEqual([stdout, stderr], ['missing_header 404 6\n', ''], file);
    }
  });

  it('is compiled with the types of Node alone, with the ten examples of the README', async () => {
    assert.equal(EXAMPLES.length, 10);
    const files = [...Object.keys(FORMATS), ...EXAMPLES.map((_, at) => nameOf(at + 1))];
    assert.equal(await faultsOf(folder, files, ['--noEmit', '--lib', 'es2022', '--types', 'node']), '');
  });

  /** Starts an example, with the address of the stack and a test key. */
  const start = (number: number, settings: Readonly<Record<string, string>> = {}): Started => {
    const { api_url, test_key } = stack();
    const env = inheritedEnvironment({ TIDEMARK_URL: api_url, TIDEMARK_KEY: test_key, ...settings });
    const child = spawn(process.execPath, [nameOf(number)], { cwd: folder, env });
    atEnd(() => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, output: () => output, ended: once(child, 'close') };
  };
  /** Runs an example to its end; returns what it printed. */
  const runExample = async (number: number): Promise<string> => {
    const { ended, output } = start(number);
    assert.deepEqual(await ended, [0, null], output());
    return output();
  };
  const stored = async (): Promise<Json[]> =>
    (await send(`${stack().api_url}/v1/events?customer_id=acme`, { key: stack().test_key })).body.data;

  it('example 1 reads the account', async () => {
    assert.equal(await runExample(1), 'Prices are in USD.\n');
  });

  it('example 2 creates a subscription', async () => {
    assert.equal(await runExample(2), 'active\n');
  });

  it('example 3 stores three events', async () => {
    assert.equal(await runExample(3), 'The events are stored.\n');
    assert.deepEqual((await stored()).map(({ properties }) => properties.path).sort(), [
      ...['/export', '/search', '/search'],
    ]);
  });

  it('example 4 stores one event and keeps the other', async () => {
    assert.equal(await runExample(4), '');
    const [line, ...others] = readFileSync(join(folder, 'dropped-events.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    const { reason, event } = JSON.parse(line!);
    assert.deepEqual([reason, event.idempotency_key, others.length], ['unknown_customer', 'call-5', 0]);
    assert.equal((await stored()).length, 4);
  });

  it('example 5 stores the event of a request before SIGTERM ends it', async () => {
    const port = await aFreePort();
    const { child, ended, output } = start(5, { PORT: `${port}` });
    const answer = await eventually(
      () =>
        fetch(`http://127.0.0.1:${port}/last`).then(
          ({ status }) => status,
          () => null,
        ),
      (status) => status !== null,
    );
    assert.equal(answer, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], output());
    assert.equal(output(), '');
    const found = await stored();
    assert.equal(found.length, 5);
    assert.equal(found.filter(({ properties }) => properties.path === '/last').length, 1);
  });

  it('example 6 prints the invoice: five events at 0.10', async () => {
    assert.equal(await runExample(6), '5 x api_call: 0.50\nINV-000001: 0.50 USD, open\n');
  });

  it('example 7 lists it', async () => {
    assert.equal(await runExample(7), 'INV-000001 0.50\n');
  });

  it('example 8 prints the errors', async () => {
    assert.equal(await runExample(8), '404 not_found unknown_plan\n400 invalid_request from true\n');
  });

  it('example 9 takes a signed webhook and refuses a forged one', async () => {
    const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
    const port = await aFreePort();
    const { child, output } = start(9, { PORT: `${port}`, WEBHOOK_SECRET: secret });
    const body = JSON.stringify({ object: 'change', sequence: 7, type: 'invoice.paid', customer_id: 'acme' });
    const deliver = async (signed: string): Promise<number | null> => {
      const now = new Date();
      const headers = {
        'webhook-id': 'chn_1',
        'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
        'webhook-signature': new Webhook(secret).sign('chn_1', now, signed),
      };
      const sent = fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body });
      return sent.then(
        ({ status }) => status,
        () => null,
      );
    };
    assert.equal(
      await eventually(
        () => deliver(body),
        (status) => status !== null,
      ),
      204,
    );
    assert.equal(await deliver('another body'), 400);
    const expected = '7 invoice.paid acme\nno_valid_signature\n';
    await eventually(
      async () => output(),
      (printed) => printed.length >= expected.length,
    );
    assert.equal(output(), expected);
    child.kill('SIGKILL');
  });

  it('example 10 follows changes, and goes on where it was killed', async () => {
    const feed = await aFeedServer();
    feed.publish('customer.created', { object_id: 'cus_1' });
    feed.publish('invoice.issued', { customer_id: 'acme', data: { total: '0.50' } });
    feed.publish('invoice.paid', { customer_id: 'acme', data: { total: '0.50' } });
    const follow = async (expected: string) => {
      const { child, output, ended } = start(10, { TIDEMARK_URL: feed.url });
      const place = join(folder, 'sequence.txt');
      const until = `${feed.newest()}`;
      await eventually(
        async () => existsSync(place) && readFileSync(place, 'utf8'),
        (kept) => kept === until,
      );
      child.kill('SIGKILL');
      await ended;
      assert.equal(output(), expected);
    };
    await follow('customer.created cus_1\nacme has paid 0.50\n');
    feed.publish('customer.deleted', { object_id: 'cus_1' });
    await follow('customer.deleted cus_1\n');
  });
});

type Started = { child: ChildProcess; output: () => string; ended: Promise<unknown[]> };

function nameOf(number: number): string {
  return `example-${number}.ts`;
}

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}
