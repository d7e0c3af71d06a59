import type { BoardItem } from '@albedo/contract/boards/board-items';
import type { LibraryWidget } from '@albedo/contract/boards/widget-library.schema';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../../../app/test-screen.tsx';
import { LibraryDialog } from './library-dialog.tsx';
import { LibraryPart } from './library-part.tsx';
import { changedShared, spreadShared } from './shared-changes.ts';

const ID = '0c5f7b1e-8f5e-4d39-9d0f-0f6f0c1d2e3f';
const kept = (more: Partial<LibraryWidget> = {}): LibraryWidget => ({
  ...{ _id: ID, name: 'Rules', version: 1, boards: 2, updatedAt: 0, updatedBy: 'zoe@example.org' },
  item: { kind: 'text', title: 'Rules', settings: { text: 'Mind the dog.' } },
  ...more,
});
const own: BoardItem = { id: 'a', kind: 'text', title: 'Rules', settings: { text: 'Mind the dog.' } };
const linked: BoardItem = { ...own, library: ID };

test('a widget is saved to the library, and shows the library from then on', async () => {
  signInAs();
  const asked = fakeNetwork(({ method }) => ({ body: method === 'GET' ? [] : kept() }));
  const onLink = vi.fn();
  await showScreen(<LibraryPart item={own} onLink={onLink} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Save to the library' }));
  const name = screen.getByRole('textbox', { name: 'Name in the library' });
  await userEvent.clear(name);
  await userEvent.type(name, 'House rules');
  await userEvent.click(screen.getByRole('button', { name: 'Save to the library' }));
  await vi.waitFor(() => expect(onLink).toHaveBeenCalledWith(ID));
  const { id: _id, ...item } = own;
  expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'House rules', item });
});

test('a widget of the library says how far a change reaches, and can be unlinked', async () => {
  signInAs();
  fakeNetwork(() => ({ body: [kept()] }));
  const onLink = vi.fn();
  await showScreen(<LibraryPart item={linked} onLink={onLink} />);
  expect(await screen.findByText('In the library: Rules')).toBeTruthy();
  expect(screen.getByText(/^2 dashboards use it/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Unlink from the library' }));
  expect(onLink).toHaveBeenCalledWith(undefined);
});

test('the open dashboard counts, though it is not saved yet', async () => {
  signInAs();
  fakeNetwork(() => ({ body: [kept({ boards: 0 })] }));
  await showScreen(<LibraryPart item={linked} onLink={() => {}} />);
  expect(await screen.findByText(/^Only this dashboard uses it/)).toBeTruthy();
});

test('what dashboards show cannot be deleted from the library; all can be added', async () => {
  signInAs();
  fakeNetwork(() => ({ body: [kept(), kept({ _id: 'b', name: 'Unused', boards: 0 })] }));
  const onAdd = vi.fn();
  await showScreen(<LibraryDialog onAdd={onAdd} onClose={() => {}} />);
  expect(await screen.findByText(/on 2 dashboards/)).toBeTruthy();
  const remove = (name: string) => screen.getByRole('button', { name: `Delete ${name} from the library` });
  expect(remove('Rules').hasAttribute('disabled')).toBe(true);
  expect(remove('Unused').hasAttribute('disabled')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Add Rules' }));
  expect(onAdd).toHaveBeenCalledWith(expect.objectContaining({ _id: ID }));
});

test('only what is another one now is saved to the library, wherever it stands', () => {
  const all = new Map([[ID, kept()]]);
  const changed = { ...linked, settings: { text: 'Mind both dogs.' } };
  const group = (inside: BoardItem): BoardItem => ({ id: 'g', kind: 'group', items: [inside] });
  expect(
    changedShared([group(linked)], [group({ ...linked, place: { x: 1, y: 0, w: 4, h: 4 } })], all),
  ).toEqual([]);
  expect(changedShared([group(linked)], [group(changed)], all)).toEqual([changed]);
  // Linked since the dashboard was opened, then changed.
  expect(changedShared([own], [changed], all)).toEqual([changed]);
});

test('the same widget twice on a dashboard is changed twice', () => {
  const other: BoardItem = { ...linked, id: 'b', entity: 'roof' };
  const changed: BoardItem = { ...linked, settings: { text: 'Mind both dogs.' } };
  delete changed.title;
  const items = [changed, other];
  spreadShared(items, changed);
  expect(items[1]).toEqual({ ...changed, id: 'b', entity: 'roof' });
});
