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
  subscription: null,
  connection: null,
  hasSecret: false,
  lastRunAt: Date.now() - 60_000,
  lastOkAt: null,
  lastError: 'The source could not be read: it answered with status 500.',
  lastEvents: null,
  nextAt: null,
};
const PREVIEW = {
  records: 1,
  events: 1,
  columns: ['time', 'air.temp'],
  sample: [{ source: 'station', at: 0, values: { temp: 20.5 } }],
  faults: [{ record: 2, reason: 'time', text: 'yesterday' }],
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
  expect(await dialog.findByText('Record 2: yesterday is not a time.')).toBeTruthy();
  fireEvent.click(dialog.getByText('air.temp', { selector: 'button *' }));
  write('Table', 'weather');
  write('Source', 'station');
  write('Column with the time', 'time');
  fireEvent.click(dialog.getByText('Save'));
  const made = () => asked.find(({ method, path }) => method === 'POST' && !path.endsWith('/preview'))?.body;
  await vi.waitFor(() =>
    expect(made()).toMatchObject({
      name: 'Weather',
      pull: { address: 'https://weather.example/' },
      mapping: { table: 'weather', timeColumn: 'time', fields: [{ column: 'air.temp', name: 'temp' }] },
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

test('Sparkplug B needs no fields', async () => {
  signInAs();
  const asked = fakeNetwork(({ method }) => ({ body: method === 'GET' ? [] : { ...broker, token: null } }));
  await showScreen(<ExternalSourceList />);
  fireEvent.click(await screen.findByText('New external source'));
  const dialog = within(await screen.findByRole('dialog'));
  const write = (label: string, value: string) =>
    fireEvent.change(dialog.getAllByLabelText(label)[0] as HTMLElement, { target: { value } });
  fireEvent.click(dialog.getByText('Heard at a broker'));
  write('Name', 'Nodes');
  write('Address of the broker', 'mqtts://broker.example');
  fireEvent.click(dialog.getByLabelText('Messages are', { selector: 'input' }));
  fireEvent.click(await screen.findByText('Sparkplug B', { selector: '[role=option] *' }));
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
