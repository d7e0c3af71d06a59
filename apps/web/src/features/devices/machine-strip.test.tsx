import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { isMachineReading } from '../../app/series/source-groups.ts';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { MachineStrip } from './machine-strip.tsx';
import { Reading } from './trend-cell.tsx';

test('the CPU is one figure, the mean of a quarter of an hour, and says so', async () => {
  signInAs();
  fakeNetwork(() => ({ body: [] }));
  const device = buildDevice('Roof');
  const roof = { ...device, facts: { ...device.facts, cpuUsage: 81.46, online: true } };
  await showScreen(
    <>
      <MachineStrip device={roof} />
      <Reading device={roof} />
    </>,
  );
  expect(screen.getByText('CPU, mean of 15 min').nextElementSibling?.textContent).toBe('81.5 %');
  expect(document.body.textContent).toContain('CPU 81.5 %');
});

test('what the machine read once is called a reading, and values of a plant are not', () => {
  expect([isMachineReading('cpu_usage'), isMachineReading('MEM usage')]).toEqual([true, true]);
  expect([isMachineReading('power'), isMachineReading('AC Power')]).toEqual([false, false]);
});
