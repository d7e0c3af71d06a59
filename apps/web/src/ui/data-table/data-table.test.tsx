import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { showScreen } from '../../app/test-screen.tsx';
import type { Column } from './column.ts';
import { DataTable } from './data-table.tsx';

interface Plant {
  id: string;
  name: string;
  powerKw: number | null;
}

const columns: Column<Plant>[] = [
  { id: 'name', title: 'Name', width: 200, isFixed: true, value: (plant) => plant.name },
  { id: 'power', title: 'Power', width: 100, align: 'right', value: (plant) => plant.powerKw },
  { id: 'id', title: 'Id', width: 100, isHidden: true, value: (plant) => plant.id },
];
const plants: Plant[] = [
  { id: 'a', name: 'Roof 10', powerKw: 5 },
  { id: 'b', name: 'Roof 9', powerKw: null },
  { id: 'c', name: 'Harbour', powerKw: 120 },
];

interface TableProps {
  rows?: Plant[];
  onOpen?: (plant: Plant) => void;
  isLast?: (plant: Plant) => boolean;
}

function Table({ rows = plants, onOpen = () => {}, ...more }: TableProps) {
  const [sort, setSort] = useState<string | null>('name');
  return (
    <DataTable
      label="Plants"
      name="plants"
      columns={columns}
      rows={rows}
      rowId={(plant) => plant.id}
      sort={sort}
      onSort={setSort}
      onOpen={onOpen}
      empty={<p>No plants</p>}
      {...more}
    />
  );
}

const shownNames = () =>
  within(screen.getByRole('grid'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('gridcell')[0]?.textContent);

test('texts are sorted as people do, numbers by size, and what is unknown stands last both ways', async () => {
  await showScreen(<Table />);
  expect(shownNames()).toEqual(['Harbour', 'Roof 9', 'Roof 10']);
  const power = screen.getByRole('columnheader', { name: /Power/ });
  await userEvent.click(within(power).getByRole('button'));
  const first = shownNames();
  await userEvent.click(within(power).getByRole('button'));
  expect([first, shownNames()].map((names) => names.at(-1))).toEqual(['Roof 9', 'Roof 9']);
  expect(new Set([first[0], shownNames()[0]])).toEqual(new Set(['Harbour', 'Roof 10']));
});

test('an empty text is none, and what never was there stands last however the others are sorted', async () => {
  const rows = [...plants, { id: 'd', name: '', powerKw: 1 }];
  const { unmount } = await showScreen(<Table rows={rows} />);
  expect(shownNames()).toEqual(['Harbour', 'Roof 9', 'Roof 10', '']);
  unmount();
  await showScreen(<Table isLast={({ name }) => name === 'Harbour'} />);
  expect(shownNames()).toEqual(['Roof 9', 'Roof 10', 'Harbour']);
  const power = screen.getByRole('columnheader', { name: /Power/ });
  for (let click = 0; click < 2; click++) {
    await userEvent.click(within(power).getByRole('button'));
    expect(shownNames().at(-1)).toBe('Harbour');
  }
});

test('of ten thousand rows only those in sight are drawn, while their number shows', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    id: `${index}`,
    name: `Plant ${index}`,
    powerKw: index,
  }));
  await showScreen(<Table rows={many} />);
  expect(shownNames().length).toBeLessThan(60);
  expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001');
});

test('arrows move over the rows and Enter opens the one they stand on', async () => {
  const onOpen = vi.fn();
  await showScreen(<Table onOpen={onOpen} />);
  const grid = screen.getByRole('grid');
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) fireEvent.keyDown(grid, { key });
  expect(onOpen.mock.calls).toEqual([[plants[1]]]);
  expect(screen.getByRole('row', { selected: true }).textContent).toContain('Roof 9');
  fireEvent.keyDown(grid, { key: 'End' });
  expect(screen.getByRole('row', { selected: true }).textContent).toContain('Roof 10');
});

test('a hidden column can be chosen and is remembered', async () => {
  const { unmount } = await showScreen(<Table />);
  expect(screen.queryByRole('columnheader', { name: /Id/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Choose columns' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Id' }));
  expect(screen.getByRole('columnheader', { name: /Id/ })).toBeTruthy();
  unmount();
  await showScreen(<Table />);
  expect(screen.getByRole('columnheader', { name: /Id/ })).toBeTruthy();
});

test('without rows the table says why', async () => {
  await showScreen(<Table rows={[]} />);
  expect(screen.getByText('No plants')).toBeTruthy();
});
