import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Only colours differ between the schemes. */
const COLOURS = ['color-contrast'];
const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 390, height: 844 };
const TABLET = { width: 820, height: 1180 };

/** Bar and menu stand on every screen; they are looked at on the first screen that is shown in this way, not on all. */
const SHELL = ['header', 'nav'];
const shellsSeen = new WeakMap<Page, Set<string>>();

async function hasNewShell(page: Page, shown: string): Promise<boolean> {
  const seen = shellsSeen.get(page) ?? new Set();
  shellsSeen.set(page, seen);
  if (seen.has(shown) || (await page.locator('header').count()) === 0) return false;
  seen.add(shown);
  return true;
}

/** What keeps people out; the tool lists lesser findings on request. Without `rules` all of them count. */
async function seriousFindings(page: Page, shown: string, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // Nothing of ours has frames: one run in the page itself needs no second page to put the parts together in.
    .setLegacyMode()
    // Describing everything that is well takes longer than looking for what is not.
    .options({ resultTypes: ['violations'], preload: false });
  if (!(await hasNewShell(page, shown))) for (const part of SHELL) axe.exclude(part);
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/** Nothing serious on what stands on the screen now, in both schemes, and the page never scrolls sideways. */
export async function expectOpenToAll(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await paint(page, colorScheme);
    const rules = colorScheme === 'light' ? undefined : COLOURS;
    expect.soft(await seriousFindings(page, colorScheme, rules), `${what}, ${colorScheme}`).toEqual([]);
  }
  await expectOneColumn(page, what);
}

/** On a light screen of 1280 px and on a dark phone: every colour and every layout once. Leaves the wide one behind. */
export async function expectOpenOnAllScreens(page: Page, what: string): Promise<void> {
  await paint(page, 'light');
  expect.soft(await seriousFindings(page, 'light'), `${what}, light`).toEqual([]);
  await expectOneColumn(page, what);
  await page.setViewportSize(NARROW);
  await paint(page, 'dark');
  expect.soft(await seriousFindings(page, 'phone'), `${what}, dark, on a phone`).toEqual([]);
  await expectOneColumn(page, `${what}, on a phone`);
  await page.setViewportSize(TABLET);
  await expectWholeLists(page, `${what}, on a tablet`);
  await page.setViewportSize(WIDE);
}

/** No list cuts its last column, and no caption breaks inside a word. */
async function expectWholeLists(page: Page, what: string): Promise<void> {
  await expectOneColumn(page, what);
  // A table measures its width only after the viewport has changed.
  await expect.poll(() => page.evaluate(cutLists), { message: `${what}, lists`, timeout: 5000 }).toEqual([]);
}

/** The faults of the lists on screen, in words. Runs in the page. */
function cutLists(): string[] {
  const faults: string[] = [];
  const range = document.createRange();
  for (const list of document.querySelectorAll<HTMLElement>('[role=grid], main table')) {
    const name =
      list.getAttribute('aria-label') ?? list.closest('[aria-label]')?.getAttribute('aria-label') ?? 'table';
    const captions = [...list.querySelectorAll<HTMLElement>('[role=columnheader], thead th')];
    const last = captions.at(-1)?.getBoundingClientRect();
    const box = list.getBoundingClientRect();
    // Tables with more columns than fit scroll inside themselves, and their edges show it.
    const scrolls = list.closest('[data-more], [class*=scroll]') !== null && list.matches('table');
    if (last && last.width > 0 && !scrolls && last.right > box.right + 1)
      faults.push(`${name}: the last column ends ${Math.round(last.right - box.right)} px outside`);
    for (const caption of captions) {
      const walker = document.createTreeWalker(caption, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        for (const { index, 0: word } of (text.nodeValue ?? '').matchAll(/\p{L}{2,}/gu)) {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) faults.push(`${name}: the caption "${text.nodeValue}" breaks inside ${word}`);
        }
      }
    }
  }
  return faults;
}

/**
 * Shows the page in the scheme with all animations finished: a half-faded text has too little contrast. Waiting for them does
 * not work, since a page in the background may draw nothing for minutes.
 */
async function paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(() => {
    // Skeletons move without end, so they are left alone.
    const passing = () =>
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
    // When a colour finishes, the transitions of elements that inherit it start.
    for (let round = 0, moving = passing(); moving.length > 0 && round < 100; round++, moving = passing())
      for (const animation of moving) animation.finish();
  });
}

async function expectOneColumn(page: Page, what: string): Promise<void> {
  expect.soft(await page.locator('main main').count(), `${what}, one main`).toBe(0);
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(beyond, `${what}, sideways`).toBeLessThanOrEqual(0);
}
