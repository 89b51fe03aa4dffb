import assert from 'node:assert/strict';
import { commandsOf } from '../support/servers/command.ts';
import { useStack } from '../support/servers/stack.ts';
import { LIVE_KEY, TEST_KEY } from '../support/servers/stripe-stand-in.ts';
import { useStripe } from '../support/servers/use-stripe.ts';

describe('payment providers on the command line', function () {
  const { settings, stripe } = useStripe();
  const { run, printed, json, sent } = commandsOf(useStack(settings), 'providers');

  it('connect, list, update and delete one; no secret is printed', async () => {
    const connected = await sent(`${TEST_KEY}\nwhsec_of_the_test\n`, 'connect', '--webhook-secret');
    assert.deepEqual([connected.code, connected.stderr], [0, '']);
    assert.match(connected.stdout, /^account +acct_acme$/m);
    assert.match(connected.stdout, /^status +active$/m);
    assert.doesNotMatch(connected.stdout, /whsec|sk_test/);
    const [{ id }] = (await json('list')).data;
    assert.match(await printed('list'), new RegExp(`^${id} +stripe +acct_acme +active +0000 +-$`, 'm'));
    stripe().acceptKey('sk_test_another_1234');
    const updated = await sent('sk_test_another_1234', 'update', id, '--secret-key');
    assert.match(updated.stdout, /^key ends with +1234$/m);
    const kept = await run('delete', id);
    assert.deepEqual([kept.code, kept.stdout], [2, '']);
    assert.equal(await printed('delete', id, '--yes'), `deleted ${id}\n`);
    assert.equal((await json('list')).data.length, 0);
  });

  it('say what is wrong with the secrets', async () => {
    const wrong_mode = await sent(LIVE_KEY, 'connect');
    assert.equal(wrong_mode.code, 1);
    assert.match(wrong_mode.stderr, /secret_key is a live key, and this is test data/);
    for (const [stdin, ...args] of [
      ['', 'connect'],
      [TEST_KEY, 'connect', '--webhook-secret'],
      [`${TEST_KEY}\nanother line\n`, 'connect'],
      [TEST_KEY, 'update', 'pp_1'],
    ] as const)
      assert.equal((await sent(stdin, ...args)).code, 2, args.join(' '));
    assert.equal((await json('list')).data.length, 0);
  });
});
