import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import '../app/test-screen.tsx';
import { Hint } from './hint.tsx';

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
