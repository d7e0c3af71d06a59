import { queryOptions } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { EmptyState } from '../../ui/states.tsx';
import { ApiError } from '../call.ts';
import { queryClient } from '../query-client.ts';
import { showScreen } from '../test-screen.tsx';
import type { BulkAction, RowAction } from './actions.ts';
import { FilterControl } from './filter-control.tsx';
import { ListTable } from './list-table.tsx';
import { type ListFilter, useList } from './use-list.ts';

interface Plant {
  _id: string;
  name: string;
  kind: 'roof' | 'field';
}

const plants: Plant[] = ['Harbour', 'Hilltop', 'Meadow'].map((name) => ({
  _id: name.toLowerCase(),
  name,
  kind: name === 'Meadow' ? 'field' : 'roof',
}));
const ask = vi.fn<() => Promise<Plant[]>>();
const query = queryOptions({ queryKey: ['plants'], queryFn: ask });
const KIND: ListFilter<Plant, Plant['kind']> = {
  param: 'kind',
  values: ['roof', 'field'],
  matches: ({ kind }, wanted) => kind === wanted,
};
const columns = [{ id: 'name', title: 'Name', value: ({ name }: Plant) => name, width: 200 }];
const remove = vi.fn<(id: string) => Promise<void>>();
const removeMany = vi.fn<(ids: string[]) => Promise<{ done: string[]; failed: never[] }>>();

const menu = {
  label: ({ name }: Plant) => `Menu of ${name}`,
  nameOf: ({ name }: Plant) => name,
  actions: ({ _id, name }: Plant): RowAction<Plant>[] => [
    { id: 'show', title: 'Show', icon: null, dialog: (row) => <p>{row.name} is shown</p> },
    {
      id: 'remove',
      title: 'Remove',
      icon: null,
      ask: { text: `Remove ${name}?` },
      run: () => remove(_id),
    },
  ],
};
const bulk: { nameOf: (row: Plant) => string; actions: BulkAction<Plant>[] } = {
  nameOf: ({ name }) => name,
  actions: [
    {
      id: 'remove',
      title: 'Remove all',
      icon: null,
      of: (rows) => rows.filter(({ name }) => name !== 'Hilltop'),
      ask: (rows) => ({ text: `Remove ${rows.length}?` }),
      run: removeMany,
      done: () => 'Gone',
    },
  ],
};

function Plants() {
  const list = useList({ query, sort: 'name', filter: KIND });
  return (
    <ListTable
      list={list}
      label="Plants"
      failed="The plants could not be loaded"
      name="plants"
      columns={columns}
      rowId={({ _id }) => _id}
      search="Find a plant"
      menu={menu}
      bulk={bulk}
      onOpen="show"
      toolbar={<FilterControl list={list} values={KIND.values} label="Kind" titleOf={(kind) => kind} />}
      empty={<EmptyState title="No plants" />}
    />
  );
}

const names = () =>
  screen
    .queryAllByRole('row')
    .slice(1)
    .map((row) => row.textContent?.match(/Harbour|Hilltop|Meadow/)?.[0]);
const answers = async (count: number) => vi.waitFor(() => expect(names()).toHaveLength(count));

beforeEach(() => {
  for (const mock of [ask, remove, removeMany]) mock.mockReset();
  ask.mockResolvedValue(plants);
  remove.mockResolvedValue();
  removeMany.mockImplementation(async (ids) => ({ done: ids, failed: [] }));
});

test('filter, search and order stand in the address, from which they are taken up again', async () => {
  const { router } = await showScreen(<Plants />, '/?sort=-name');
  await answers(2);
  expect(names()).toEqual(['Hilltop', 'Harbour']);
  await userEvent.click(screen.getByRole('radio', { name: 'field · 1' }));
  await answers(1);
  expect(names()).toEqual(['Meadow']);
  expect(router.latestLocation.search).toEqual({ sort: '-name', kind: 'field' });
  await userEvent.click(screen.getByRole('radio', { name: 'roof · 2' }));
  await answers(2);
  await userEvent.type(screen.getByLabelText('Find a plant'), 'hill');
  await answers(1);
  expect(router.latestLocation.search).toEqual({ sort: '-name', q: 'hill' });
});

test('an action of a row asks, a click opens it, and the dialog shows the row as it is by now', async () => {
  await showScreen(<Plants />);
  await answers(2);
  await userEvent.click(screen.getByRole('button', { name: 'Menu of Harbour' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }));
  expect(await screen.findByText('Remove Harbour?')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove Harbour' }));
  await vi.waitFor(() => expect(remove).toHaveBeenCalledWith('harbour'));
  await userEvent.click(screen.getByText('Hilltop'));
  expect(await screen.findByText('Hilltop is shown')).toBeTruthy();
  queryClient.setQueryData(['plants'], [{ ...plants[1], name: 'Hilltop II' }]);
  expect(await screen.findByText('Hilltop II is shown')).toBeTruthy();
});

test('what is done with several rows leaves out those that it does not concern, in one call', async () => {
  await showScreen(<Plants />);
  await answers(2);
  const grid = screen.getByRole('grid');
  for (const box of within(grid).getAllByRole('checkbox').slice(1)) await userEvent.click(box);
  await userEvent.click(screen.getByRole('button', { name: 'Remove all' }));
  expect(await screen.findByText('Remove 1?')).toBeTruthy();
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove all' }));
  await vi.waitFor(() => expect(removeMany).toHaveBeenCalledWith(['harbour']));
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Remove all' })).toBeNull());
});

test('a refusal takes the rows away, a server that is out of reach does not', async () => {
  await showScreen(<Plants />);
  await answers(2);
  ask.mockRejectedValue(new ApiError(-1, 'Out of reach'));
  await queryClient.invalidateQueries({ queryKey: ['plants'] });
  expect(names()).toHaveLength(2);
  ask.mockRejectedValue(new ApiError(403, 'Forbidden'));
  await queryClient.invalidateQueries({ queryKey: ['plants'] });
  expect(await screen.findByText('The plants could not be loaded')).toBeTruthy();
  expect(names()).toEqual([]);
});
