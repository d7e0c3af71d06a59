import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { LabellingPage } from './labelling-page.tsx';

const roof = buildDevice('Roof');
const PV = { id: 'pv', name: 'PV', color: '#b0c748' };
const source = (name: string) => ({
  deviceId: roof.id,
  table: 'solar',
  source: name,
  kind: 'inverter',
  fields: [],
});

/** Two sources, of which one has a label, and six entities with it. */
function network(held: Promise<void> = Promise.resolve()) {
  const settings: Record<string, unknown> = { labels: [PV] };
  const changing = { now: 0, most: 0 };
  const asked = fakeNetwork(async ({ method, path, body }) => {
    if (method === 'PUT' && path.includes('/settings/')) {
      settings.labels = (body as { value: unknown }).value;
      return { body: settings };
    }
    if (method === 'PUT' && path.includes('/entities/')) {
      changing.most = Math.max(changing.most, ++changing.now);
      await Promise.resolve();
      changing.now -= 1;
      return { body: {} };
    }
    if (method === 'PUT') {
      await held;
      return { body: [] };
    }
    if (path.endsWith('/orgs'))
      return { body: [{ name: 'demo', displayName: 'Demo', addons: [], archs: [], settings }] };
    if (path.includes('/labelling/'))
      return { body: [{ device: roof.id, source: 'inverter/1', labels: ['pv'], parent: null }] };
    if (path.includes('/entitySources/')) return { body: ['inverter/1', 'inverter/2'].map(source) };
    if (path.includes('/devices/')) return { body: [roof] };
    const entity = (_id: string) => ({
      ...{ _id, name: _id, parent: null, children: [], labels: ['pv'], machine: null, version: 1 },
      ...{ meta: {}, settings: {}, signals: { sources: [], fields: [], calculations: [] } },
    });
    return { body: ['a', 'b', 'c', 'd', 'e', 'f'].map(entity) };
  });
  return { asked, changing, puts: () => asked.filter(({ method }) => method === 'PUT') };
}

async function open(view?: 'Sources', held?: Promise<void>) {
  signInAs();
  const server = network(held);
  const { loadWorkgroups } = await import('../workgroups/workgroups.queries.ts');
  await loadWorkgroups();
  await showScreen(<LabellingPage />);
  await screen.findByText('PV');
  if (view) await userEvent.click(screen.getByRole('tab', { name: view }));
  return server;
}

test('a label goes to the sources that patterns find, and nothing is stored before it is saved', async () => {
  const { puts } = await open();
  await userEvent.click(screen.getByRole('button', { name: 'Apply PV to more sources' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByLabelText('Source name'), '*/1');
  expect(await dialog.findByText('No source without this label matches.')).toBeTruthy();
  await userEvent.clear(dialog.getByLabelText('Source name'));
  await userEvent.type(dialog.getByLabelText('Source name'), 'inv*');
  expect(await dialog.findByLabelText('Roof · inverter/2')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Set' }));
  expect(await screen.findByText('2 sources, 6 entities')).toBeTruthy();
  expect(puts()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(await screen.findByText('1 source, 6 entities')).toBeTruthy();
});

test('a label that is removed leaves the entities, five at a time, then the sources, then the list', async () => {
  const { puts, changing } = await open();
  await userEvent.click(screen.getByRole('button', { name: 'Remove PV' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save changes' }));
  await vi.waitFor(() => expect(puts()).toHaveLength(8));
  expect(changing.most).toBeLessThanOrEqual(5);
  expect(
    puts()
      .slice(6)
      .map(({ path, body }) => [path.split('/').slice(3).join('/'), body]),
  ).toEqual([
    ['labelling/demo', { sources: [{ device: roof.id, source: 'inverter/1', labels: [], parent: null }] }],
    ['orgs/demo/settings/labels', { value: null }],
  ]);
});

test('a source goes below another one by keys, and out again', async () => {
  const { puts } = await open('Sources');
  const second = await screen.findByRole('checkbox', { name: 'inverter/2' });
  second.focus();
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
  expect(await screen.findByText('Below inverter/1')).toBeTruthy();
  screen.getByRole('checkbox', { name: 'inverter/2' }).focus();
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await vi.waitFor(() => expect(screen.queryByText('Below inverter/1')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull();
  expect(puts()).toEqual([]);
});

test('what is changed during a save stays unsaved', async () => {
  const held = Promise.withResolvers<void>();
  const { puts } = await open('Sources', held.promise);
  await userEvent.click(await screen.findByRole('button', { name: 'Remove PV from inverter/1' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save changes' }));
  await vi.waitFor(() => expect(puts()).toHaveLength(1));
  const second = screen.getByRole('checkbox', { name: 'inverter/2' });
  second.focus();
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
  held.resolve();
  await vi.waitFor(() => expect(screen.getByText('1 change is not saved')).toBeTruthy());
  expect(screen.getByText('Below inverter/1')).toBeTruthy();
});
