import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { workflowIdOf } from '../../workflows/messages.ts';
import { stopEverything } from '../support/servers/at-end.ts';
import { eventually } from '../support/servers/eventually.ts';
import { startStack } from '../support/servers/stack.ts';
import { daysAgo, subscriptionsOf } from '../support/ledger/subscriptions.ts';
import { temporalAddress, temporalUiUrl } from '../support/servers/temporal.ts';

/**
 * `npm run pictures`: takes pictures of docs/operations.md again, from the real Temporal UI, after a change of its texts. Look at each
 * picture before you commit it, and reduce it to 120 KB (8-bit colors). The pictures of the list of workflows and of the form of
 * signals are taken by hand.
 */
const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const SIZE = { width: 1280, height: 720 };

const stops: (() => Promise<void>)[] = [];
try {
  const started = await startStack({ GRACE_PERIOD: '1h', TEMPORAL_ADDRESS: await temporalAddress() }, stops);
  const stack = () => started;
  const ui_url = await temporalUiUrl();
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  stops.push(() => browser.close());
  const page = await browser.newPage({ viewport: SIZE, timezoneId: 'UTC' });

  const save = async (name: string, height = SIZE.height) => {
    await page.screenshot({ path: `${DOCS}${name}.png`, clip: { x: 0, y: 0, width: SIZE.width, height } });
    console.log(`docs/${name}.png`);
  };
  const openRun = async (workflow_id: string, run_id: string, tab = 'history') => {
    await page.goto(`${ui_url}/namespaces/billing/workflows/${workflow_id}/${run_id}/${tab}`);
    await page.getByText('Run ID').waitFor();
  };
  const showMetadata = async (workflow_id: string) => {
    await openRun(workflow_id, (await describe(workflow_id)).runId);
    await page
      .getByRole('tab', { name: 'User Metadata' })
      .or(page.getByText('User Metadata'))
      .first()
      .click();
    // The UI shows Markdown in a frame.
    await page.locator('iframe').last().contentFrame().getByText('Ids:').first().waitFor();
  };
  const describe = (workflow_id: string) =>
    started.temporal.client.workflow.getHandle(workflow_id).describe();

  const { aParked, handleOf, invoicesOf, subscribe } = subscriptionsOf(stack);
  const { subscription: parked } = await aParked();
  await showMetadata(workflowIdOf(parked.id));
  await save('images/needs-attention', 640);

  const { id } = await subscribe({ start_date: daysAgo(75) });
  const [newest] = await invoicesOf(
    id,
    (invoices) => invoices.filter(({ status }) => status !== 'draft').length === 2,
  );
  const workflow_id = workflowIdOf(id);
  const first_run = (
    await eventually(
      () => runsOf(workflow_id),
      ({ length }) => length >= 2,
    )
  ).at(-1)!;
  await openRun(workflow_id, first_run);
  await page
    .getByText('Event History')
    .first()
    .evaluate((heading) => heading.scrollIntoView());
  await page
    .getByText(/issueInvoice/)
    .first()
    .waitFor();
  await save('images/closed-period', 476);

  await handleOf(id).signal('regenerateInvoice', newest!.id);
  await invoicesOf(id, (found) => found.some(({ status }) => status === 'void'));
  await showMetadata(workflow_id);
  await page.locator('iframe').last().contentFrame().getByText('Last regeneration').first().waitFor();
  await page.setViewportSize({ ...SIZE, height: 800 });
  await save('images/regenerated', 800);

  async function runsOf(workflow_id: string): Promise<string[]> {
    const runs: string[] = [];
    const query = `WorkflowId = '${workflow_id}'`;
    for await (const { runId } of started.temporal.client.workflow.list({ query })) runs.push(runId);
    return runs;
  }
} finally {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  await stopEverything();
}
