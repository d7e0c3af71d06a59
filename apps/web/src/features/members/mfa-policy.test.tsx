import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { MfaPolicy } from './mfa-policy.tsx';

test('a policy that could not be loaded says so where it stands alone, and is asked for again', async () => {
  let isAway = true;
  fakeNetwork(({ path }) => {
    if (!path.endsWith('/mfa')) return {};
    return isAway ? { status: 403, body: { code: 403, message: 'Not now.' } } : { body: { required: true } };
  });
  signInAs();
  await showScreen(<MfaPolicy isAlone />);
  await screen.findByText('Not now.');
  isAway = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await screen.findByRole('switch')).getAttribute('checked')).not.toBeNull();
});
