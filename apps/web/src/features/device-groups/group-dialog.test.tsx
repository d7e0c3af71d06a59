import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { GroupDialog } from './group-dialog.tsx';

const roof = buildDevice('Roof');
const devices = [roof, buildDevice('Yard')];

function network() {
  return fakeNetwork(({ path, method }) => {
    if (path.endsWith('/preview')) return { body: [roof.id] };
    if (path.endsWith('/fields')) return { body: [{ field: 'Site', values: ['Hill'] }] };
    if (path.includes('/device-groups') && method === 'POST') return { body: { _id: 'g' } };
    if (path.includes('/devices/')) return { body: devices };
    return { body: [] };
  });
}

test('a group of chosen devices is made, and what belongs to it is shown before', async () => {
  signInAs();
  const asked = network();
  await showScreen(<GroupDialog onClose={() => {}} />);
  expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  await userEvent.type(screen.getByLabelText('Name'), 'North');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Roof' }));
  expect(await screen.findByText('1 device')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const made = () => asked.find(({ method, path }) => method === 'POST' && path.endsWith('/device-groups'));
  await vi.waitFor(() =>
    expect(made()?.body).toEqual({ name: 'North', composition: { type: 'IN', devices: [roof.id] } }),
  );
});

test('a group by metadata is made of a field and a value', async () => {
  signInAs();
  const asked = network();
  await showScreen(<GroupDialog onClose={() => {}} />);
  await userEvent.type(screen.getByLabelText('Name'), 'Hill');
  await userEvent.click(screen.getByRole('radio', { name: /Metadata/ }));
  await userEvent.type(screen.getByRole('combobox', { name: 'Field' }), 'Site');
  await userEvent.type(screen.getByRole('combobox', { name: 'Value' }), 'Hill');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const made = () => asked.find(({ method, path }) => method === 'POST' && path.endsWith('/device-groups'));
  await vi.waitFor(() =>
    expect(made()?.body).toMatchObject({
      composition: { type: 'META', field: 'Site', operator: '=', value: 'Hill' },
    }),
  );
});
