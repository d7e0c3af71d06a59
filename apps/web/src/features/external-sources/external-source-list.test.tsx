import type { ExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { ExternalSourceList } from './external-source-list.tsx';

const WEATHER: ExternalSource = {
  _id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  name: 'Weather',
  kind: 'pull',
  isEnabled: true,
  device: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11',
  format: 'json',
  recordsPath: '',
  mapping: {
    table: 'weather',
    source: 'station',
    sourceColumn: null,
    timeColumn: 'time',
    clockColumn: null,
    timeFormat: 'iso',
    timezone: 'UTC',
    standardTime: false,
    fields: [{ column: 'temp', name: 'temp', type: 'decimal', units: null, factor: 1, decimal: null }],
  },
  pull: { address: 'https://weather.example/', everyMinutes: 15, credential: { kind: 'none' } },
  lookup: null,
  sftp: null,
  mailbox: null,
  subscription: null,
  connection: null,
  hasSecret: false,
  lastRunAt: Date.now() - 60_000,
  lastOkAt: null,
  lastError: 'It answered with status 500.',
  lastEvents: null,
  nextAt: null,
};
const profile = (name: string, kind: string, more: object = {}) => ({
  ...{ name, units: null, filled: 1, kind, decimal: null, timeFormat: null, example: '' },
  ...more,
});
const PREVIEW = {
  records: 1,
  events: 1,
  columns: ['time', 'air.temp'],
  profiles: [profile('time', 'time', { timeFormat: 'iso' }), profile('air.temp', 'number', { units: '°C' })],
  timeColumn: 'time',
  rows: [['2026-06-01 12:00', '20.5']],
  file: null,
  files: [],
  hostKey: null,
  lookup: null,
  sample: [{ source: 'station', at: 0, values: { temp: 20.5 } }],
  faults: [{ record: 2, reason: 'time', text: 'yesterday' }],
};

const choose = async (dialog: ReturnType<typeof within>, label: string, option: string) => {
  fireEvent.click(dialog.getByLabelText(label, { selector: 'input' }));
  fireEvent.click(await screen.findByText(option, { selector: '[role=option] *' }));
};

test('the list says how a source is read and why the last run failed', async () => {
  signInAs();
  fakeNetwork(({ path }) => ({ body: path.includes('externalSources') ? [WEATHER] : [] }));
  await showScreen(<ExternalSourceList />);
  expect(await screen.findByText('Weather')).toBeTruthy();
  expect(screen.getByText('Every 15 minutes')).toBeTruthy();
  expect(screen.getByText(/answered with status 500/)).toBeTruthy();
});

test('a source is tried before it is made: its columns are offered, and what cannot be read is named', async () => {
  signInAs();
  const asked = fakeNetwork(({ method, path }) => {
    if (method === 'GET') return { body: [] };
    return { body: path.endsWith('/preview') ? PREVIEW : { ...WEATHER, token: null } };
  });
  await showScreen(<ExternalSourceList />);
  fireEvent.click(await screen.findByText('New external source'));
  const dialog = within(await screen.findByRole('dialog'));
  const write = (label: string, value: string) =>
    fireEvent.change(dialog.getAllByLabelText(label)[0] as HTMLElement, { target: { value } });
  write('Name', 'Weather');
  write('Address', 'https://weather.example/');
  fireEvent.click(dialog.getByText('Try it'));
  expect(await dialog.findByText('2026-06-01 12:00')).toBeTruthy();
  expect(dialog.getByText('Choose below which columns are stored, then try again.')).toBeTruthy();
  fireEvent.click(dialog.getByText('air.temp', { selector: 'button *' }));
  fireEvent.click(dialog.getByText('Try it'));
  expect(await dialog.findByText('Record 2: yesterday is not a time.')).toBeTruthy();
  write('Table', 'weather');
  write('Source', 'station');
  fireEvent.click(dialog.getByText('Save'));
  const made = () => asked.find(({ method, path }) => method === 'POST' && !path.endsWith('/preview'))?.body;
  await vi.waitFor(() =>
    expect(made()).toMatchObject({
      name: 'Weather',
      pull: { address: 'https://weather.example/' },
      mapping: {
        table: 'weather',
        timeColumn: 'time',
        fields: [{ column: 'air.temp', name: 'temp', units: '°C' }],
      },
    }),
  );
});

const subscription = {
  address: 'mqtts://broker.example/',
  user: null,
  clientId: null,
  topics: ['plant/#'],
  payload: 'records' as const,
  caPem: null,
};
const connection = { isConnected: true, since: 0, messages: 12, events: 3400, faults: 2 };
const broker = { ...WEATHER, kind: 'mqtt' as const, pull: null, subscription };
const sources: ExternalSource[] = [
  { ...broker, _id: '1', name: 'Heard', connection, lastError: null },
  {
    ...broker,
    _id: '2',
    name: 'Deaf',
    connection: { ...connection, isConnected: false },
    lastError: 'gone.',
  },
];

test('a broker is connected, or it says why not', async () => {
  signInAs();
  fakeNetwork(({ path }) => ({ body: path.includes('externalSources') ? sources : [] }));
  await showScreen(<ExternalSourceList />);
  expect(await screen.findByText('Connected, 12 messages, 3,400 events · 2 could not be read')).toBeTruthy();
  expect(screen.getByText('Not connected: gone.')).toBeTruthy();
});

test('what is missing stands under its field, and goes once that is filled', async () => {
  signInAs();
  const asked = fakeNetwork(() => ({ body: [] }));
  await showScreen(<ExternalSourceList />);
  fireEvent.click(await screen.findByText('New external source'));
  const dialog = within(await screen.findByRole('dialog'));
  const input = (label: string) => dialog.getAllByLabelText(label)[0] as HTMLElement;
  fireEvent.change(input('Name'), { target: { value: 'Logger' } });
  fireEvent.click(dialog.getByText('Save'));
  expect(await dialog.findByText('Choose at least one column to store as a field.')).toBeTruthy();
  const wrong = ['Address', 'Table', 'Source', 'Column with the time'];
  const invalid = (label: string) => input(label).getAttribute('aria-invalid');
  expect(wrong.map(invalid)).toEqual(['true', 'true', 'true', 'true']);
  fireEvent.change(input('Table'), { target: { value: 'logger' } });
  expect(wrong.map(invalid)).toEqual(['true', null, 'true', 'true']);
  expect(asked.some(({ method }) => method === 'POST')).toBe(false);
});

test('Sparkplug B needs no fields', async () => {
  signInAs();
  const asked = fakeNetwork(({ method }) => ({ body: method === 'GET' ? [] : { ...broker, token: null } }));
  await showScreen(<ExternalSourceList />);
  fireEvent.click(await screen.findByText('New external source'));
  const dialog = within(await screen.findByRole('dialog'));
  const write = (label: string, value: string) =>
    fireEvent.change(dialog.getAllByLabelText(label)[0] as HTMLElement, { target: { value } });
  await choose(dialog, 'Kind', 'MQTT broker');
  write('Name', 'Nodes');
  write('Address of the broker', 'mqtts://broker.example');
  await choose(dialog, 'Messages are', 'Sparkplug B');
  write('Table', 'inverter');
  await userEvent.type(dialog.getByLabelText('Topics', { selector: 'input' }), 'spBv1.0/Plant/#{Enter}');
  fireEvent.click(dialog.getByText('Save'));
  const made = () => asked.find(({ method }) => method === 'POST')?.body;
  await vi.waitFor(() =>
    expect(made()).toMatchObject({
      kind: 'mqtt',
      pull: null,
      subscription: { topics: ['spBv1.0/Plant/#'], payload: 'sparkplug' },
      mapping: { source: '{node}/{device}', timeColumn: 'timestamp', fields: [] },
    }),
  );
});

test('a folder is tried: its files are shown, the key of its server is kept, and it fills a lookup table', async () => {
  signInAs();
  const hostKey = `SHA256:${'a'.repeat(43)}`;
  const table = {
    _id: '7f9619ff-8b86-4d01-b42d-00c04fc964ff',
    code: 'states',
    name: 'States',
    fields: [],
    values: [],
  };
  const look = {
    ...PREVIEW,
    hostKey,
    file: 'states.csv',
    files: [
      { name: 'states.csv', bytes: 1, at: 0, state: 'new' },
      { name: 'half.csv', bytes: 1, at: 0, state: 'growing' },
    ],
    columns: ['code', 'text_de'],
    rows: [['1', 'In Betrieb']],
    faults: [{ record: 4, reason: 'twice', text: '1' }],
    lookup: {
      ...{ values: 2, added: 1, changed: 1, removed: 0 },
      sample: [{ value: '1', field: 'Status', fields: { de: 'In Betrieb' } }],
    },
  };
  const asked = fakeNetwork(({ method, path }) => {
    if (method === 'GET') return { body: path.includes('lookupTables') ? [table] : [] };
    return { body: path.endsWith('/preview') ? look : { ...WEATHER, token: null } };
  });
  await showScreen(<ExternalSourceList />);
  fireEvent.click(await screen.findByText('New external source'));
  const dialog = within(await screen.findByRole('dialog'));
  const write = (label: string, value: string) =>
    fireEvent.change(dialog.getAllByLabelText(label)[0] as HTMLElement, { target: { value } });
  await choose(dialog, 'Kind', 'SFTP folder');
  write('Name', 'States');
  write('Address of the server', 'sftp://files.example.org');
  write('User', 'plant');
  write('Password', 'a word');
  fireEvent.click(dialog.getByText('Words for codes'));
  fireEvent.click(dialog.getByText('Try it'));
  expect(await dialog.findByText('Still being written')).toBeTruthy();
  expect(dialog.getByLabelText<HTMLInputElement>('Key of the server').value).toBe(hostKey);
  await choose(dialog, 'Lookup table', 'States');
  write('Column with the code', 'code');
  fireEvent.click(dialog.getByText('text_de', { selector: 'button *' }));
  fireEvent.click(dialog.getByText('Try it'));
  expect(await dialog.findByText('2 values: 1 new, 1 changed, 0 gone')).toBeTruthy();
  expect(dialog.getByText('Line 4: the code 1 appears twice.')).toBeTruthy();
  fireEvent.click(dialog.getByText('Save'));
  const made = () => asked.find(({ method, path }) => method === 'POST' && !path.endsWith('/preview'))?.body;
  await vi.waitFor(() =>
    expect(made()).toMatchObject({
      kind: 'sftp',
      secret: 'a word',
      sftp: { address: 'sftp://files.example.org', hostKey },
      mapping: null,
      lookup: { table: table._id, valueColumn: 'code', texts: [{ column: 'text_de', code: 'de' }] },
    }),
  );
});

test('clearing the key of a server forgets it, and a save that leaves it alone does not', async () => {
  signInAs();
  const sftp = {
    ...{ address: 'sftp://files.example.org', user: 'plant', signIn: 'password', folder: '/out', files: '*' },
    ...{ everyMinutes: 15, hostKey: `SHA256:${'a'.repeat(43)}` },
  };
  const folder = { ...WEATHER, kind: 'sftp', pull: null, sftp, hasSecret: true };
  const asked = fakeNetwork(({ method, path }) => {
    if (method === 'PUT') return { body: { ...folder, token: null } };
    return { body: path.includes('externalSources') ? [folder] : [] };
  });
  await showScreen(<ExternalSourceList />);
  const edited = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'Actions for Weather' }));
    fireEvent.click(await screen.findByText('Edit'));
    return within(await screen.findByRole('dialog'));
  };
  const saved = () => asked.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  fireEvent.click((await edited()).getByText('Save'));
  await vi.waitFor(() => expect(saved()).toMatchObject([{ forgetHostKey: false }]));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const dialog = await edited();
  fireEvent.change(dialog.getByLabelText('Key of the server'), { target: { value: '' } });
  fireEvent.click(dialog.getByText('Save'));
  await vi.waitFor(() => expect(saved()[1]).toMatchObject({ forgetHostKey: true, sftp: { hostKey: null } }));
});

test('the history says what each run brought, and what went wrong with which file', async () => {
  signInAs();
  const run = {
    ...{ _id: '1', at: 0, tookMs: 1500, by: 'schedule', records: 3, stored: 1, refused: 2, isFailed: false },
    error: 'b.csv: damaged',
    files: [
      { name: 'a.csv', records: 3, stored: 1, refused: 2, error: null },
      { name: 'b.csv', records: 0, stored: 0, refused: 0, error: 'It has more than 20 MB.' },
    ],
    faults: [{ record: 7, reason: 'row', text: 'too short' }],
  };
  fakeNetwork(({ path }) => ({
    body: path.endsWith('/runs') ? [run] : [{ ...WEATHER, format: 'csv' }],
  }));
  await showScreen(<ExternalSourceList />);
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Weather' }));
  fireEvent.click(await screen.findByText('History'));
  const dialog = within(await screen.findByRole('dialog', { name: 'History of Weather' }));
  expect(await dialog.findByText('a.csv: 3 records, 1 new')).toBeTruthy();
  expect(dialog.getByText('b.csv: It has more than 20 MB.')).toBeTruthy();
  expect(dialog.getByText('Line 7 cannot be read: too short')).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Read now' })).toBeTruthy();
});
