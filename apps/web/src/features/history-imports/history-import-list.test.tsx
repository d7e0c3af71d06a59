import type { HistoryImport } from '@albedo/contract/history-imports/history-imports.schema';
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { HistoryImportList } from './history-import-list.tsx';

const FILE: HistoryImport = {
  _id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  name: 'roof.csv',
  format: 'csv',
  bytes: 20,
  received: 20,
  state: 'done',
  plan: null,
  counts: {
    records: 1200,
    events: 1100,
    stored: 1100,
    existing: 0,
    repeated: 0,
    faulty: 100,
    values: 7,
    replaced: 0,
  },
  faults: [{ line: 7, reason: 'time', text: 'yesterday' }],
  firstAt: Date.UTC(2024, 0, 1),
  lastAt: Date.UTC(2024, 5, 1),
  error: null,
  by: 'zoe@example.org',
  createdAt: Date.now(),
  action: null,
};
const BEGINNING = {
  columns: ['time', 'P'],
  records: [{ time: '2024-01-01 12:00', P: '1' }],
  layout: { encoding: 'utf-8', delimiter: ',', sheet: null, headers: [1], units: null, firstRecord: 2 },
  sheets: [],
  head: [],
  profiles: [
    { name: 'time', units: null, filled: 1, kind: 'time', decimal: null, timeFormat: 'iso', example: '' },
    { name: 'P', units: null, filled: 1, kind: 'number', decimal: null, timeFormat: null, example: '1' },
  ],
  timeColumn: 'time',
  clockColumn: null,
  asks: [],
  looked: 1,
  isWhole: true,
  existing: 0,
  repeated: 0,
  replaced: 0,
  firstAt: null,
  lastAt: null,
  events: 0,
  sample: [],
  faulty: 0,
  values: 0,
  faults: [],
  devices: [],
};

test('the list says what became of a file, and names the lines that were bad', async () => {
  signInAs();
  fakeNetwork(() => ({ body: [FILE] }));
  await showScreen(<HistoryImportList />);
  expect(
    await screen.findByText('1 100 events stored, 100 bad records, 7 values left out', {
      normalizer: spaces,
    }),
  ).toBeTruthy();
  fireEvent.click(screen.getByText('roof.csv'));
  expect(await screen.findByText('Line 7: “yesterday” is not a time in the past.')).toBeTruthy();
});

test('a file is sent, its columns are offered, and the import begins as it was chosen', async () => {
  signInAs();
  const asked = fakeNetwork(({ method, path }) => {
    if (path.endsWith('/parts')) return { body: { received: 25 } };
    if (path.endsWith('/preview')) return { body: BEGINNING };
    if (path.includes('devices')) return { body: [] };
    if (method === 'GET') return { body: [] };
    return { body: { ...FILE, state: 'uploading' } };
  });
  await showScreen(<HistoryImportList />);
  fireEvent.click(await screen.findByText('Import history'));
  const sending = within(await screen.findByRole('dialog'));
  const file = new File(['time,P\n2024-01-01 12:00,1'], 'roof.csv');
  await userEvent.upload(sending.getByLabelText('Choose a file', { selector: 'input' }), file);
  expect(await sending.findByText('roof.csv')).toBeTruthy();
  fireEvent.click(sending.getByText('Upload file'));
  expect(await screen.findByText('2024-01-01 12:00', {}, { timeout: 5000 })).toBeTruthy();
  const dialog = within(screen.getByRole('dialog'));
  fireEvent.click(dialog.getByText('Import'));
  expect(await dialog.findByText('Choose at least one column to import as a field.')).toBeTruthy();
  fireEvent.click(dialog.getByText('P', { selector: 'button *' }));
  const [deviceColumn] = dialog.getAllByLabelText('Column with the device');
  fireEvent.change(deviceColumn as HTMLElement, { target: { value: 'P' } });
  fireEvent.click(dialog.getByText('Import'));
  const begun = () => asked.find(({ path }) => path.endsWith('/start'))?.body;
  await vi.waitFor(() =>
    expect(begun()).toMatchObject({
      plan: {
        device: null,
        deviceColumn: 'P',
        mapping: { table: 'roof', timeColumn: 'time', fields: [{ column: 'P', name: 'P' }] },
      },
    }),
  );
});

test('a file that is read in another way is asked for its lines again', async () => {
  signInAs();
  const layout = { ...BEGINNING.layout, headers: [3], units: 4, firstRecord: 5 };
  const asked = fakeNetwork(({ path, body }) => {
    if (path.endsWith('/parts')) return { body: { received: 25 } };
    if (path.includes('devices')) return { body: [] };
    if (path.endsWith('/preview'))
      return {
        body: { ...BEGINNING, layout: (body as { layout: unknown }).layout ? BEGINNING.layout : layout },
      };
    return { body: path.endsWith('/demo') && body === undefined ? [] : { ...FILE, state: 'uploading' } };
  });
  await showScreen(<HistoryImportList />);
  fireEvent.click(await screen.findByText('Import history'));
  const sending = within(await screen.findByRole('dialog'));
  const file = new File(['time;P\n2024-01-01 12:00;1'], 'roof.csv');
  await userEvent.upload(sending.getByLabelText('Choose a file', { selector: 'input' }), file);
  fireEvent.click(sending.getByText('Upload file'));
  const change = await screen.findByRole('button', { name: 'Change' }, { timeout: 5000 });
  fireEvent.click(change);
  fireEvent.click(screen.getByRole('combobox', { name: 'Columns are separated by' }));
  fireEvent.click(await screen.findByRole('option', { name: 'semicolon' }));
  const last = () => asked.findLast(({ path }) => path.endsWith('/preview'))?.body;
  await vi.waitFor(() =>
    expect(last()).toMatchObject({
      layout: { delimiter: ';', encoding: 'utf-8', headers: [], units: null, firstRecord: null },
    }),
  );
  await vi.waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Line with the column names' }).value).toBe(
      '1',
    ),
  );
});

const spaces = (text: string) => text.replace(/[\s,.\u202f](?=\d{3})/g, ' ');
