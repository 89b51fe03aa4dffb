import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { workflowLists } from '../../../api/dashboard/workflow-lists.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { newRequestId } from '../../../src/keys/ids.ts';
import { SEARCH_ATTRIBUTES, workflowIdOf } from '../../../workflows/messages.ts';
import { takePicture, useBrowser } from '../../support/servers/browser.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { daysAgo, subscriptionsOf } from '../../support/ledger/subscriptions.ts';
import { temporalUiUrl } from '../../support/servers/temporal.ts';

const { state, waits_until, last_invoice } = SEARCH_ATTRIBUTES;
/** Columns of the list, as the UI stores them in the browser per namespace. */
const COLUMNS = {
  billing: ['Workflow ID', state.name, waits_until.name, last_invoice.name].map((label) => ({ label })),
};
const GRACE_MS = 3_600_000;

describe('an operator in the Temporal UI', function () {
  const openWindow = useBrowser();
  const stack = useStack({ GRACE_PERIOD: '1h' });
  const { read, aHeldDraft, aParked } = subscriptionsOf(stack);
  const get = (path: string) => stack().done<Invoice>(stack().live_key, 'GET', path);
  const post = (path: string, body: object) => stack().done<Invoice>(stack().live_key, 'POST', path, body);

  let page: Page;
  let workflows: string;
  before(async () => {
    const window = await openWindow();
    await window.context.addInitScript(
      `localStorage.setItem('namespace-workflow-table-columns', '${JSON.stringify(COLUMNS)}')`,
    );
    page = window.page;
    workflows = `${await temporalUiUrl()}/namespaces/billing/workflows`;
  });

  const queryOf = (list: string, now = new Date().toISOString()) =>
    workflowLists(now).find(({ name }) => name === list)!.query;

  /** Opens a filtered list and waits until it shows the subscription; returns the cells of its row. */
  async function findInList(query: string, subscription_id: string): Promise<string[]> {
    const workflow_id = workflowIdOf(subscription_id);
    const { client } = stack().temporal;
    await eventually(
      () => client.workflow.count(`(${query}) and WorkflowId = '${workflow_id}'`),
      ({ count }) => count === 1,
    );
    const asked = page.waitForRequest((request) => {
      const { pathname, searchParams } = new URL(request.url());
      return pathname.endsWith('/billing/workflows') && searchParams.get('query') === query;
    });
    await page.goto(`${workflows}?${new URLSearchParams({ query }).toString()}`);
    await asked;
    const row = page.getByRole('row', { name: workflow_id });
    await row.waitFor();
    const [_mark, _menu, ...columns] = await row.getByRole('cell').allInnerTexts();
    return columns.map((text) => text.trim());
  }

  /** Opens the workflow from the list; returns the text of its details. */
  async function readDetails(subscription_id: string): Promise<string> {
    await page.getByRole('link', { name: workflowIdOf(subscription_id) }).click();
    await page.getByRole('tab', { name: 'User Metadata' }).click();
    // The first is the summary, which never changes.
    const details = page.frameLocator('iframe').last().getByRole('main');
    await details.getByText('Manual actions:').waitFor();
    return details.innerText();
  }

  /** Sends a signal from the page of a workflow. */
  async function sendSignal(name: string, input: string | null): Promise<void> {
    await page.getByRole('button', { name: 'More Actions' }).click();
    await page.getByRole('menuitem', { name: 'Send a Signal' }).click();
    const form = page.getByRole('dialog', { name: 'Send a Signal' });
    await form.getByRole('button', { name: 'Select a signal' }).click();
    await form.getByRole('option', { name: new RegExp(`^${name} `) }).click();
    // Filled, not typed: on the tab User Metadata the UI handles the key r as a shortcut.
    if (input !== null) await form.getByRole('textbox', { disabled: false }).fill(input);
    await takePicture(page, `temporal-signal-${name}`);
    await form.getByRole('button', { name: 'Submit' }).click();
    await form.waitFor({ state: 'hidden' });
  }

  it('opens the documented filters of the list', async () => {
    const { subscription } = await aHeldDraft();
    const queries = [queryOf('live subscriptions'), queryOf('overdue', '9000-01-01T00:00:00Z')];
    for (const query of queries) {
      const [, shown_state] = await findInList(query, subscription.id);
      assert.equal(shown_state, 'draft_held', query);
    }
  });

  it('sees of a held draft until when, why, and which manual actions there are', async () => {
    const { subscription, draft } = await aHeldDraft();
    const until = new Date(Date.parse(draft.period_end) + GRACE_MS).toISOString();
    const columns = await findInList(queryOf('drafts held for late events'), subscription.id);
    const shown_until = `${until.slice(0, 10)} UTC ${until.slice(11, 22)}`;
    assert.deepEqual(columns, [workflowIdOf(subscription.id), 'draft_held', shown_until, draft.id]);
    await takePicture(page, 'temporal-held');
    const details = await readDetails(subscription.id);
    assert.ok(details.startsWith(`Draft held: ${draft.id}, for `), details);
    assert.ok(
      details.includes(`held for late events until ${until}; then its usage is counted again`),
      details,
    );
    assert.ok(
      details.includes('the signal finalizeInvoice with the id of the draft issues the invoice now'),
      details,
    );
    await takePicture(page, 'temporal-held-details');
  });

  it('replaces an issued invoice with the signal regenerateInvoice from the form', async () => {
    const { subscription, draft } = await aHeldDraft();
    const used = { event_name: 'api_call', customer_id: subscription.customer_id, timestamp: daysAgo(0.5) };
    await post('/v1/events', { ...used, idempotency_key: newRequestId() });
    const { id } = await post(`/v1/invoices/${draft.id}/finalize`, {});
    await findInList(queryOf('collecting usage'), subscription.id);
    const offered = await readDetails(subscription.id);
    assert.ok(
      offered.includes('regenerateInvoice with the id of the last invoice regenerates that invoice'),
      offered,
    );
    await sendSignal('regenerateInvoice', JSON.stringify(id));
    const old = await eventually(
      () => get(`/v1/invoices/${id}`),
      ({ status }) => status === 'void',
    );
    const replacing = await get(`/v1/invoices/${old.replaced_by}`);
    assert.deepEqual([replacing.status, replacing.total, replacing.replaces], ['open', '1.00', id]);
    const columns = await findInList(
      `${queryOf('collecting usage')} and ${last_invoice.name} = '${replacing.id}'`,
      subscription.id,
    );
    assert.equal(columns.at(-1), replacing.id);
    assert.match(await readDetails(subscription.id), new RegExp(`${id}.*${replacing.id}`));
    await takePicture(page, 'temporal-regenerated');
  });

  it('finds a subscription that needs attention, reads why, and bills it with a wake from the form', async () => {
    const { subscription, draft } = await aParked();
    const columns = await findInList(queryOf('needs attention'), subscription.id);
    assert.deepEqual(columns, [workflowIdOf(subscription.id), 'needs_attention', '', draft.id]);
    await takePicture(page, 'temporal-needs-attention');
    const details = await readDetails(subscription.id);
    assert.ok(
      details.startsWith('Needs attention: Call the people who run Tidemark. The database rejected a row'),
      details,
    );
    assert.ok(details.includes('correct the problem, then send the signal wake to retry.'), details);
    await takePicture(page, 'temporal-needs-attention-details');
    await sendSignal('wake', null);
    const issued = await eventually(
      () => get(`/v1/invoices/${draft.id}`),
      ({ status }) => status === 'paid',
    );
    assert.equal(issued.total, '0.00');
    assert.equal((await read(subscription.id)).attention, null);
    const [, woken] = await findInList(queryOf('collecting usage'), subscription.id);
    assert.equal(woken, 'collecting_usage');
  });
});
