import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { DeviceInfoCard } from './device-info-card.tsx';

type Shown = Parameters<typeof DeviceInfoCard>[0]['device'];
let show: (device: Shown) => void = () => {};

/** The card; `show` gives it another reading of the device. */
function Card({ first }: { first: Shown }) {
  const [device, setDevice] = useState(first);
  show = setDevice;
  return <DeviceInfoCard device={device} />;
}

test('values are saved over what the form opened with, also when others changed it meanwhile', async () => {
  const device = { ...buildDevice('Roof'), settings: { info: { Site: 'Hill', Contact: 'Ida' } } };
  signInAs();
  const asked = fakeNetwork(() => ({ body: device }));
  await showScreen(<Card first={device} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  act(() => show({ ...device, settings: { info: { Place: 'Hill', Contact: 'Ida' } } }));
  const contact = await screen.findByRole('textbox', { name: 'Value of Contact' });
  await userEvent.clear(contact);
  await userEvent.type(contact, 'Ben');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const saved = () => asked.find(({ method }) => method === 'PUT')?.body;
  await vi.waitFor(() =>
    expect(saved()).toEqual({
      value: { Site: 'Hill', Contact: 'Ben' },
      over: { Site: 'Hill', Contact: 'Ida' },
    }),
  );
});
