import type { PluginState, PluginTask } from '@albedo/contract/plugins/plugins.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Notices } from '../../app/notices.tsx';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { PluginsTab } from './plugins-tab.tsx';

const argument = { option: 'endpoint', type: 'serial', help: 'address or serial line' };
const spec = {
  $schema: 'urn:albedo:plugin-spec:1',
  name: 'modbus',
  version: '1.1.0',
  title: 'Modbus',
  summary: 'Reads Modbus devices.',
  type: 'program',
  binary: 'modbus_albedo',
  labels: ['modbus'],
  service: true,
  uses: { devices: [], paths: [] },
  cmdSpec: {
    actionSpecs: {
      shared: {
        mandatory: [argument],
        optional: [
          { option: 'source_map', type: 'sourceMap' },
          { option: 'changes_only', type: 'flag' },
          { option: 'port', type: 'integer', default: '502' },
        ],
      },
      discover: { mandatory: [], optional: [] },
      log: {
        mandatory: [{ option: 'output_directory', type: 'text', default: '/opt/albedo/logs' }],
        optional: [],
      },
    },
  },
};
const listing = {
  name: 'modbus',
  title: 'Modbus',
  summary: 'Reads Modbus devices.',
  labels: ['modbus'],
  version: '1.1.0',
  versions: ['1.1.0', '1.0.0'],
  sizeBytes: 60_000,
};
const hsm = { ...listing, name: 'vault', title: 'Vault', labels: ['hsm'], versions: ['1.1.0'] };
const installed = { name: 'modbus', version: '1.0.0', binary: 'modbus_albedo', sizeBytes: 1, isRust: false };
const roof = {
  name: 'roof',
  plugin: 'modbus',
  isDisabled: false,
  isRunning: true,
  starts: 1,
  file: '_name,_plugin,endpoint,output_directory,flags,frequency\nroof,modbus,10.0.0.1,/opt/albedo/logs,changes_only,60\n',
  files: { source_map: '10.*,roof' },
};

type Answer = { status: number; body: object };

const LINES = [
  { path: '/dev/ttyS1', id: null },
  { path: '/dev/ttyUSB0', id: '/dev/serial/by-id/usb-adapter' },
];

function show(
  state: Partial<PluginState>,
  address = '/',
  saved?: (path: string) => Promise<Answer>,
  serial: Answer = { status: 200, body: LINES },
) {
  signInAs();
  const now = { root: '', plugins: [], services: [], tasks: [], os: null, ...state };
  const asked = fakeNetwork(({ method, path }) => {
    if (path.endsWith('/logs')) {
      return {
        body: [
          { source: 'roof', text: 'reads 10.0.0.1' },
          { source: 'meter/roof', text: '230.1' },
        ],
      };
    }
    if (path.endsWith('/serial')) return serial;
    if (saved && method === 'PUT') return saved(path);
    if (method !== 'GET') return { body: now };
    if (/\/plugins\/[^/]+\/modbus$/.test(path)) return { body: { ...listing, spec, isAvailable: true } };
    if (/\/plugins\/[^/]+\/vault$/.test(path)) {
      return { body: { ...hsm, spec: { ...spec, name: 'vault', title: 'Vault' }, isAvailable: false } };
    }
    return { body: [listing, hsm] };
  });
  const device = buildDevice('Hilltop');
  return {
    asked,
    shown: showScreen(
      <>
        <PluginsTab device={{ ...device, facts: { ...device.facts, online: true } }} />
        <Notices />
      </>,
      address,
    ),
  };
}

test('a plugin is installed in the version that is chosen, and one that is not allowed says so', async () => {
  const { asked, shown } = show({});
  await shown;
  const card = within(await screen.findByRole('article', { name: 'Modbus' }));
  await userEvent.click(card.getByRole('button', { name: 'Install' }));
  await vi.waitFor(() =>
    expect(
      asked.find(({ method, path }) => method === 'PUT' && path.endsWith('/plugins/modbus'))?.body,
    ).toEqual({
      version: '1.1.0',
    }),
  );
  const vault = within(screen.getByRole('article', { name: 'Vault' }));
  expect(vault.getByText(/^Not allowed in this workgroup/)).toBeTruthy();
  expect(vault.queryByRole('button')).toBeNull();
});

test('the form of a service is made from the spec, and what it needs is asked for before anything is sent', async () => {
  const { asked, shown } = show({ plugins: [installed] });
  await shown;
  await userEvent.click(await screen.findByRole('button', { name: 'New service' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'roof');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('A service needs this.')).toBeTruthy();
  expect(asked.some(({ path }) => path.includes('/service/'))).toBe(false);
  await userEvent.type(dialog.getByRole('combobox', { name: 'Endpoint' }), '10.0.0.9');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(asked.find(({ path }) => path.endsWith('/plugins/modbus/service/roof'))?.body).toMatchObject({
      serviceFile:
        '_name,_plugin,endpoint,output_directory,frequency\nroof,modbus,10.0.0.9,/opt/albedo/logs,60\n',
      isDisabled: false,
    }),
  );
});

