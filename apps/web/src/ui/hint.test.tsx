import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import '../app/test-screen.tsx';
import { Hint } from './hint.tsx';
import { loadAhead } from './load-ahead.ts';

vi.mock('./load-ahead.ts', () => ({ loadAhead: vi.fn((load) => load()) }));

test('words come beside what the pointer rests on, and go with it', async () => {
  render(
    <MantineProvider env="test">
      <Hint label="Later">
        <button type="button" aria-label="Later" />
      </Hint>
    </MantineProvider>,
  );
  const button = screen.getByRole('button', { name: 'Later' });
  await userEvent.hover(button);
  expect(await screen.findByText('Later')).toBeTruthy();
  await userEvent.unhover(button);
  await expect.poll(() => screen.queryByText('Later')).toBeNull();
});

test('words that cannot be loaded take nothing away, and the next pointer asks for them again', async () => {
  vi.mocked(loadAhead).mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  render(
    <MantineProvider env="test">
      <Hint label="Later">
        <button type="button" aria-label="Later" />
      </Hint>
    </MantineProvider>,
  );
  const button = screen.getByRole('button', { name: 'Later' });
  await userEvent.hover(button);
  expect(loadAhead).toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Later' })).toBe(button);
  await userEvent.unhover(button);
  await userEvent.hover(button);
  expect(await screen.findByText('Later')).toBeTruthy();
});
