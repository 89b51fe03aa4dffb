import assert from 'node:assert/strict';
import { commandsOf } from '../support/servers/command.ts';
import { planMigrationsOn } from '../support/ledger/plan-migrations.ts';
import { useStack } from '../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

describe('npm run tidemark -- plans migrate', function () {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { customer, plan, subscribe } = lives;
  const { finished } = planMigrationsOn(lives);

  const { run, printed, json } = commandsOf(stack, 'plans');

  it('shows what both plans charge, needs --yes without a terminal, and moves the subscribers', async () => {
    await plan([FLAT], { key: 'cli' });
    const { id, customer_id } = await subscribe(await customer({}, at('04-01')), 'cli');
    await subscribe(await customer({}, at('04-01')), 'cli');
    const to = await plan([{ ...FLAT, flat_amount: '199.00' }], { key: 'cli' });
    const move = ['migrate', 'cli', 'cli', '--at', 'period_end'];
    const shown = await printed(...move, '--dry-run');
    assert.match(shown, /^SUBSCRIPTION +CUSTOMER +NOW +THEN +DIFFERENCE\n/);
    assert.match(shown, /\n2 in all; sums of all: +98\.00 +398\.00 +300\.00\n$/);
    const { total } = await json(...move, '--dry-run', '--customer', customer_id);
    assert.equal(total, 1);
    for (const more of [[], ['--json']]) {
      const unasked = await run(...move, ...more);
      assert.equal(unasked.code, 2);
      assert.match(unasked.stderr, /nothing was changed: without a terminal, --yes is required/);
    }
    assert.deepEqual((await json('migrations')).data, []);

    const created = await json(...move, '--customer', customer_id, '--settle', 'none', '--yes');
    assert.deepEqual([created.from_plan_id, created.to_plan_id, created.total], ['cli', to, 1]);
    await finished(created.id);
    assert.match(
      await printed('outcomes', created.id, '--status', 'changed'),
      new RegExp(`${id} +${customer_id} +changed`),
    );
    const text = await printed('migration', created.id);
    assert.match(text, /^id +mig_\w+\nstatus +done\nfrom +cli\n/);
    assert.match(text, /\ntotal +1\nchanged +1\n/);
    assert.match(await printed('migration', created.id, '--take-back'), /\nstatus +taken_back\n/);
    await finished(created.id);
    assert.match(await printed('migrations'), new RegExp(`${created.id} +taken_back +cli +${to}`));
    const stop = await run('migration', created.id, '--stop');
    assert.equal(stop.code, 1);
    assert.match(stop.stderr, /does not run any more/);
  });

  it('refuses what does not fit together', async () => {
    const both = await run('migration', 'mig_1', '--stop', '--take-back');
    assert.deepEqual([both.code, both.stdout], [2, '']);
    const key = await plan([FLAT], { key: 'nobody' });
    await plan([FLAT], { key: 'nobody' });
    const nobody = await run('migrate', key, 'nobody', '--at', 'now', '--yes');
    assert.equal(nobody.code, 1);
    assert.match(nobody.stderr, /no subscription has the plan/);
    const unknown = await run('migrate', 'unknown', 'nobody', '--at', 'now', '--yes');
    assert.match(unknown.stderr, /from_plan_id does not match any plan/);
  });
});
