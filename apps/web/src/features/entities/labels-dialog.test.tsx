import type { Entity } from '@albedo/contract/entities/entities.schema';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { takeWorkgroups } from '../../app/session.ts';
import { showScreen, signInAs } from '../../app/test-screen.tsx';
import { LabelsDialog } from './labels-dialog.tsx';

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

test('a label that all entities have, some or none has a box of three states, and Set changes what was ticked', async () => {
  signInAs();
  const labels = ['site', 'roof', 'meter'].map((id) => ({ id, name: id }));
  takeWorkgroups([{ name: 'demo', displayName: 'Demo', addons: [], settings: { labels } } as never]);
  const entities = [
    { _id: 'a', labels: ['site', 'roof'] },
    { _id: 'b', labels: ['site'] },
  ] as Entity[];
  const [onSet, onClose] = [vi.fn(), vi.fn()];
  await showScreen(<LabelsDialog entities={entities} onSet={onSet} onClose={onClose} />);
  expect(await screen.findByRole('dialog', { name: 'Labels' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy();
  const states = () =>
    ['site', 'roof', 'meter'].map((name) => (box(name).indeterminate ? 'some' : box(name).checked));
  await vi.waitFor(() => expect(states()).toEqual([true, 'some', false]));
  await userEvent.click(box('roof'));
  await userEvent.click(box('site'));
  expect(states()).toEqual([false, true, false]);
  await userEvent.click(screen.getByRole('button', { name: 'Set' }));
  expect(onSet).toHaveBeenCalledWith(
    new Map([
      ['a', ['roof']],
      ['b', ['roof']],
    ]),
  );
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});
