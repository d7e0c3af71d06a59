import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { DeviceFactsCard } from './device-facts-card.tsx';

const DAY_MS = 86_400_000;

test.each([
  ['is past', -1, 'danger', /^expired$/],
  ['is soon', 10, 'warning', / left\)$/],
  ['is far off', 300, 'ok', /^until [^(]*$/],
])('a certificate whose end %s is shown so', async (_when, days, mark, text) => {
  signInAs();
  const notAfter = Date.now() + days * DAY_MS;
  fakeNetwork(({ path }) => ({
    body: path.includes('certificateInfo')
      ? { serial: '1', fingerprintSha256: 'ab', notBefore: 0, notAfter, revokedAt: null }
      : null,
  }));
  await showScreen(<DeviceFactsCard device={buildDevice('Roof')} />);
  const shown = await screen.findByTitle('SHA-256 ab');
  expect(shown.getAttribute('data-mark')).toBe(mark);
  expect(shown.textContent?.trim()).toMatch(text);
});
