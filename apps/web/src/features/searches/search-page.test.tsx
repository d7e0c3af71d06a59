import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { NewSearchPage, SavedSearchPage } from './search-page.tsx';

const ROOF = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';
const field = (name: string, type: string, units: string | null = null) => ({ name, type, units });
const SOLAR = {
  table: 'solar',
  fields: [
    field('device', 'keyword'),
    field('event_time', 'date'),
    field('source', 'keyword'),
    field('Power', 'decimal', 'W'),
    field('State', 'keyword'),
    field('msg_id', 'integer'),
    field('store_time', 'date'),
  ],
  fetchedAt: 0,
};
const RECORD = {
  device: ROOF,
  event_time: '2026-11-22T10:00:00.000Z',
  source: 'inv-1',
  Power: 4200,
  State: 'Running',
  msg_id: 7,
  store_time: '2026-11-22T10:00:01.000Z',
};

/** Answers searches with one record; the list has the parameters of each that asked for rows. */
function network(status = 200) {
  signInAs();
  const searches: URLSearchParams[] = [];
  fakeNetwork(({ path }) => {
    const refused = { code: 404, message: 'none', error: 'table.not_found' };
    if (path.endsWith('/search')) {
      if (status !== 200) return { status, body: refused };
      const values = {
        buckets: [
          { key: 'Running', doc_count: 2 },
          { key: 'Fault', doc_count: 1 },
        ],
      };
      return {
        body: {
          records: [RECORD],
          totalRecords: 1234,
          took: 3,
          timedOut: false,
          aggregations: { frequency: values },
        },
      };
    }
    if (path.endsWith('/tables/demo')) return { body: ['data', 'solar'] };
    if (path.endsWith('/tables/demo/solar'))
      return status === 200 ? { body: SOLAR } : { status, body: refused };
    return { body: [] };
  });
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const { pathname, searchParams } = new URL(
      input instanceof Request ? input.url : String(input),
      location.href,
    );
    if (pathname.endsWith('/search') && searchParams.get('rows') !== '0') searches.push(searchParams);
    return fetch(input, init);
  };
  return searches;
}

const go = () => screen.getByRole('button', { name: 'Go' });

test('the total shows as soon as a table is chosen; a filter finds nothing before Go is pressed', async () => {
  const searches = network();
  await showScreen(<NewSearchPage />, '/search');
  await userEvent.click(await screen.findByRole('combobox', { name: 'Table' }));
  await userEvent.click(await screen.findByRole('option', { name: 'solar' }));
  expect(await screen.findByText('1,234 records')).toBeTruthy();
  expect(searches).toHaveLength(1);
  expect(searches[0]?.get('timeframe')).toBe('last-7-days');
  expect(searches[0]?.get('sort')).toBe('-event_time');

  await userEvent.click(screen.getByRole('button', { name: 'Add filter' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Field' }));
  await userEvent.click(await screen.findByRole('option', { name: 'State' }));
  // Without a value there is nothing to ask.
  expect((go() as HTMLButtonElement).disabled).toBe(true);
  await userEvent.click(screen.getByRole('combobox', { name: 'Value' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Fault' }));
  expect(await screen.findByText('Changed since the last search. Press Go to search again.')).toBeTruthy();
  expect(searches).toHaveLength(1);
  await userEvent.click(go());
  await vi.waitFor(() => expect(searches).toHaveLength(2));
  expect(searches[1]?.getAll('filters')).toEqual(['{"field":"State","operator":"=","value":"Fault"}']);
});

test('filters in brackets are changed like others, and empty brackets go', async () => {
  const searches = network();
  const state = { field: 'State', operator: '=', value: 'Fault' };
  const group = { operator: 'OR', filters: [{ field: 'Power', operator: '>', value: 5 }, state] };
  const broken = { operator: 'OR', filters: [null] };
  const filters = encodeURIComponent(JSON.stringify([state, group, broken]));
  await showScreen(<NewSearchPage />, `/search?table=solar&range=all-time&f=${filters}`);
  const brackets = within(await screen.findByRole('group', { name: 'Filters in brackets' }));
  expect(brackets.getAllByRole('combobox', { name: 'Field' })).toHaveLength(2);
  await userEvent.click(brackets.getByText('All hold (AND)'));
  await userEvent.click(brackets.getByRole('button', { name: 'Remove filter 1' }));
  await userEvent.click(go());
  const last = () =>
    searches
      .at(-1)
      ?.getAll('filters')
      .map((one) => JSON.parse(one));
  await vi.waitFor(() => expect(last()).toEqual([state, { operator: 'AND', filters: [state] }]));
  await userEvent.click(brackets.getByRole('button', { name: 'Remove filter 1' }));
  expect(screen.queryByRole('group', { name: 'Filters in brackets' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Add group' }));
  expect(screen.getByRole('group', { name: 'Filters in brackets' })).toBeTruthy();
});

test('an address shows what it says, and a record everything that it has', async () => {
  const searches = network();
  const filters = encodeURIComponent(JSON.stringify([{ field: 'Power', operator: '>', value: 5 }]));
  await showScreen(
    <NewSearchPage />,
    `/search?table=solar&range=all-time&match=or&f=${filters}&cols=["Power"]`,
  );
  expect(await screen.findByText('1,234 records')).toBeTruthy();
  expect(searches[0]?.get('timeframe')).toBe('all-time');
  expect(searches[0]?.get('filterOperator')).toBe('OR');
  const grid = await screen.findByRole('grid', { name: 'Records' });
  expect(within(grid).getAllByRole('columnheader')).toHaveLength(1);
  await userEvent.click(await within(grid).findByText('4.20 kW'));
  const record = await screen.findByRole('dialog', { name: 'Record' });
  for (const text of ['inv-1', 'Running', '4.20 kW']) expect(within(record).getByText(text)).toBeTruthy();
});

test('a table that is gone is named', async () => {
  network(404);
  await showScreen(<NewSearchPage />, '/search?table=solar');
  expect(await screen.findByText('Failed to load table solar')).toBeTruthy();
  expect(screen.getByText('Table is missing or empty')).toBeTruthy();
});

test('an address without a search says so, and leads to those that there are', async () => {
  signInAs();
  fakeNetwork(({ path }) => {
    if (path.endsWith('/searches/demo/abc'))
      return { status: 404, body: { code: 404, message: 'none', error: 'saved_search.not_found' } };
    if (path.endsWith('/searches/demo')) return { body: [{ _id: 'first', name: 'Hot inverters' }] };
    return { body: [] };
  });
  await showScreen(<SavedSearchPage />, '/search/abc', '/search/$searchId');
  expect(await screen.findByText('This search does not exist')).toBeTruthy();
  const link = await screen.findByRole('link', { name: 'Hot inverters' });
  expect(link.getAttribute('href')).toBe('/search/first');
});
