import { lookupTablesApi } from '@albedo/contract/lookup-tables/lookup-tables.api';
import { expect } from '@playwright/test';
import { SftpTestServer } from '../apps/cloud/src/external-sources/sftp-server.test-kit.ts';
import { OWNER } from './owner.ts';
import { openAs, test } from './pages.ts';
import { bringIn, callerOf } from './people.ts';

const CARLA = { name: 'Carla Field', email: 'carla.field@example.org', password: 'a folder by the sea' };
const server = new SftpTestServer();
test.beforeAll(() => server.start());
test.afterAll(() => server.stop());

/** A file of a German logger. */
const DAY = [
  'Anlage: Süddach;;',
  '',
  'Datum;Leistung;Ertrag',
  ';kW;kWh',
  '01.06.2026 10:00;1,5;3,5',
  '01.06.2026 11:00;2,5;4,5',
  'gestern;2,5;4,5',
].join('\r\n');

test('a coordinator brings in the files of a folder, sees what came, and refreshes a lookup table from one', async ({
  page,
}) => {
  const owner = await callerOf(OWNER);
  const claims = JSON.parse(Buffer.from(owner.token.split('.')[1] ?? '', 'base64url').toString()) as {
    defaultWorkgroup: string;
  };
  const wg = claims.defaultWorkgroup;
  await bringIn(OWNER, wg, CARLA, { role: 'power', permissions: ['read', 'coordinate'] });
  const states = { code: 'logger-states', name: 'Logger states' };
  await owner.call(lookupTablesApi.create, { params: { wg }, body: states });
  server.put('day.csv', Buffer.from(DAY, 'latin1'));

  await openAs(page, '/admin/data/external-sources', 'Data', CARLA);
  await page.getByRole('button', { name: 'New external source' }).first().click();
  const dialog = page.getByRole('dialog');
  const choose = async (label: string, option: string) => {
    await dialog.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const fillFolder = async (name: string) => {
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await choose('Kind', 'SFTP folder');
    await dialog.getByLabel('Address of the server').fill(server.address);
    await dialog.getByLabel('User', { exact: true }).fill(server.user);
    await dialog.getByLabel('Password', { exact: true }).fill(server.password);
    await dialog.getByLabel('Folder', { exact: true }).fill('/out');
  };
  await fillFolder('Logger');
  await dialog.getByRole('button', { name: 'Try it' }).click();
  await expect(dialog.getByText('01.06.2026 10:00')).toBeVisible();
  await expect(dialog.getByLabel('Key of the server')).toHaveValue(server.hostKey);
  await dialog.getByLabel('Table', { exact: true }).fill('logger');
  await dialog.getByLabel('Source', { exact: true }).fill('roof');
  await expect(dialog.getByRole('combobox', { name: 'Column with the time', exact: true })).toHaveValue(
    'Datum',
  );
  await dialog.getByRole('button', { name: 'Leistung', exact: true }).click();
  await dialog.getByRole('button', { name: 'Try it' }).click();
  await expect(dialog.getByText('2 events in 3 records')).toBeVisible();
  await expect(dialog.getByText('Line 7: gestern is not a time.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();

  const row = page.getByRole('row', { name: /Logger/ });
  await row.getByRole('button', { name: 'Actions for Logger' }).click();
  await page.getByRole('menuitem', { name: 'History' }).click();
  const history = page.getByRole('dialog', { name: 'History of Logger' });
  await history.getByRole('button', { name: 'Read now' }).click();
  await expect(history.getByText('day.csv: 3 records, 2 new')).toBeVisible();
  await history.getByRole('button', { name: 'Close', exact: true }).last().click();

  // A lookup table from the same server.
  server.files.clear();
  server.put('states.csv', 'code;text_en;text_de\n1;Running;In Betrieb\n3;Fault;Störung\n');
  await page.getByRole('button', { name: 'New external source' }).click();
  await fillFolder('Words');
  await dialog.getByText('Words for codes').click();
  await choose('Lookup table', 'Logger states');
  await dialog.getByRole('button', { name: 'Try it' }).click();
  await expect(dialog.getByText('In Betrieb')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Column with the code' }).fill('code');
  await dialog.getByLabel('Field the codes belong to').fill('Status');
  await dialog.getByRole('button', { name: 'text_en', exact: true }).click();
  await dialog.getByRole('button', { name: 'text_de', exact: true }).click();
  await dialog.getByRole('button', { name: 'Try it' }).click();
  await expect(dialog.getByText('2 values: 2 new, 0 changed, 0 gone')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Words/ }).getByRole('button', { name: 'Actions for Words' }).click();
  await page.getByRole('menuitem', { name: 'Read now' }).click();
  await expect(page.getByText('Words: 2 values changed')).toBeVisible();
  const tables = await owner.call(lookupTablesApi.list, { params: { wg } });
  expect(tables.find(({ code }) => code === states.code)?.values[1]).toEqual({
    value: '3',
    field: 'Status',
    fields: { en: 'Fault', de: 'Störung' },
  });
});