const FOUND = '/?plugin=modbus&service=modbus-10-0-0-9-502&endpoint=10.0.0.9&port=1502';

test('what a scan found comes filled in, is saved in one step, and its first rows are shown', async () => {
  const name = 'modbus-10-0-0-9-502';
  const { asked, shown } = show(
    { plugins: [installed], services: [{ ...roof, name }] },
    `${FOUND}&bus_addresses=1-3`,
  );
  const { router } = await shown;
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(await dialog.findByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(asked.find(({ path }) => path.endsWith(`/service/${name}`))?.body).toMatchObject({
      serviceFile: `_name,_plugin,endpoint,output_directory,port,frequency\n${name},modbus,10.0.0.9,/opt/albedo/logs,1502,60\n`,
    }),
  );
  expect(await screen.findByText('reads 10.0.0.1')).toBeTruthy();
  expect(router.state.location.searchStr).toBe('');
});

test('what reads it is installed first where the device lacks it', async () => {
  const { shown } = show({}, `${FOUND}&bus_addresses=1`);
  await shown;
  expect(
    await screen.findByText('Install Modbus below first; its service then comes prefilled.'),
  ).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a service with another name takes the place of the old one in one step', async () => {
  const { asked, shown } = show({ plugins: [installed], services: [roof] });
  await shown;
  await userEvent.click(await screen.findByRole('button', { name: 'Edit roof' }));
  const dialog = within(await screen.findByRole('dialog'));
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await userEvent.clear(name);
  await userEvent.type(name, 'barn');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(asked.filter(({ path }) => path.includes('/service/'))).toMatchObject([
      {
        method: 'PUT',
        path: expect.stringMatching(/barn$/),
        body: { replaces: { type: 'service', name: 'roof' } },
      },
    ]),
  );
});

const hourly: PluginTask = {
  ...{ name: 'yard', plugin: 'modbus', frequency: '1h', isDisabled: false },
  arguments: {
    action: 'log',
    mandatory: ['10.0.0.2', '/opt/albedo/logs'],
    optional: { port: '1502' },
    flags: ['changes_only'],
    secrets: {},
  },
  files: {},
};

test('a task is made in the form of its plugin, with an interval of the run folders', async () => {
  const { asked, shown } = show({ plugins: [installed] });
  await shown;
  await userEvent.click(await screen.findByRole('button', { name: 'New task' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New task' }));
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'yard');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('A task needs this.')).toBeTruthy();
  await userEvent.type(dialog.getByRole('combobox', { name: 'Endpoint' }), '10.0.0.9');
  await userEvent.click(dialog.getByRole('button', { name: /more options/ }));
  await userEvent.type(await dialog.findByRole('textbox', { name: 'Source map' }), '10.*,yard');
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Changes only' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(asked.find(({ path }) => path.endsWith('/plugins/modbus/task/yard'))?.body).toEqual({
      frequency: '5m',
      arguments: {
        action: 'log',
        mandatory: ['10.0.0.9', '/opt/albedo/logs'],
        optional: { source_map: '/etc/albedo/services/files/yard.source_map' },
        flags: ['changes_only'],
        secrets: {},
      },
      files: { source_map: '10.*,yard' },
      isDisabled: false,
    }),
  );
});

test('a task becomes a service with what it had, and takes its place', async () => {
  const { asked, shown } = show({ plugins: [installed], tasks: [hourly] });
  await shown;
  expect(await screen.findByText('Modbus · Task · every 1 h')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Edit yard' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Task yard' }));
  await userEvent.click(dialog.getByRole('radio', { name: 'Service' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(asked.find(({ path }) => path.endsWith('/service/yard'))?.body).toMatchObject({
      serviceFile:
        '_name,_plugin,endpoint,output_directory,port,flags,frequency\nyard,modbus,10.0.0.2,/opt/albedo/logs,1502,changes_only,3600\n',
      replaces: { type: 'task', name: 'yard', frequency: '1h' },
    }),
  );
});

