import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What keeps people out; lesser findings are told by the tool when one asks for them. Without `rules` by all of them. */
export async function seriousFindings(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/** Nothing serious on what stands on the screen now, in both schemes, and the page never scrolls sideways. */
export async function expectOpenToAll(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // What fades in has half the contrast on its way.
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)));
    // Only colours differ between the schemes.
    const rules = colorScheme === 'light' ? undefined : ['color-contrast'];
    expect.soft(await seriousFindings(page, rules), `${what}, ${colorScheme}`).toEqual([]);
  }
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(beyond, `${what}, sideways`).toBeLessThanOrEqual(0);
}
