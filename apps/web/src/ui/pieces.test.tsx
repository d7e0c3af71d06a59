import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { ConfirmDialog } from '../app/confirm-dialog.tsx';
import { showScreen } from '../app/test-screen.tsx';
import { CopyId } from './copy-id.tsx';
import { FilterChip, type FilterMode } from './filter-chip.tsx';
import { Page } from './page.tsx';
import { EmptyState, ErrorState, TableSkeleton } from './states.tsx';
import { HealthCell } from './status/health-cell.tsx';
import { StatusDot } from './status/status-dot.tsx';

function Chip({ onMode }: { onMode: (mode: FilterMode) => void }) {
  const [mode, setMode] = useState<FilterMode>(null);
  onMode(mode);
  return <FilterChip label="Offline" count={3} mode={mode} onChange={setMode} />;
}

test('a filter goes from off to include, flips to exclude and back to off', async () => {
  const modes: FilterMode[] = [];
  await showScreen(<Chip onMode={(mode) => modes.push(mode)} />);
  await userEvent.click(screen.getByRole('button', { name: /^Offline/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Exclude Offline' }));
  expect(screen.getByRole('button', { name: 'Offline excluded 3' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Offline/ }));
  expect(modes.filter((mode, index) => mode !== modes[index - 1])).toEqual([
    null,
    'include',
    'exclude',
    null,
  ]);
});

test('a dialog with a phrase confirms only what was typed exactly, and says when it failed', async () => {
  const onConfirm = vi
    .fn()
    .mockRejectedValueOnce(new Error('The device is busy'))
    .mockResolvedValueOnce(undefined);
  const onClose = vi.fn();
  await showScreen(<ConfirmDialog phrase="Roof 1" onConfirm={onConfirm} onClose={onClose} />);
  const confirm = screen.getByRole('button', { name: "Yes, I'm sure" }) as HTMLButtonElement;
  const field = screen.getByLabelText('Type Roof 1 to confirm');
  expect(screen.getByText('Are you sure?')).toBeTruthy();
  await userEvent.type(field, 'roof 1');
  expect(confirm.disabled).toBe(true);
  await userEvent.clear(field);
  await userEvent.type(field, 'Roof 1');
  await userEvent.click(confirm);
  expect(await screen.findByText('The device is busy')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.click(confirm);
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test('an id is copied whole', async () => {
  const user = userEvent.setup();
  await showScreen(<CopyId value="7c1f3a52" label="the id" />);
  await user.click(screen.getByRole('button', { name: 'Copy the id' }));
  expect(await navigator.clipboard.readText()).toBe('7c1f3a52');
  expect(screen.getByRole('button', { name: 'Copied' })).toBeTruthy();
});

test('a state has a shape and a word, never a colour alone', async () => {
  await showScreen(
    <>
      <HealthCell cell={{ display: '81.2 %', raw: 81.2, class: 'danger' }} />
      <HealthCell cell={{ display: 'not available', raw: null, class: 'warning' }} />
      <StatusDot isOnline={false} label="offline" />
    </>,
  );
  const marks = [...document.querySelectorAll('svg')].map((icon) => icon.getAttribute('data-mark'));
  expect(marks).toEqual(['danger', 'offline']);
  for (const word of ['81.2 %', '– not available', 'offline']) expect(screen.getByText(word)).toBeTruthy();
});

test('a page has one heading, and its states say what is the matter and what to do', async () => {
  const onRetry = vi.fn();
  await showScreen(
    <Page title="Devices" context="3 devices">
      <EmptyState title="No devices yet" />
      <TableSkeleton rows={2} />
      <ErrorState
        title="The devices could not be loaded"
        error={new Error('Request timed out')}
        onRetry={onRetry}
      />
    </Page>,
  );
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Devices');
  expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('Request timed out');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledOnce();
});
