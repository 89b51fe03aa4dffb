import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { newSignInLink } from '../../src/sign-in-link.ts';
import { workflowIdOf } from '../../workflows/messages.ts';
import { stopEverything } from '../support/at-end.ts';
import { eventually } from '../support/eventually.ts';
import { startStack } from '../support/stack.ts';
import { daysAgo, subscriptionsOf } from '../support/subscriptions.ts';
import { at, requestsTo, testCustomersOn } from '../support/test-customer.ts';
import { TIERS } from '../support/tiers.ts';
import { temporalAddress, temporalUiUrl } from '../support/temporal.ts';

/**
 * `npm run pictures`: takes the pictures of README and of docs/operations.md again, from the real dashboard and the real Temporal UI, after
 * a change of their texts. Look at each picture before you commit it. The picture of the list of workflows is taken by hand.
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
    (invoices) => invoices.filter(({ status }) => status === 'open').length === 2,
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

  await openRun(workflow_id, (await describe(workflow_id)).runId);
  await chooseSignal(page);
  await save('images/signals');
  await page.getByText('regenerateInvoice').last().click();
  await page.getByRole('textbox').last().fill(`"${newest!.id}"`);
  await save('images/regenerate');

  await handleOf(id).signal('regenerateInvoice', newest!.id);
  await invoicesOf(id, (invoices) => invoices.some(({ status }) => status === 'void'));
  await showMetadata(workflow_id);
  await page.locator('iframe').last().contentFrame().getByText('Last regeneration').first().waitFor();
  await page.setViewportSize({ ...SIZE, height: 800 });
  await save('images/regenerated', 800);

  await takeInvoice(page);

  async function runsOf(workflow_id: string): Promise<string[]> {
    const runs: string[] = [];
    const query = `WorkflowId = '${workflow_id}'`;
    for await (const { runId } of started.temporal.client.workflow.list({ query })) runs.push(runId);
    return runs;
  }

  async function takeInvoice(page: Page): Promise<void> {
    const { advance, customer, grant, plan, subscribe, use } = testCustomersOn(requestsTo(stack));
    const customer_id = await customer({ name: 'Acme', tax_rate: '20' });
    const charge = { event_name: 'api_call', pricing_model: 'graduated', tiers: TIERS };
    await subscribe(customer_id, await plan([charge]));
    await grant(customer_id, 1, { rollover: true });
    await use(
      customer_id,
      Array.from({ length: 5 }, () => ({ timestamp: at('01-02') })),
    );
    const [invoice] = await advance(customer_id, at('02-01'));
    const link = await newSignInLink(started.pool, `${started.api_url}/`);
    await page.goto(link!);
    await page.getByText('Home').first().waitFor();
    await page.setViewportSize({ width: 1180, height: 900 });
    await page.goto(`${started.api_url}/test/invoices/${invoice.id}`);
    await page.locator('summary').first().click();
    await page.getByText('Idempotency key').waitFor();
    await page.screenshot({ path: `${DOCS}invoice.png`, fullPage: true });
    console.log('docs/invoice.png');
  }
} finally {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  await stopEverything();
}

async function chooseSignal(page: Page): Promise<void> {
  await page.getByText('More Actions').click();
  await page.getByText('Send a Signal').click();
  await page.getByText('Select a signal').click();
  await page.getByText('generateNow').waitFor();
}
