import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import '../../app/test-screen.tsx';
import type { TimeRangeChoice } from './time-range.ts';
import { TimeRangePicker } from './time-range-picker.tsx';

const now: TimeRangeChoice = { range: { kind: 'preset', preset: 'today' }, zone: 'utc', isRefreshing: false };

async function open(value = now) {
  const onChange = vi.fn<(value: TimeRangeChoice) => void>();
  render(
    <MantineProvider env="test">
      <TimeRangePicker value={value} onChange={onChange} deviceZone="Australia/Brisbane" />
    </MantineProvider>,
  );
  await userEvent.click(screen.getByRole('button', { expanded: false }));
  await screen.findByRole('button', { name: 'Last 7 days' });
  return onChange;
}

describe('the time range picker', () => {
  it('takes a preset at one click', async () => {
    const onChange = await open();
    await userEvent.click(screen.getByRole('button', { name: 'Last 7 days' }));
    expect(onChange).toHaveBeenCalledWith({ ...now, range: { kind: 'preset', preset: 'last-7-days' } });
  });

  it('shows the start and end of the preset, and takes others in the clocks of the zone', async () => {
    const onChange = await open({ ...now, zone: 'collected' });
    const [from, to] = screen.getAllByPlaceholderText('2026-11-21');
    const [start, end] = screen.getAllByPlaceholderText('00:00');
    if (!from || !to || !start || !end) throw new Error('the fields of the calendar are missing');
    expect([start, end].map((field) => (field as HTMLInputElement).value)).toEqual(['00:00', '00:00']);
    for (const [field, text] of [
      [from, '2026-11-01'],
      [start, '06:30'],
      [to, '2026-11-02'],
      [end, '07:00'],
    ] as const) {
      await userEvent.clear(field);
      await userEvent.type(field, text);
    }
    await userEvent.click(screen.getAllByRole('button', { name: 'Apply' })[0] as HTMLElement);
    expect(onChange).toHaveBeenCalledWith({
      ...now,
      zone: 'collected',
      range: { kind: 'absolute', from: Date.UTC(2026, 9, 31, 20, 30), to: Date.UTC(2026, 10, 1, 21, 0) },
    });
  });

  it('refuses an end before the start and says why', async () => {
    await open();
    const [from] = screen.getAllByPlaceholderText('2026-11-21');
    await userEvent.clear(from as HTMLElement);
    await userEvent.type(from as HTMLElement, '2999-01-01');
    expect(screen.getByRole('alert').textContent).toBe('From must be before To.');
    expect((screen.getAllByRole('button', { name: 'Apply' })[0] as HTMLButtonElement).disabled).toBe(true);
  });

  it('moves by a whole range to either side', async () => {
    const day = { kind: 'absolute', from: 0, to: 86_400_000 } as const;
    const onChange = await open({ ...now, range: day });
    await userEvent.click(screen.getByRole('button', { name: 'Earlier' }));
    expect(onChange).toHaveBeenCalledWith({ ...now, range: { kind: 'absolute', from: -86_400_000, to: 0 } });
  });
});
