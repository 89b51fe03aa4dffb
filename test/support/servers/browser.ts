import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { newSignInLink } from '../../../src/db/account/sign-in-link.ts';
import { useCommand } from './debian.ts';
import type { Stack } from './stack.ts';

/** Screenshots of the last run; not in the repository. */
const PICTURES = fileURLToPath(new URL('../../screenshots', import.meta.url));
const SHOWN_LIMIT_MS = 10_000;

export const WIDTHS = { desktop: 1400, phone: 360 } as const;

/** A browser window for one origin. */
export type Window = {
  page: Page;
  context: BrowserContext;
  /** Throws if a page requested another origin or logged an error to the console. */
  assertQuiet: () => void;
};

/** Returns, within a describe, a function that opens windows of a real browser, each with its own cookies. They are closed at the end. */
export function useBrowser(): (width?: number) => Promise<Window> {
  useCommand('chromium', 'chromium');
  let browser: Browser | null = null;
  before(async function () {
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    // Chromium's sandbox needs privileges that containers lack, and refuses root.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  });
  after(() => browser?.close());
  const pages: Page[] = [];
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    for (const [at, page] of pages.entries()) if (!page.isClosed()) await takePicture(page, `failed-${at}`);
  });
  return async (width = WIDTHS.desktop) => {
    const context = await browser!.newContext({
      viewport: { width, height: 900 },
      timezoneId: 'America/Los_Angeles',
    });
    context.setDefaultTimeout(SHOWN_LIMIT_MS);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    pages.push(page);
    return { page, context, assertQuiet: watch(page) };
  };
}

function watch(page: Page): () => void {
  const faults: string[] = [];
  let origin: string | null = null;
  page.on('request', (request) => {
    const asked = new URL(request.url());
    if (asked.protocol === 'blob:' || asked.protocol === 'data:') return;
    origin ??= asked.origin;
    if (asked.origin !== origin) faults.push(`asked ${asked.href}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The browser logs every response that is not 2xx, and tests provoke some on purpose.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  return () => assert.deepEqual(faults, []);
}

/** Accessibility violations that axe rates serious or critical, one per line. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Saves the full page as test/screenshots/NAME.png. */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

/** The tables of a page that scroll in their box: on a phone each item is a card or has two lines, so that none does. */
export function scrolledTables(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('.table-scroll')]
       .filter((box) => box.scrollWidth > box.clientWidth + 1)
       .map((box) => box.getAttribute('aria-label') + ': ' + (box.scrollWidth - box.clientWidth) + ' pixels')`,
  );
}

/** Asserts that nothing of a page is too wide or out of reach at both widths, of which it takes pictures. */
export async function assertFits(page: Page, name: string): Promise<void> {
  for (const [device, width] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width, height: 900 });
    await takePicture(page, `${name}-${device}`);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(overflow <= 0, `${device}: ${overflow} pixels too wide`);
    if (device === 'phone') assert.deepEqual(await scrolledTables(page), []);
  }
  assert.deepEqual(await seriousFaults(page), []);
  await page.setViewportSize({ width: WIDTHS.desktop, height: 900 });
}

/** Signs in by a new link, and waits for Home. */
export async function signIn(page: Page, { pool, api_url }: Pick<Stack, 'pool' | 'api_url'>): Promise<void> {
  await page.goto((await newSignInLink(pool, `${api_url}/`))!);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}

/** The choices that the comboboxes of a page offer now. */
export function choices(page: Page): Locator {
  return page.locator('[role=listbox] [role=option]');
}

/** Chooses in a combobox by its label the first of what the words find. */
export async function choose(page: Page, label: string, words: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).fill(words);
  await choices(page).filter({ hasText: words }).first().click();
}
