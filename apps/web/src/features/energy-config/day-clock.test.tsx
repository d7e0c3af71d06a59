import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { showScreen } from '../../app/test-screen.tsx';
import { DayClock } from './day-clock.tsx';

vi.mock('../../ui/time-range/time-zone.ts', async (original) => ({
  ...(await original<object>()),
  browserZone: () => 'Europe/London',
}));

function Kept({ onChange }: { onChange: (zone: string) => void }) {
  const [value, setValue] = useState('device');
  const change = (zone: string) => {
    onChange(zone);
    setValue(zone);
  };
  return <DayClock value={value} error={undefined} onChange={change} />;
}

test('the clock of a zone says nothing before a zone was chosen', async () => {
  const onChange = vi.fn();
  await showScreen(<Kept onChange={onChange} />);
  await userEvent.click(await screen.findByRole('combobox', { name: 'When a day begins' }));
  await userEvent.click(await screen.findByRole('option', { name: 'In a fixed time zone' }));
  const zone = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Time zone' });
  expect(onChange).not.toHaveBeenCalled();
  expect(zone.value).toBe('');
  await userEvent.click(zone);
  await userEvent.type(zone, 'Lisbon');
  await userEvent.click(await screen.findByRole('option', { name: 'Europe/Lisbon' }));
  expect(onChange.mock.calls).toEqual([['Europe/Lisbon']]);
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' }).value).toBe('Europe/Lisbon');
});
