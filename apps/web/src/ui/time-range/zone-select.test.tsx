import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import '../../app/test-screen.tsx';
import { ZoneSelect } from './zone-select.tsx';

test.each([
  ['UTC', 'UTC'],
  ['utc', 'UTC'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Etc/GMT-3', 'Etc/GMT-3'],
])('a zone that is kept as %s shows as %s', (value, shown) => {
  render(
    <MantineProvider env="test">
      <ZoneSelect value={value} onChange={() => {}} />
    </MantineProvider>,
  );
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' }).value).toBe(shown);
});
