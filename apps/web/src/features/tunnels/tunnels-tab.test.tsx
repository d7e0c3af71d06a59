import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { TunnelsTab } from './tunnels-tab.tsx';

const id = '6f9619ff-8b86-4d01-b42d-00c04fc964ff';
const now = Date.now();
const tunnel = {
  ...{ id, deviceId: id, kind: 'tcp', host: '192.168.1.20', port: 502, by: 'zoe@example.org' },
  ...{ openedAt: now, endsAt: now + 3_600_000, endedAt: null, end: null },
  ...{ connections: 2, bytesDown: 1000, bytesUp: 2000 },
};

test('a tunnel for a program shows the command to run, and is closed from the list', async () => {
  signInAs();
  const asked = fakeNetwork(({ method }) => ({
    body:
      method === 'POST'
        ? { tunnel, token: 'secret', url: null }
        : method === 'DELETE'
          ? { ...tunnel, end: 'closed', endedAt: now }
          : [tunnel],
  }));
  await showScreen(<TunnelsTab device={buildDevice('Roof')} />);
  await userEvent.click(screen.getByText('Program (TCP)'));
  const host = screen.getByRole('textbox', { name: 'Host' });
  await userEvent.clear(host);
  await userEvent.type(host, '192.168.1.20');
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  const sent = (method: string) => asked.find((one) => one.method === method);
  await vi.waitFor(() =>
    expect(sent('POST')?.body).toEqual({ kind: 'tcp', host: '192.168.1.20', port: 502 }),
  );
  const command = (await screen.findByRole('textbox', { name: 'Command' })) as HTMLTextAreaElement;
  expect(command.value).toMatch(/ALBEDO_TUNNEL=secret node albedo-tunnel.mjs \S+ --port 10502/);
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await vi.waitFor(() => expect(sent('DELETE')?.path).toContain(`/tunnels/${id}`));
});

test('a page opens at an address of its own that knows nothing of the app; a device that is away has none', async () => {
  signInAs();
  const url = 'http://label.localhost:8080/.albedo/enter/secret';
  fakeNetwork(({ method }) => ({
    body: method === 'POST' ? { tunnel: { ...tunnel, kind: 'http', port: 80 }, token: 'secret', url } : [],
  }));
  await showScreen(<TunnelsTab device={buildDevice('Roof')} />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  const link = await screen.findByRole('link', { name: 'Open the page' });
  expect(link.getAttribute('href')).toBe(url);
  expect(link.getAttribute('rel')).toBe('noopener noreferrer');
});

test('nothing is opened to a device that is offline', async () => {
  signInAs();
  fakeNetwork(() => ({ body: [] }));
  await showScreen(<TunnelsTab device={buildDevice('Roof', { online: false })} />);
  expect(await screen.findByText('Roof is offline')).toBeTruthy();
});

test('where an owner ended all remote access, that is said before anything is tried', async () => {
  signInAs();
  fakeNetwork(({ path }) => ({
    body: path.includes('remote-access')
      ? { isAllowed: false, changedBy: 'zoe@example.org', changedAt: now }
      : [],
  }));
  await showScreen(<TunnelsTab device={buildDevice('Roof')} />);
  expect(await screen.findByText('Remote access is switched off')).toBeTruthy();
  expect(screen.getByText(/^zoe@example\.org turned it off/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Open' })).toBeNull();
});
