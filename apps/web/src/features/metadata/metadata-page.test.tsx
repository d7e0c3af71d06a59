import type { MetadataInUse, MetadataPlan } from '@albedo/contract/metadata/metadata.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { MetadataPage } from './metadata-page.tsx';
import { SourceInfoCard } from './source-info-card.tsx';

const IN_USE: MetadataInUse = {
  devices: 3,
  deviceFields: [
    { name: 'Site', count: 3, example: 'Hill' },
    { name: 'Contact', count: 1, example: 'Ida' },
  ],
  sources: 0,
  sourceFields: [],
};

/** A workgroup with these settings and one device; `settings` follows what is saved. */
function network(
  settings: Record<string, unknown>,
  beforeSave = async (): Promise<unknown> => undefined,
  plan: MetadataPlan | null = null,
) {
  const device = { ...buildDevice('Roof'), settings: { info: { Contact: 'Ida', Site: 'Hill' } } };
  return fakeNetwork(async ({ method, path, body }) => {
    if (method === 'PUT') {
      await beforeSave();
      if (path.endsWith('/field')) return { body: { changed: 3 } };
      const key = path.split('/').at(-1) as string;
      settings[key] = (body as { value: unknown }).value;
      return { body: settings };
    }
    if (method === 'POST') return { body: path.endsWith('/preview') ? plan : { ...plan } };
    if (path.endsWith('/orgs'))
      return { body: [{ name: 'demo', displayName: 'Demo', addons: [], archs: [], settings }] };
    if (path.endsWith('/device/metadata')) return { body: IN_USE };
    if (path.endsWith(device.id)) return { body: device };
    return { body: [device] };
  });
}

const terms = () => screen.getAllByRole('term').map((term) => term.textContent);
const definitions = () => screen.getAllByRole('definition').map((one) => one.textContent);

test('fields are chosen, put in order and taken away, and the preview follows', async () => {
  signInAs();
  const settings: Record<string, unknown> = {};
  network(settings);
  await showScreen(<MetadataPage />);
  await screen.findByText('Nothing chosen, so the page of a device shows all of its fields.');
  await vi.waitFor(() => expect(terms()).toEqual(['Contact', 'Site']));

  await userEvent.click(screen.getByRole('button', { name: 'Site (3)' }));
  await vi.waitFor(() => expect(settings.deviceInfoKeys).toEqual(['Site']));
  expect(await screen.findByText('3 of 3 devices, such as Hill')).toBeTruthy();

  const ofDevices = within(screen.getByRole('region', { name: 'Fields of devices' }));
  await userEvent.type(ofDevices.getByPlaceholderText('Name of a field'), 'Fire brigade{Enter}');
  await vi.waitFor(() => expect(settings.deviceInfoKeys).toEqual(['Site', 'Fire brigade']));
  await userEvent.click(await screen.findByRole('button', { name: 'Move Fire brigade up' }));
  await vi.waitFor(() => expect(settings.deviceInfoKeys).toEqual(['Fire brigade', 'Site']));
  await vi.waitFor(() => expect(terms()).toEqual(['Fire brigade', 'Site']));
  expect(definitions()).toEqual(['Not set', 'Hill']);
  await userEvent.click(screen.getByRole('button', { name: '1 more field' }));
  expect(terms()).toEqual(['Fire brigade', 'Site', 'Contact']);

  for (const name of ['Fire brigade', 'Site'])
    await userEvent.click(await screen.findByRole('button', { name: `Remove ${name}` }));
  await vi.waitFor(() => expect(settings.deviceInfoKeys).toBe(null));
});

test('fields that are chosen faster than they are saved are all chosen', async () => {
  signInAs();
  const settings: Record<string, unknown> = {};
  const puts: (() => void)[] = [];
  const answered = network(settings, () => new Promise((done) => puts.push(() => done(undefined))));
  await showScreen(<MetadataPage />);
  for (const name of ['Site (3)', 'Contact (1)'])
    await userEvent.click(await screen.findByRole('button', { name }));
  expect(screen.getByText('1 of 3 devices, such as Ida')).toBeTruthy();
  await vi.waitFor(() => expect(puts).toHaveLength(1));
  puts[0]?.();
  await vi.waitFor(() => expect(puts).toHaveLength(2));
  puts[1]?.();
  await vi.waitFor(() => expect(settings.deviceInfoKeys).toEqual(['Site', 'Contact']));
  expect(answered.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { value: ['Site'] },
    { value: ['Site', 'Contact'] },
  ]);
});

