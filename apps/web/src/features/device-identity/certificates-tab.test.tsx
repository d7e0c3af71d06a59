import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { CertificatesTab } from './certificates-tab.tsx';

const now = Date.now();
const certificate = {
  ...{ serial: '4f2a', subject: 'CN=roof, O=main', fingerprintSha256: 'ab'.repeat(32) },
  ...{ notBefore: now - 1000, notAfter: now + 86_400_000, revokedAt: null },
};

test('a connected device is asked to replace its certificate, and the new one is shown', async () => {
  signInAs();
  const device = buildDevice('Roof');
  let serial = '4f2a';
  const asked = fakeNetwork(({ method }) => {
    if (method === 'POST') serial = '77aa';
    const shown = { ...certificate, serial };
    return {
      body: method === 'POST' ? { action: 'replace', deviceId: device.id, certificate: shown } : shown,
    };
  });
  await showScreen(<CertificatesTab device={device} />);
  expect(await screen.findByText('4f2a')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Replace now' }));
  expect(await screen.findByText('77aa')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ action: 'replace' });
});

test('for a device that is offline there is a command that is made when it is asked for', async () => {
  signInAs();
  const device = buildDevice('Roof', { online: false });
  const offer = { action: 'certpack', deviceId: device.id, command: 'echo token | curl', expiresAt: now };
  const asked = fakeNetwork(({ method }) => ({ body: method === 'POST' ? offer : certificate }));
  await showScreen(<CertificatesTab device={device} />);
  const replace = (await screen.findByRole('button', { name: 'Replace now' })) as HTMLButtonElement;
  expect(replace.disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Move to another workgroup' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'New keys by a command' }));
  expect(asked.some(({ method }) => method === 'POST')).toBe(false);
  await userEvent.click(await screen.findByRole('button', { name: 'Make the command' }));
  const command = (await screen.findByRole('textbox', { name: 'Command' })) as HTMLTextAreaElement;
  expect(command.value).toBe('echo token | curl');
});

test('who manages devices in no other workgroup is told so', async () => {
  signInAs();
  fakeNetwork(() => ({ body: certificate }));
  await showScreen(<CertificatesTab device={buildDevice('Roof')} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Move to another workgroup' }));
  await vi.waitFor(() =>
    expect(screen.getByText('There is no other workgroup in which you may manage devices.')).toBeTruthy(),
  );
});
