import assert from 'node:assert/strict';
import { createCloseMetrics } from '../../activities/close-metrics.ts';
import { createActivities } from '../../activities/index.ts';
import { createCollectionActivities } from '../../activities/collections.ts';
import { createWebhookActivities } from '../../activities/webhooks.ts';
import { readConfig } from '../../src/settings/config.ts';
import { createNewest } from '../../src/webhooks/newest.ts';
import { senderOf } from '../../src/webhooks/sender.ts';
import * as messages from '../../workflows/messages.ts';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import {
  localActivityOf,
  RETRIES_OF_LOST_TASKS,
  runsOf,
  valuesOf,
  type HistoryEvent,
} from '../support/servers/histories.ts';
import { useStack } from '../support/servers/stack.ts';
import { subscriptionsOf } from '../support/ledger/subscriptions.ts';

/** STYLE.md, "Frozen": histories, operators and saved lists of workflows contain these names. */
describe('frozen names of the workflows', function () {
  const stack = useStack({ GRACE_PERIOD: '1h' });
  const { handleOf, aHeldDraft } = subscriptionsOf(stack);

  it('activities', () => {
    const { pool, temporal } = stack();
    const settings = { grace_period_ms: 0, late_usage_days: 35 };
    const FROZEN = [
      ...[
        'aggregateUsage',
        'applyCredits',
        'billNext',
        'checkInvariants',
        'generateInvoices',
        'issueInvoice',
        'moveSubscribers',
        'nextStep',
      ],
      ...['parkSubscription', 'reconcileSubscriptions', 'regenerateInvoice', 'releaseDraft'],
      'requestRegeneration',
    ];
    const activities = createActivities({
      ...{ pool, background_pool: pool, settings, temporal },
      check_share_percent: 5,
      metrics: createCloseMetrics(),
    });
    assert.deepEqual(Object.keys(activities).sort(), FROZEN);
  });

  it('workflows, schedules, signals and the task queue', () => {
    const { wake, advanceClock, takeTurn, regenerateInvoice, generateNow, finalizeInvoice } = messages;
    assert.deepEqual(
      [wake, advanceClock, takeTurn, regenerateInvoice, generateNow, finalizeInvoice].map(({ name }) => name),
      ['wake', 'advanceClock', 'takeTurn', 'regenerateInvoice', 'generateNow', 'finalizeInvoice'],
    );
    assert.deepEqual(
      [messages.SUBSCRIPTION_WORKFLOW, messages.RECONCILE_WORKFLOW, messages.CHECK_WORKFLOW],
      ['subscriptionWorkflow', 'reconcileWorkflow', 'checkInvariantsWorkflow'],
    );
    assert.deepEqual(
      [messages.RECONCILE_SCHEDULE, messages.CHECK_SCHEDULE, messages.TASK_QUEUE],
      ['reconcile-subscriptions', 'check-invariants', 'billing'],
    );
    assert.equal(messages.workflowIdOf('sub_1'), 'subscription-sub_1');
    assert.equal(messages.MIGRATION_WORKFLOW, 'planMigrationWorkflow');
    assert.equal(messages.migrationWorkflowIdOf('mig_1'), 'plan-migration-mig_1');
  });

  it('names of webhooks', () => {
    const { pauseDeliveries, resumeDeliveries, WEBHOOK_WORKFLOW, WEBHOOK_TASK_QUEUE } = messages;
    assert.deepEqual(
      [pauseDeliveries.name, resumeDeliveries.name, WEBHOOK_WORKFLOW, WEBHOOK_TASK_QUEUE],
      ['pause', 'resume', 'webhookWorkflow', 'webhooks'],
    );
    assert.equal(messages.webhookWorkflowIdOf('whe_1'), 'webhook-whe_1');
    const { pool } = stack();
    const activities = createWebhookActivities({
      ...senderOf(pool, readConfig(), ['secret of a test']),
      ...{ newest: createNewest(pool), count: () => undefined },
      stopping: AbortSignal.abort(),
    });
    assert.deepEqual(Object.keys(activities).sort(), ['changeDeliveries', 'deliverChanges']);
  });

  it('names of charges', () => {
    const { pauseCollection, resumeCollection, endCollection } = messages;
    assert.deepEqual(
      [pauseCollection.name, resumeCollection.name, endCollection.name],
      ['pause', 'resume', 'end'],
    );
    assert.deepEqual(
      [messages.COLLECTION_WORKFLOW, messages.PAYMENT_TASK_QUEUE],
      ['collectWorkflow', 'payments'],
    );
    assert.equal(messages.collectionWorkflowIdOf('inv_1'), 'collect-inv_1');
    const { pool } = stack();
    const activities = createCollectionActivities({
      pool,
      providerOf: async () => null,
      count: () => undefined,
    });
    assert.deepEqual(Object.keys(activities), ['collectNext']);
  });

  it('search attributes', () => {
    const FROZEN = {
      BillingCustomerId: 'KEYWORD',
      BillingPlanId: 'KEYWORD',
      BillingState: 'KEYWORD',
      BillingPeriodEnd: 'DATETIME',
      BillingLastInvoiceId: 'KEYWORD',
      BillingEnvironment: 'KEYWORD',
      BillingWaitsUntil: 'DATETIME',
      WebhookState: 'KEYWORD',
      CollectionState: 'KEYWORD',
    };
    const named = Object.values(messages.SEARCH_ATTRIBUTES).map(({ name, type }) => [name, type]);
    assert.deepEqual(Object.fromEntries(named), FROZEN);
  });

  /** Names of a value's members; members of nested objects as `action.wait_ms`. */
  function membersOf(value: Json, prefix = ''): string[] {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value)
      .flatMap(([name, inner]) => [`${prefix}${name}`, ...membersOf(inner, `${prefix}${name}.`)])
      .sort();
  }

  /** Member names of the input and the result of every activity in a subscription's runs. */
  async function membersOfRuns(subscription_id: string): Promise<Record<string, string[]>> {
    const seen = new Map<string, Set<string>>();
    const see = (what: string, value: Json) => {
      const members = membersOf(value);
      if (members.length > 0) seen.set(what, new Set([...(seen.get(what) ?? []), ...members]));
    };
    for (const events of await runsOf(stack().temporal, subscription_id)) {
      for (const event of events) {
        const scheduled = event.activityTaskScheduledEventAttributes;
        const completed = event.activityTaskCompletedEventAttributes;
        const local = localActivityOf(event);
        const next = event.workflowExecutionContinuedAsNewEventAttributes;
        if (scheduled) see(`${scheduled.activityType!.name} asks`, valuesOf(scheduled.input)[0]);
        if (completed) see(`${scheduledBy(events, completed)} answers`, valuesOf(completed.result)[0]);
        if (local) see(`${local.name} answers`, local.answer);
        if (next) see('a run begins with', valuesOf(next.input));
      }
    }
    return Object.fromEntries([...seen].map(([what, members]) => [what, [...members].sort()]));
  }

  it('members of all values in a history', async function () {
    this.retries(RETRIES_OF_LOST_TASKS);
    const { subscription, draft } = await aHeldDraft();
    const handle = handleOf(subscription.id);
    const isFound = (...members: string[]) =>
      eventually(
        () => membersOfRuns(subscription.id),
        (found) => members.every((member) => (found['billNext answers'] ?? []).includes(member)),
      );
    await isFound('billed', 'billed.aggregateUsage.invoice_id');
    await handle.signal('finalizeInvoice', draft.id);
    await isFound('billed.issueInvoice.status');
    await handle.signal('regenerateInvoice', draft.id);
    const found = await eventually(
      () => membersOfRuns(subscription.id),
      (members) => 'regenerateInvoice asks' in members,
    );
    assert.deepEqual(found, FROZEN_MEMBERS);
  });
});