test('a field that is chosen already is not chosen twice', async () => {
  signInAs();
  const settings: Record<string, unknown> = { deviceInfoKeys: ['Site'] };
  const asked = network(settings);
  await showScreen(<MetadataPage />);
  const ofDevices = within(await screen.findByRole('region', { name: 'Fields of devices' }));
  await userEvent.type(ofDevices.getByPlaceholderText('Name of a field'), ' Site {Enter}');
  expect(await screen.findByText('Site appears twice.')).toBeTruthy();
  expect(asked.some(({ method }) => method === 'PUT')).toBe(false);
});

test('the sources of a device are described one by one, and a field that stays empty is not saved', async () => {
  signInAs();
  const device = { ...buildDevice('Roof'), settings: { sourceInfo: { 'inverter/1': { Model: 'X' } } } };
  const asked = fakeNetwork(({ path }) => {
    if (path.endsWith('/orgs'))
      return { body: [{ name: 'demo', settings: { sourceInfoKeys: ['kWp', 'Model', 'Installed'] } }] };
    if (path.endsWith('/sources'))
      return { body: [{ table: 'solar', source: 'inverter/2', eventAt: 1, values: {} }] };
    return { body: device };
  });
  await showScreen(<SourceInfoCard device={device} />);
  await vi.waitFor(() => expect(definitions()).toEqual(['Not set', 'X', 'Not set']));
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Value of kWp' }), '61.6 kWp');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const sent = () => asked.find(({ method }) => method === 'PUT')?.body;
  await vi.waitFor(() =>
    expect(sent()).toEqual({
      source: 'inverter/1',
      info: { kWp: '61.6 kWp', Model: 'X' },
      over: { Model: 'X' },
    }),
  );
});

test('a field is renamed in its line, which says what follows, and Escape leaves it', async () => {
  signInAs();
  const asked = network({ deviceInfoKeys: ['Site'] });
  await showScreen(<MetadataPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Rename Site' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'New name of Site' }), 'x{Escape}');
  expect(asked.some(({ method }) => method === 'PUT')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Rename Site' }));
  expect(screen.getByText(/^The values of 3 devices are renamed too\./)).toBeTruthy();
  await userEvent.type(screen.getByRole('textbox', { name: 'New name of Site' }), ' of works{Enter}');
  await vi.waitFor(() =>
    expect(asked.find(({ path }) => path.endsWith('/field'))?.body).toEqual({
      level: 'device',
      name: 'Site',
      to: 'Site of works',
    }),
  );
});

const PLAN: MetadataPlan = {
  rows: 1,
  changed: 1,
  values: 1,
  faults: [],
  faultCount: 0,
  changes: [{ id: 'a', name: 'Roof', source: '', field: 'Site', before: 'Hill', after: 'Dale' }],
  moves: [{ group: 'North', gains: { count: 0, names: [] }, loses: { count: 1, names: ['Roof'] } }],
};

async function upload(plan: MetadataPlan) {
  signInAs();
  const asked = network({ deviceInfoKeys: ['Site'] }, undefined, plan);
  await showScreen(<MetadataPage />);
  const ofDevices = within(await screen.findByRole('region', { name: 'Fields of devices' }));
  await userEvent.click(ofDevices.getByRole('button', { name: 'Upload CSV' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import metadata of devices' }));
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input as HTMLInputElement, new File(['name,Site\nRoof,Dale\n'], 'a.csv'));
  return { asked, dialog };
}

test('a file is previewed with what groups gain and lose, then applied', async () => {
  const { asked, dialog } = await upload(PLAN);
  expect(await dialog.findByText('1 device would change: 1 value.')).toBeTruthy();
  expect(dialog.getByText('loses 1 device: Roof')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Apply' }));
  const sent = () => asked.filter(({ method }) => method === 'POST');
  await vi.waitFor(() =>
    expect(sent().map(({ path }) => path.split('/').at(-1))).toEqual(['preview', 'import']),
  );
  expect(sent()[1]?.body).toEqual({
    level: 'device',
    columns: ['name', 'Site'],
    rows: [{ row: 2, cells: ['Roof', 'Dale'] }],
  });
});

test('a file with faults names their rows and cannot be applied', async () => {
  const fault = {
    row: 1,
    message: 'Define the field Owner first.',
    issue: 'issue.metadata_define',
    facts: {},
  };
  const { dialog } = await upload({ ...PLAN, faults: [fault], faultCount: 1 });
  expect(await dialog.findByText('Row 1: Define the field Owner first.')).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Apply' }).hasAttribute('disabled')).toBe(true);
});
