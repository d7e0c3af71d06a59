import { expect, type Page } from '@playwright/test';
import { openAs, test } from './pages.ts';
import { LIVING } from './product.ts';

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
