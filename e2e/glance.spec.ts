import { alertsApi } from '@albedo/contract/alerts/alerts.api';
import { glanceApi } from '@albedo/contract/glance/glance.api';
import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { callerOf } from './people.ts';
import { LIVING } from './product.ts';

const ALERT = {
  name: 'Below what was promised',
  kind: 'query' as const,
  severity: 'high',
  table: 'solar',
  conditions: [{ field: 'AC Power', operator: '<', value: 1_000_000_000 }],
  response: 'Call the electrician.',
};

test('a stranger with a phone learns what is wrong, what it costs, since when, what to do, and whether it is true', {
  tag: LIVING,
}, async ({ page }) => {
  const owner = await callerOf(OWNER);
  const params = { wg: 'demo' };
  const plants = async () => (await owner.call(glanceApi.get, { params })).plants.length;
  await expect.poll(plants, { timeout: 120_000 }).toBe(3);
  const { _id: alert } = await owner.call(alertsApi.create, { params, body: ALERT });
  try {
    await page.setViewportSize({ width: 390, height: 844 });
    await openAs(page, '/entities/dash3', 'Overview');

    // The bar has at most four things; the search has a label.
    const bar = page.getByRole('banner');
    await expect(bar.getByText('Search')).toBeVisible();
    expect(await bar.locator('button:visible, a:visible').count()).toBeLessThanOrEqual(4);

    // The first screen starts with what is wrong, its cost and since when; then power, energy and plants.
    const wrong = page.getByRole('article', { name: 'What is wrong' });
    const first = wrong.getByRole('listitem').first();
    await expect(first).toContainText(/since \d\d:\d\d · (about|cost unknown)/, { timeout: 60_000 });
    for (const name of ['What is wrong', 'Power now', 'Energy today', 'Plants, worst first'])
      await expect(page.getByRole('article', { name })).toBeInViewport();

    // A plant shows one number and a sentence, what to do, and where the number comes from.
    await page.getByRole('article', { name: 'Plants, worst first' }).getByRole('link').first().click();
    const head = page.getByRole('region', { name: /at a glance$/ });
    await expect(head).toBeInViewport();
    await expect(head).toContainText('What to do: Call the electrician.');
    await head.getByRole('button', { name: 'Is this true?' }).click();
    await expect(head).toContainText(/Newest value.*(ago|now)/);
    await head.getByRole('link', { name: 'Open the incident' }).click();
    await expect(page.getByRole('heading', { name: 'Alerts', level: 1 })).toBeVisible();
  } finally {
    await owner.call(alertsApi.remove, { params: { ...params, alert } });
  }
});
