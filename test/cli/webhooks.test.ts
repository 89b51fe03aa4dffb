import assert from 'node:assert/strict';
import { consumeAll } from '../../src/db/changes/consume.ts';
import { FEED } from '../../src/db/feed/consumer.ts';
import { startApi, type TestApi } from '../support/servers/api.ts';
import { commandsOf, startCommand, type Running } from '../support/servers/command.ts';
import { eventually } from '../support/servers/eventually.ts';
import { aReceiver, type Receiver } from '../support/servers/receiver.ts';

describe('changes and webhooks on the command line', function () {
  let api: TestApi;
  let receiver: Receiver;

  before(async () => {
    api = await startApi();
    receiver = await aReceiver();
  });
  after(() => api.close());

  const { settings, run, printed, json } = commandsOf(() => api);
  const linesOf = ({ output }: Running) =>
    Promise.resolve(
      output()
        .stdout.split('\n')
        .filter((line) => line !== ''),
    );

  async function aCustomer(external_id: string): Promise<string> {
    const { status, body } = await api.post('/v1/customers', { external_id });
    assert.equal(status, 201);
    await consumeAll(api.pool, FEED);
    return body.id;
  }

  /** Ends a command by Ctrl-C; returns what it said to stderr. */
  async function interrupted(running: Running): Promise<string> {
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    assert.equal(code, 0, stderr);
    return stderr;
  }

  it('changes follow: shows what comes, and says where to go on', async () => {
    await aCustomer('before');
    const following = startCommand(settings(), [
      'changes',
      'follow',
      '--types',
      'customer.*',
      '--after',
      '0',
    ]);
    await eventually(
      () => linesOf(following),
      (lines) => lines.length === 1,
    );
    const id = await aCustomer('after');
    const lines = await eventually(
      () => linesOf(following),
      (found) => found.length === 2,
    );
    assert.match(lines[1]!, new RegExp(`^\\d+  .*Z  customer\\.created  ${id}  after$`));
    const sequence = lines[1]!.split(' ')[0];
    assert.equal(await interrupted(following), `To go on: --after ${sequence}\n`);
  });

  it('listen: posts each change in order, signed, and tries again until it arrives', async () => {
    let refusals = 2;
    receiver.answer((response) => void response.writeHead(refusals-- > 0 ? 500 : 200).end());
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const args = ['listen', '--forward-to', receiver.url, '--secret', secret, '--types', 'customer.*'];
    const listening = startCommand(settings(), [...args, '--after', '0']);
    await eventually(
      () => linesOf(listening),
      (lines) => lines.length === 2,
    );
    const id = await aCustomer('listened');
    await eventually(
      () => linesOf(listening),
      (lines) => lines.length === 3,
    );
    const said = await interrupted(listening);
    assert.match(said, /the answer is 500; retrying/);
    assert.match(said, /To go on: --after \d+ --secret whsec_/);
    assert.equal(receiver.posted.length, 5);
    const changes = receiver.posted.map((one) => receiver.verified(one, secret));
    assert.equal(new Set(changes.slice(0, 3).map((change) => change['id'])).size, 1);
    assert.equal(changes.at(-1)!['object_id'], id);
  });

  /** Presses Ctrl-C again and again, as a terminal and npm do, until the command has ended; returns what it said to stderr. */
  async function interruptedOften({ child, ended }: Running): Promise<string> {
    const pressing = setInterval(() => child.kill('SIGINT'), 1);
    const { stderr } = await ended.finally(() => clearInterval(pressing));
    return stderr;
  }

  const COMMANDS: [command: string[], last_line: RegExp][] = [
    [['changes', 'follow'], /To go on: --after \d+\n$/],
    [['listen', '--forward-to', 'http://127.0.0.1:9/hooks'], /To go on: --after \d+ --secret whsec_\S+\n$/],
  ];
  for (const [command, last_line] of COMMANDS)
    it(`${command[0]}: says where to go on, though Ctrl-C comes more than once`, async () => {
      for (let times = 0; times < 5; times++) {
        const running = startCommand(settings(), [...command, '--after', '0', '--json']);
        await eventually(
          () => Promise.resolve(running.output()),
          ({ stdout, stderr }) => stdout !== '' || stderr.includes('retrying'),
        );
        assert.match(await interruptedOften(running), last_line);
      }
    });

  it('webhooks: creates, lists, tests, pauses and resumes an endpoint', async () => {
    receiver.answer(200);
    const created = await json('webhooks', 'create', receiver.url, '--types', 'invoice.*,payment.recorded');
    assert.deepEqual(created.types, ['invoice.*', 'payment.recorded']);
    assert.match(created.secret, /^whsec_/);
    const { id } = created;
    assert.match(await printed('webhooks', 'list'), new RegExp(`^${id} +active +\\d+ +- +invoice`, 'm'));
    assert.match(await printed('webhooks', 'test', id), /^status +delivered$/m);
    assert.match(await printed('webhooks', 'pause', id), /^status +paused$/m);
    assert.match(await printed('webhooks', 'resume', id), /^status +active$/m);
    assert.match(await printed('webhooks', 'replay', id, '--after', '0'), /^status +active$/m);
    assert.match(await printed('webhooks', 'rotate-secret', id), /^secret +whsec_\S+ \(shown only once\)$/m);
    const deliveries = await json('webhooks', 'deliveries', id, '--status', 'delivered');
    assert.equal(deliveries.data[0].type, 'webhook_endpoint.test');
    const refused = await run('webhooks', 'create', 'https://10.0.0.1');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /url must not lead to 10\.0\.0\.1/);
  });
});
