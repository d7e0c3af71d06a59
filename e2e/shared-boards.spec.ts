import { boardsApi } from '@albedo/contract/boards/boards.api';
import { entitiesApi } from '@albedo/contract/entities/entities.api';
import { labelsOf } from '@albedo/contract/entities/labels';
import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import { expect } from '@playwright/test';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { callerOf } from './people.ts';

test('a dashboard of a new label serves each entity with it, and a widget that it shares with another dashboard follows a change', async ({
  page,
}) => {
  const caller = await callerOf(OWNER);
  const word = crypto.randomUUID().slice(0, 8);
  const wg = 'demo';
  const label = `Roofs ${word}`;
  await openAs(page, '/admin/entities/labels', 'Entities');
  await page.getByRole('button', { name: 'New label' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(label);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(label, { exact: true })).toBeVisible();
  const settings = await caller.call(workgroupsApi.settings, { params: { wg } });
  const { id } = labelsOf(settings).find((one) => one.name === label) ?? { id: '' };
  const names = [`East ${word}`, `West ${word}`] as const;
  for (const name of names)
    await caller.call(entitiesApi.create, { params: { wg }, body: { name, labels: [id] } });

  // From nothing: the list, the label, one widget, and it into the library.
  await page.goto('/entities/dash3-edit');
  await page.getByRole('button', { name: 'Dashboard settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill(`Roof ${word}`);
  await page.getByRole('combobox', { name: 'Label' }).click();
  await page.getByRole('option', { name: label }).click();
  await page.getByRole('button', { name: 'Add widget' }).first().click();
  await page.getByRole('menuitem', { name: 'Text', exact: true }).click();
  await page.getByLabel('Title').fill(`Notice ${word}`);
  await page.getByLabel('Text', { exact: true }).fill('Mind the dog of {entity}.');
  await page.getByRole('button', { name: 'Save to the library' }).click();
  await page.getByRole('button', { name: 'Save to the library' }).click();
  await expect(page.getByText(`In the library: Notice ${word}`)).toBeVisible();

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/\/entities\/dash3\/[0-9a-f-]{36}/);
  // The editor has a picker too, which goes with it.
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Entity', exact: true }).click();
  await page.getByRole('option', { name: names[1] }).click();
  await expect(page.getByText(`Mind the dog of ${names[1]}.`)).toBeVisible();

  // A second dashboard shows the same widget.
  const { _id } = await caller.call(entitiesApi.create, { params: { wg }, body: { name: `Yard ${word}` } });
  await page.goto(`/entities/dash3-edit?type=entity&id=${_id}`);
  await page.getByRole('button', { name: 'Add widget' }).first().click();
  await page.getByRole('menuitem', { name: 'From the library' }).click();
  await page.getByRole('button', { name: `Add Notice ${word}` }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/\/entities\/dash3\/[0-9a-f-]{36}/);
  await expect(page.getByText(`Mind the dog of Yard ${word}.`)).toBeVisible();

  // What is changed on the one is changed on the other.
  const boards = await caller.call(boardsApi.list, { params: { wg } });
  const first = boards.find(({ name }) => name === `Roof ${word}`);
  await page.goto(`/entities/dash3-edit/${first?._id}`);
  await page.getByRole('button', { name: `Edit Notice ${word}` }).click();
  await expect(page.getByText('2 dashboards use it.', { exact: false })).toBeVisible();
  await page.getByLabel('Text', { exact: true }).fill('Beware of the cat of {entity}.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(`Beware of the cat of ${names[0]}.`)).toBeVisible();
  const second = boards.find(({ typeId }) => typeId === _id);
  await page.goto(`/entities/dash3/${second?._id}`);
  await expect(page.getByText(`Beware of the cat of Yard ${word}.`)).toBeVisible();
});
