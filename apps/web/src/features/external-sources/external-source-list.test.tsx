import type { ExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { fireEvent, screen, within } from '@testing-library/react';
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
    timeFormat: 'iso',
    timezone: 'UTC',
    fields: [{ column: 'temp', name: 'temp', type: 'decimal', units: null, factor: 1 }],
  },
  pull: { address: 'https://weather.example/', everyMinutes: 15, credential: { kind: 'none' } },
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
  expect(await dialog.findByText('Record 2: yesterday is no time.')).toBeTruthy();
  fireEvent.click(dialog.getByText('air.temp', { selector: 'button *' }));
  write('Table', 'weather');
  write('Source', 'station');
  write('Column of the time', 'time');
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