test('a task says while it is being saved, and afterwards that it was not', async () => {
  let answer = (_: { status: number; body: object }) => {};
  const { shown } = show({ plugins: [installed], tasks: [hourly] }, '/', () => {
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  await shown;
  expect(await screen.findByText('scheduled')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }));
  expect(await screen.findByText('saving')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Edit yard' }).disabled).toBe(true);
  answer({ status: 409, body: { error: 'device.offline', message: 'The device is offline.', code: 409 } });
  expect(await screen.findByText('not saved')).toBeTruthy();
  expect(screen.getByText('The device is offline.')).toBeTruthy();
});

test('a script of several commands is shown, and changed on the device alone', async () => {
  const { shown } = show({ plugins: [installed], tasks: [{ ...hourly, arguments: null, isDisabled: true }] });
  await shown;
  expect(await screen.findByText(/^Written by hand on the device/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Edit yard' }).disabled).toBe(true);
  expect(screen.getByRole('button', { name: 'Enable' })).toBeTruthy();
});

test('a service shows its logs, and is put aside with everything that it has', async () => {
  const { asked, shown } = show({ plugins: [installed], services: [roof] });
  await shown;
  expect(await screen.findByText('running')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Logs of roof' }));
  const logs = within(await screen.findByRole('dialog'));
  expect(await logs.findByText('reads 10.0.0.1')).toBeTruthy();
  await userEvent.click(logs.getByRole('tab', { name: 'meter/roof' }));
  expect(await logs.findByText('230.1')).toBeTruthy();
  await userEvent.click(logs.getByRole('button', { name: 'Dismiss' }));
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }));
  await vi.waitFor(() =>
    expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({
      serviceFile: roof.file,
      files: roof.files,
      isDisabled: true,
    }),
  );
});

test('a serial argument offers the ports of the device, and says why it has none to offer', async () => {
  const { shown } = show({ plugins: [installed] });
  await shown;
  await userEvent.click(await screen.findByRole('button', { name: 'New service' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('combobox', { name: 'Endpoint' }));
  await userEvent.click(await screen.findByRole('option', { name: '/dev/serial/by-id/usb-adapter' }));
  expect(dialog.getByRole<HTMLInputElement>('combobox', { name: 'Endpoint' }).value).toBe(
    '/dev/serial/by-id/usb-adapter',
  );
});

test('an address can be typed where the ports could not be read', async () => {
  const message = 'Failed to fetch serial devices: no /dev';
  const answer = { status: 409, body: { error: 'plugin.serial_failed', message, code: 409 } };
  const { shown } = show({ plugins: [installed] }, '/', undefined, answer);
  await shown;
  await userEvent.click(await screen.findByRole('button', { name: 'New service' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(message)).toBeTruthy();
  await userEvent.type(dialog.getByRole('combobox', { name: 'Endpoint' }), '10.0.0.9');
  expect(dialog.getByDisplayValue('10.0.0.9')).toBeTruthy();
});

test('a rule of a source map that says nothing is found before anything is sent', async () => {
  const { asked, shown } = show({ plugins: [installed], services: [roof] });
  await shown;
  await userEvent.click(await screen.findByRole('button', { name: 'Edit roof' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: /more options/ }));
  const map = await dialog.findByRole('textbox', { name: 'Source map' });
  await userEvent.clear(map);
  await userEvent.type(map, '10.*,roof{enter}{enter}11.*');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Invalid source map entry')).toBeTruthy();
  expect(asked.some(({ method }) => method === 'PUT')).toBe(false);
  await userEvent.type(map, ',barn');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(asked.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      files: { source_map: '10.*,roof\n\n11.*,barn' },
    }),
  );
});

test('arguments that the plugin does not take any more are named, and values without a place are not guessed', async () => {
  const given = { mandatory: ['10.0.0.2'], optional: { speed: '9600' }, flags: ['loud'] };
  const old = { ...hourly, arguments: { action: 'discover' as const, secrets: {}, ...given } };
  const placed = {
    ...hourly,
    name: 'barn',
    arguments: { ...old.arguments, mandatory: ['10.0.0.2', '/x', 'y'] },
  };
  const { asked, shown } = show({ plugins: [installed], tasks: [old, placed] });
  await shown;
  await userEvent.click(await screen.findByRole('button', { name: 'Edit barn' }));
  expect(await screen.findByText('Failed to repair plugin arguments')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Edit yard' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Task yard' }));
  expect(await dialog.findByText(/does not know speed, loud\./)).toBeTruthy();
  expect(dialog.queryByText('Failed to repair plugin arguments')).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(asked.find(({ path }) => path.endsWith('/task/yard'))?.body).toMatchObject({
      arguments: { action: 'discover', mandatory: ['10.0.0.2'], optional: {}, flags: [] },
    }),
  );
});

test('an upgrade that fails says so, and its services are started again', async () => {
  const failed = { error: 'plugin.install_failed', message: 'Plugin upgrade failed: no luck', code: 409 };
  const now = { root: '', plugins: [installed], services: [roof], tasks: [] };
  const { asked, shown } = show(now, '/', async (path) =>
    path.endsWith('/service') ? { status: 200, body: now } : { status: 409, body: failed },
  );
  await shown;
  const card = within(await screen.findByRole('article', { name: 'Modbus' }));
  await userEvent.click(card.getByRole('button', { name: 'Upgrade' }));
  expect(await screen.findByText('Plugin upgrade failed')).toBeTruthy();
  expect(screen.getByText('Reactivating services...')).toBeTruthy();
  expect(await card.findByText('Plugin upgrade failed: no luck')).toBeTruthy();
  await vi.waitFor(() =>
    expect(asked.filter(({ method }) => method === 'PUT').map(({ path }) => path)).toEqual([
      expect.stringMatching(/\/plugins\/modbus$/),
      expect.stringMatching(/\/plugins\/modbus\/service$/),
    ]),
  );
});

test('a failure without a word of the server says whom to ask', async () => {
  const { shown } = show({}, '/', async () => ({ status: 418, body: {} }));
  await shown;
  const card = within(await screen.findByRole('article', { name: 'Modbus' }));
  await userEvent.click(card.getByRole('button', { name: 'Install' }));
  expect(await card.findByText('Unknown error, please contact your account manager')).toBeTruthy();
});