function scheduledBy(
  events: readonly HistoryEvent[],
  completed: NonNullable<HistoryEvent['activityTaskCompletedEventAttributes']>,
): string {
  const scheduled = events.find(({ eventId }) => `${eventId}` === `${completed.scheduledEventId}`);
  return scheduled!.activityTaskScheduledEventAttributes!.activityType!.name!;
}

const WAIT = ['action', 'action.kind', 'action.until', 'action.wait_ms'];
const REGENERATE = ['action.invoice_id', 'action.regeneration_id'];
const SHOWN = [
  ...['customer_id', 'details', 'environment', 'last_invoice_id', 'period_end', 'plan_id', 'state'],
  'waits_until',
];
const BILLED = [
  ...['', '.aggregateUsage', '.aggregateUsage.invoice_id', '.aggregateUsage.line_items'],
  ...['.applyCredits', '.applyCredits.line_items', '.issueInvoice', '.issueInvoice.status'],
  ...['.period_end', '.period_start'],
];
/** A name that is recorded in histories is never changed. What local activities are asked is not recorded. */
const FROZEN_MEMBERS = {
  'billNext answers': [
    ...BILLED.map((member) => `billed${member}`),
    ...['step', 'workflow_code'],
    ...[...WAIT, ...REGENERATE, ...SHOWN].map((member) => `step.${member}`),
  ].sort(),
  'releaseDraft asks': ['environment_id', 'invoice_id', 'subscription_id'],
  'requestRegeneration asks': ['environment_id', 'invoice_id', 'subscription_id'],
  'regenerateInvoice asks': ['environment_id', 'invoice_id', 'kind', 'regeneration_id', 'subscription_id'],
};
