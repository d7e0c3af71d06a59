import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { showScreen, signInAs } from '../../app/test-screen.tsx';
import { DeviceLabelCard } from './device-label-card.tsx';
import { share } from './share.ts';

afterEach(() => vi.unstubAllGlobals());

const url = 'https://albedo.example/devices/1/general';
const navigatorWith = (more: object) =>
  vi.stubGlobal('navigator', Object.assign(Object.create(window.navigator), more));

test('the label has a code, and printing puts it alone on paper with the name of the device', async () => {
  signInAs();
  const device = buildDevice('Roof');
  const print = vi.fn(() => document.querySelector('[data-print-sheet]')?.textContent);
  vi.stubGlobal('print', print);
  window.print = print as never;
  await showScreen(<DeviceLabelCard device={device} />);
  expect(screen.getByRole('img', { name: 'Code that opens Roof' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Print label' }));
  expect(print).toHaveReturnedWith(`Roof${device.id}`);
  window.dispatchEvent(new Event('afterprint'));
  await vi.waitFor(() => expect(document.querySelector('[data-print-sheet]')).toBeNull());
});

/** A label whose device gets another name at each press. */
function Changing() {
  const [at, setAt] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setAt(at + 1)}>
        Change
      </button>
      <DeviceLabelCard device={{ ...buildDevice('Roof'), name: `Roof ${at}` }} />
    </>
  );
}

test('it is printed once, however often its device changes while the paper is chosen', async () => {
  signInAs();
  const print = vi.fn();
  window.print = print;
  await showScreen(<Changing />);
  await userEvent.click(screen.getByRole('button', { name: 'Print label' }));
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  expect(screen.getByText('Roof 1')).toBeTruthy();
  expect(print).toHaveBeenCalledTimes(1);
});

test('a device of the cloud, which has no box, gets no label', async () => {
  signInAs();
  await showScreen(<DeviceLabelCard device={{ ...buildDevice('Hosted'), ced: true }} />);
  expect(screen.queryByRole('button', { name: 'Print label' })).toBeNull();
});

test('an address is shared by the system where it can, and copied where it cannot', async () => {
  const writeText = vi.fn(async () => {});
  const shared = vi.fn(async () => {});
  navigatorWith({ share: shared, clipboard: { writeText } });
  expect(await share({ title: 'Roof', url })).toBe('shared');
  expect(shared).toHaveBeenCalledWith({ title: 'Roof', url });
  const closed = Object.assign(new Error('closed'), { name: 'AbortError' });
  navigatorWith({ share: () => Promise.reject(closed), clipboard: { writeText } });
  expect(await share({ title: 'Roof', url })).toBe('kept');
  navigatorWith({ share: undefined, clipboard: { writeText } });
  expect(await share({ title: 'Roof', url })).toBe('copied');
  expect(writeText.mock.calls).toEqual([[url]]);
});
