import { expect, type Page } from '@playwright/test';
import { openAs, test } from './pages.ts';
import { LIVING } from './product.ts';
import { readStored, weightedAverage } from './stored.ts';

const DAY_MS = 86_400_000;

/** What the legend of the page's only chart says: names and figures, without what is under the crosshair. */
const legendOf = (page: Page) =>
  page
    .getByRole('region', { name: /^Legend of/ })
    .evaluate((legend) =>
      [...legend.querySelectorAll('tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.textContent),
      ),
    );

test('two fields are charted and compared with the day before, and the link opens the same picture', {
  tag: LIVING,
}, async ({ page, context }) => {
  await openAs(page, '/analysis', 'Analysis');
  await expect(page.getByText('Choose what to chart')).toBeVisible();
  const fields = page.getByRole('complementary', { name: 'Fields' });
  await fields.getByRole('button', { name: 'Hilltop' }).click();
  for (const source of ['inv-01', 'inv-02']) {
    await fields.getByRole('button', { name: source, exact: false }).click();
    await fields
      .getByRole('checkbox', { name: /^AC Power kW|^AC Power W/ })
      .last()
      .check();
  }
  await expect(fields.getByText('2 lines selected')).toBeVisible();

  // A day that has passed, so that the values stand still.
  await page.getByRole('button', { name: 'Last day' }).click();
  await page.getByRole('button', { name: 'Yesterday', exact: true }).click();
  await page.getByRole('combobox', { name: 'Compare with …' }).click();
  await page.getByRole('option', { name: 'A day earlier' }).click();
  const chart = page.getByRole('group', { name: /^Chart: Hilltop/ });
  await expect(page.getByRole('button', { name: 'inv-02, a day earlier' })).toBeVisible();

  // The crosshair is pinned, and the legend lists the values there.
  await chart.click({ position: { x: 400, y: 100 } });
  await expect(page).toHaveURL(/compare=day.*at=/);
  await page.getByRole('heading', { name: 'Analysis' }).hover();
  const copy = await context.newPage();
  await copy.goto(page.url());
  // The history of the demo still comes in: both pages ask until it is there.
  await expect(async () => {
    await Promise.all([page.reload(), copy.reload()]);
    await expect(copy.getByRole('button', { name: 'inv-02, a day earlier' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'inv-02, a day earlier' })).toBeVisible();
    const shown = await legendOf(page);
    expect(shown).toHaveLength(4);
    expect(shown.flat()).not.toContain('–');
    expect(await legendOf(copy)).toEqual(shown);
  }).toPass();

  // A formula over both, checked while it is written.
  await fields.getByRole('button', { name: 'New formula' }).click();
  const dialog = page.getByRole('dialog', { name: 'New formula' });
  await dialog.getByLabel('Name', { exact: true }).fill('Both inverters');
  await dialog.getByLabel('Formula', { exact: true }).fill('a + c');
  await expect(dialog.getByText('Character 5: No input is named “c”.')).toBeVisible();
  await dialog.getByLabel('Formula', { exact: true }).fill('a + b');
  await expect(dialog.getByText(/^The result is in k?W\.$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Both inverters', exact: true })).toBeVisible();
});

/** Watts of what a legend writes, such as “3.83 kW”, and how many of them its last digit is worth. */
function wattsOf(text: string): { watts: number; digit: number } {
  const [, figure = '', unit = ''] = /^(-?[\d.,]+)\s*(\w+)$/.exec(text.trim()) ?? [];
  const factor = { W: 1, kW: 1e3, MW: 1e6 }[unit];
  if (!factor) throw new Error(`“${text}” is no power.`);
  const decimals = figure.split('.')[1]?.length ?? 0;
  return { watts: Number(figure.replaceAll(',', '')) * factor, digit: factor / 10 ** decimals };
}

test('what the legend says of a day is what SQL finds in the store, however wide the chart is', {
  tag: LIVING,
}, async ({ page }) => {
  await openAs(page, '/analysis', 'Analysis');
  const fields = page.getByRole('complementary', { name: 'Fields' });
  await fields.getByRole('button', { name: 'Hilltop' }).click();
  for (const source of ['inv-01', 'inv-02']) {
    await fields.getByRole('button', { name: source, exact: false }).click();
    await fields
      .getByRole('checkbox', { name: /^AC Power kW|^AC Power W/ })
      .last()
      .check();
  }
  await expect(fields.getByText('2 lines selected')).toBeVisible();
  const { pathname, searchParams } = new URL(page.url());
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const day = [midnight - DAY_MS, midnight].map((at) => new Date(at).toISOString());
  searchParams.set('range', day.join('_'));
  const streams = (JSON.parse(searchParams.get('line') ?? '[]') as string[]).map((line) => {
    const [device = '', table = '', source = '', field = ''] = line.split('~').map(decodeURIComponent);
    return { device, table, source, field };
  });
  // The history of the demo still comes in: page and store are read until they stand still.
  await expect(async () => {
    await page.goto(`${pathname}?${searchParams}`);
    await expect(page.getByRole('button', { name: 'inv-02' }).last()).toBeVisible();
    const stored = await readStored(streams, midnight - DAY_MS, midnight);
    const shown = await legendOf(page);
    expect(shown).toHaveLength(2);
    for (const [index, values] of stored.entries()) {
      expect(values.length).toBeGreaterThan(200);
      const all = values.map(([, value]) => value);
      const expected = [all.at(-1) ?? 0, Math.min(...all), weightedAverage(values), Math.max(...all)];
      for (const [at, text] of (shown[index] ?? []).slice(-4).entries()) {
        const { watts, digit } = wattsOf(text ?? '');
        expect(Math.abs(watts - (expected[at] ?? 0)), `${text}`).toBeLessThanOrEqual(digit);
      }
    }
    for (const width of [900, 1900]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await legendOf(page)).toEqual(shown);
    }
  }).toPass({ timeout: 240_000 });
});

test('all inverters of a site are compared by what they are, beside the site as a whole, and the link opens the same', {
  tag: LIVING,
}, async ({ page, context }) => {
  await openAs(page, '/analysis', 'Analysis');
  await page.getByRole('tab', { name: 'Entities' }).click();
  await expect(page).toHaveURL(/\/analysis\/entities/);
  const fields = page.getByRole('complementary', { name: 'Fields' });
  await fields.getByRole('textbox', { name: 'Search entities and fields' }).fill('hilltop');
  const site = fields.getByRole('region', { name: 'Portfolio › Hilltop winery', exact: true });
  await site.getByRole('button', { name: /^Portfolio › Hilltop winery/ }).click();
  await site.getByRole('checkbox', { name: 'AC power W of 2' }).check();
  await site.getByRole('button', { name: 'AC power of each part' }).click();
  await page.getByRole('menuitem', { name: 'Each of the 2 with the label “Inverter”' }).click();
  await expect(fields.getByText('3 lines selected')).toBeVisible();
  const { pathname, searchParams } = new URL(page.url());
  const midnight = new Date().setUTCHours(0, 0, 0, 0);
  const day = [midnight - DAY_MS, midnight].map((at) => new Date(at).toISOString());
  searchParams.set('range', day.join('_'));
  const copy = await context.newPage();
  // The history of the demo still comes in: read until it stands still.
  await expect(async () => {
    await copy.goto(`${pathname}?${searchParams}`);
    await expect(copy.getByRole('button', { name: 'Inverter 2', exact: true })).toBeVisible();
    const shown = await legendOf(copy);
    expect(shown.map(([, name]) => name ?? '')).toHaveLength(3);
    // The means of both inverters make up that of the site; theirs are of every value, its own of intervals.
    const [whole, first, second] = shown.map((row) => wattsOf(row.at(-2) ?? ''));
    if (!whole || !first || !second) throw new Error('A line is missing.');
    expect(first.watts).toBeGreaterThan(0);
    expect(Math.abs(first.watts + second.watts - whole.watts)).toBeLessThanOrEqual(
      2 * whole.digit + whole.watts / 100,
    );
  }).toPass({ timeout: 240_000 });
});
