import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { NatGatewayCard } from './nat-gateway-card.tsx';

const cloud = { id: 'server', name: 'This server' };
const made = { cloud, allow: ['203.0.113.7'], by: 'zoe@example.org', createdAt: 1 };
const none = { status: 404, body: { error: 'nat_gateway.not_found', message: 'none', code: 404 } };
type Answer = { status?: number; body: unknown };

function show(answer: (method: string) => Answer) {
  signInAs();
  const asked = fakeNetwork(({ method, path }) =>
    path.endsWith('/nat-gateway') ? answer(method) : { body: {} },
  );
  const shown = showScreen(<NatGatewayCard device={buildDevice('Shop')} cloud={cloud} />);
  return { asked, shown };
}

test('a gateway is made for the addresses of its lines', async () => {
  const { asked, shown } = show((method) => (method === 'GET' ? none : { body: made }));
  await shown;
  expect(await screen.findByText('This device runs without it')).toBeTruthy();
  await userEvent.type(screen.getByRole('textbox', { name: 'Addresses' }), '203.0.113.7');
  await userEvent.click(screen.getByRole('button', { name: 'Create NAT gateway' }));
  const sent = (method: string) => asked.find((one) => one.method === method)?.body;
  await vi.waitFor(() => expect(sent('POST')).toEqual({ cedCloudId: 'server', allow: ['203.0.113.7'] }));
  expect(await screen.findByRole('button', { name: 'Remove NAT gateway' })).toBeTruthy();
});

test('addresses that are none are named, and nothing is sent', async () => {
  const { asked, shown } = show((method) => (method === 'GET' ? none : { body: made }));
  await shown;
  const lines = '203.0.113.7{Enter}pump house{Enter}10.0.0.0/8';
  await userEvent.type(await screen.findByRole('textbox', { name: 'Addresses' }), lines);
  await userEvent.click(screen.getByRole('button', { name: 'Create NAT gateway' }));
  const sentence = 'Not an address, and not a network of up to 256 addresses: pump, house, and 10.0.0.0/8';
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(asked.some(({ method }) => method === 'POST')).toBe(false);
});

test('a proxy that answers in place of the server leaves the sentence of what was tried', async () => {
  const { shown } = show((method) => (method === 'GET' ? none : { status: 502, body: null }));
  await shown;
  await userEvent.click(await screen.findByRole('button', { name: 'Create NAT gateway' }));
  expect(await screen.findByText('Failed to create NAT Gateway')).toBeTruthy();
});

test('its access is changed line by line', async () => {
  const { asked, shown } = show(() => ({ body: made }));
  await shown;
  await userEvent.type(await screen.findByRole('textbox', { name: 'Addresses' }), '{Enter}203.0.113.0/28');
  await userEvent.click(screen.getByRole('button', { name: 'Grant access' }));
  const sent = () => asked.find(({ method }) => method === 'PUT')?.body;
  await vi.waitFor(() => expect(sent()).toEqual({ allow: ['203.0.113.7', '203.0.113.0/28'] }));
});

test('the server says why there is none, and without a word of it the failure has a sentence of its own', async () => {
  const exists = 'This workgroup has a NAT gateway already.';
  let failure = { error: 'nat_gateway.exists', message: exists, code: 409 };
  const { shown } = show((method) => (method === 'GET' ? none : { status: 409, body: failure }));
  await shown;
  await userEvent.click(await screen.findByRole('button', { name: 'Create NAT gateway' }));
  expect(await screen.findByText(exists)).toBeTruthy();
  failure = { error: 'x', message: '', code: 500 };
  await userEvent.click(screen.getByRole('button', { name: 'Create NAT gateway' }));
  expect(await screen.findByText('Failed to create NAT Gateway')).toBeTruthy();
});

test('without a word of the server, access that is not granted says so', async () => {
  const { shown } = show((method) => {
    if (method === 'GET') return { body: made };
    return { status: 500, body: { error: 'x', message: '', code: 500 } };
  });
  await shown;
  await userEvent.click(await screen.findByRole('button', { name: 'Grant access' }));
  expect(await screen.findByText('Failed to grant access')).toBeTruthy();
});
