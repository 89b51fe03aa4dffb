import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { claim, holderOf, identityOf } from '../../../dev/pid-file.mjs';
import { anyFreePort, isOk } from '../../../dev/ports.ts';
import {
  launch,
  stopLeftovers,
  waitUntilReady,
  type Launched,
  type LaunchOptions,
} from '../../../dev/processes.ts';
import { supervise } from '../../../dev/supervise.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { aFolder } from '../../support/servers/folder.ts';

const FOR_EVER = 'setInterval(() => {}, 1000)';
const DEAF = `process.on('SIGTERM', () => {}); ${FOR_EVER}; console.log('deaf')`;

/** A Node process that runs a script, launched like a part of the stack. */
async function aPart(
  script: string,
  options: Partial<LaunchOptions> = {},
): Promise<Launched & { logs: string }> {
  const logs = options.logs ?? (await aFolder());
  const launched = await launch({
    name: 'Part',
    command: process.execPath,
    args: ['-e', script],
    stop_steps: [['SIGTERM', 300]],
    ...options,
    logs,
  });
  return { ...launched, logs };
}

describe('a launched process', () => {
  it('writes its output to a log, and its failure quotes the end of the log', async () => {
    const part = await aPart(`for (let i = 1; i <= 30; i++) console.log('line', i); process.exit(3)`);
    const ready = waitUntilReady(part, 5000, () => false);
    await assert.rejects(ready, ({ message }: Error) => {
      assert.match(message, /^Part ended during its start; last lines of .*part\.log:\n {2}line 11\n/);
      return message.endsWith('  line 30');
    });
    assert.equal(await part.exited, 'exit code 3');
  });

  it('does not quote an earlier run', async () => {
    const first = await aPart(`console.log('of the first')`);
    await first.exited;
    const second = await aPart(`console.log('of the second')`, { logs: first.logs });
    await second.exited;
    assert.match(readFileSync(join(first.logs, 'part.log'), 'utf8'), /of the first\nof the second/);
    assert.doesNotMatch(second.lastLines(), /of the first/);
  });

  it('is stopped when it is not ready in time', async () => {
    const part = await aPart(FOR_EVER);
    await assert.rejects(
      waitUntilReady(part, 100, () => false),
      /^Error: Part was not ready after 0.1 s/,
    );
    assert.equal(identityOf(part.pid), null);
  });

  it('is killed if it ignores signals', async () => {
    const part = await aPart(DEAF);
    await waitUntilReady(part, 5000, () => part.lastLines().includes('deaf'));
    await part.stop();
    assert.equal(await part.exited, 'signal SIGKILL');
  });

  it('gets a lower priority if requested, with all its threads and its session', async () => {
    const threadsOf = ({ pid }: Launched) => {
      const path = `/proc/${pid}/task`;
      return existsSync(path) ? readdirSync(path).map(Number) : [pid];
    };
    const levelsOf = (part: Launched) => [...new Set(threadsOf(part).map((thread) => getPriority(thread)))];
    const sessionOf = ({ pid }: Launched) => {
      const path = `/proc/${pid}/autogroup`;
      return existsSync(path) ? /nice (\d+)/.exec(readFileSync(path, 'utf8'))?.[1] : null;
    };
    const parts = [await aPart(FOR_EVER), await aPart(FOR_EVER, { low_priority: true })] as const;
    const [equal] = parts;
    const assertLevel = (level: number) => {
      assert.deepEqual(parts.map(levelsOf), [[getPriority()], [level]]);
      if (sessionOf(equal) !== null) assert.deepEqual(parts.map(sessionOf), ['0', `${level}`]);
    };
    assertLevel(5);
    await Promise.all(parts.map((part) => part.stop()));
  });

  it('that does not exist is reported in a sentence', async () => {
    const logs = await aFolder();
    const launching = launch({
      name: 'Part',
      command: '/nowhere/x',
      args: [],
      logs,
      stop_steps: [['SIGTERM', 1]],
    });
    await assert.rejects(launching, /Part could not be started with \/nowhere\/x: .*ENOENT/);
  });

  it('has a pid file while it runs, by which another process can stop it', async () => {
    const part = await aPart(FOR_EVER);
    assert.equal(holderOf(join(part.logs, 'part.pid')), part.pid);
    await stopLeftovers(part.logs);
    assert.equal(await part.exited, 'signal SIGINT');
    assert.equal(existsSync(join(part.logs, 'part.pid')), false);
  });

  it('is not stopped by the pid file of another process that had its pid', async () => {
    const part = await aPart(FOR_EVER);
    const file = join(part.logs, 'part.pid');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/\d+$/, '1'));
    await stopLeftovers(part.logs);
    assert.notEqual(identityOf(part.pid), null);
    await part.stop();
  });
});

