import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { NewWorkgroupDialog } from './new-workgroup-dialog.tsx';

test('an invalid address is reported at its field, and nothing is sent', async () => {
  const asked = fakeNetwork(({ path }) => (path.endsWith('/plans') ? { body: [] } : {}));
  signInAs({ staff: true });
  await showScreen(<NewWorkgroupDialog onClose={() => {}} />);
  await userEvent.type(screen.getByLabelText('Display name'), 'Roof and Sons');
  const address = screen.getByLabelText(/first owner/);
  await userEvent.type(address, 'no address');
  await userEvent.click(screen.getByRole('button', { name: 'Create workgroup' }));
  await screen.findByText('Invalid email');
  expect(address.getAttribute('aria-invalid')).toBe('true');
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
});