describe('a supervised process', () => {
  it('is restarted when it ends, and when that restart fails', async () => {
    const first = await aPart(FOR_EVER);
    const said: string[] = [];
    const parts = [first];
    let tries = 0;
    const startAgain = async () => {
      if (++tries === 1) throw new Error('not yet');
      parts.push(await aPart(FOR_EVER, { logs: first.logs }));
      return parts.at(-1)!;
    };
    const stop = supervise(first, startAgain, { say: (line) => said.push(line) });
    process.kill(first.pid, 'SIGKILL');
    await eventually(
      async () => parts.length,
      (started) => started === 2,
    );
    await stop();
    assert.deepEqual(said, [
      'Part ended (signal SIGKILL); restarting it in 0.5 s',
      'Part ended (not yet); restarting it in 0.5 s',
    ]);
    assert.equal(identityOf(parts[1]!.pid), null);
  });

  it('is restarted with a longer delay from its third end within a minute on', async () => {
    const part = await aPart('');
    const said: string[] = [];
    const stop = supervise(part, () => Promise.reject(new Error('no')), { say: (line) => said.push(line) });
    await eventually(
      async () => said.length,
      (count) => count === 4,
    );
    await stop();
    assert.deepEqual(
      said.map((line) => / in (.*) s$/.exec(line)?.[1]),
      ['0.5', '0.5', '1', '2'],
    );
  });

  it('is killed and restarted when it hangs, but not while it starts or is slow', async () => {
    const health_port = await anyFreePort();
    const health_url = `http://127.0.0.1:${health_port}/healthz`;
    const responds = (within_ms: number) => isOk(health_url, within_ms);
    const serve = `require('http').createServer((_, answer) => answer.end('ok')).listen(${health_port}, '127.0.0.1')`;
    const hangs = `${serve}; process.on('SIGUSR2', () => { for (;;); })`;
    const startsSlowly = `setTimeout(() => ${serve}, 500)`;
    const first = { ...(await aPart(hangs)), responds };
    const said: string[] = [];
    const parts: Launched[] = [first];
    const startAgain = async () => {
      parts.push(await aPart(startsSlowly, { logs: first.logs }));
      return { ...parts.at(-1)!, responds };
    };
    const stop = supervise(first, startAgain, {
      say: (line) => said.push(line),
      ...{ ask_ms: 200, start_ms: 20_000 },
    });
    await eventually(() => isOk(health_url), Boolean);
    await delay(500);
    process.kill(first.pid, 'SIGUSR2');
    assert.equal(await first.exited, 'signal SIGKILL');
    await eventually(() => isOk(health_url), Boolean);
    await delay(1000);
    await stop();
    assert.deepEqual(said, [
      'Part does not respond; stopping it',
      'Part ended (signal SIGKILL); restarting it in 0.5 s',
    ]);
    assert.equal(parts.length, 2);
  });

  it('stays down once it is stopped', async () => {
    const part = await aPart(FOR_EVER);
    const stop = supervise(part, () => Promise.reject(new Error('started again')), {
      say: (line) => assert.fail(line),
    });
    await stop();
    await delay(600);
    assert.equal(identityOf(part.pid), null);
  });
});

describe('a claim', () => {
  it('has one holder, and is taken over from a process that has ended', async () => {
    const folder = await aFolder();
    const path = join(folder, 'lock');
    const other = spawn(process.execPath, ['-e', FOR_EVER]);
    await once(other, 'spawn');
    writeFileSync(path, identityOf(other.pid!)!);
    assert.equal(claim(path), other.pid);
    other.kill('SIGKILL');
    await once(other, 'exit');
    assert.equal(claim(path), null);
    assert.equal(holderOf(path), process.pid);
    assert.equal(claim(path), process.pid);
    assert.deepEqual(readdirSync(folder), ['lock']);
  });

  it('is not held by a later process with the same pid', async () => {
    const path = join(await aFolder(), 'lock');
    writeFileSync(path, `${process.pid} of an earlier start`);
    assert.equal(claim(path), null);
  });
});
