import type { Provider, SignInSettings } from '@albedo/contract/identity-providers/identity-providers.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { IdentityProvidersSection } from './identity-providers-section.tsx';

const DAY_MS = 86_400_000;

const ours: Omit<SignInSettings, 'provider'> = {
  saml: {
    entityId: 'https://albedo.example/api/v1/auth/saml/metadata/demo',
    acsUrl: 'https://albedo.example/api/v1/auth/saml/login/sso/callback',
    metadataUrl: 'https://albedo.example/api/v1/auth/saml/metadata/demo',
  },
  oidc: { redirectUrl: 'https://albedo.example/api/v1/auth/oidc/callback/demo' },
};
const known = {
  id: crypto.randomUUID(),
  name: 'Contoso',
  people: 3,
  changedAt: Date.now(),
  lastSignInAt: null,
  lastFailureAt: null,
  lastFailure: null,
  failures: [],
};
const saml: Provider = {
  ...known,
  kind: 'saml',
  entityId: 'https://contoso.example/saml',
  signOnUrl: 'https://contoso.example/sso',
  metadataUrl: 'https://contoso.example/metadata',
  metadataReadAt: Date.now(),
  metadataFailure: null,
  certificates: [
    { subject: 'CN=old', notAfter: Date.now() - DAY_MS, fingerprint: 'AA:AA' },
    { subject: 'CN=new', notAfter: Date.now() + DAY_MS, fingerprint: 'BB:BB' },
  ],
};
const oidc: Provider = {
  ...known,
  kind: 'oidc',
  issuer: 'https://fabrikam.example',
  clientId: 'albedo',
  hasSecret: true,
};

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  signInAs();
});

/** Draws the section over a server that has this provider and takes every other one. */
function show(provider: Provider | null, refusal?: string) {
  let now = provider;
  const asked = fakeNetwork(({ method, body }) => {
    if (method !== 'PUT') return { body: { ...ours, provider: now } };
    if (refusal)
      return {
        status: 400,
        body: { code: 400, error: 'identityProviders.metadata_invalid', message: refusal },
      };
    now = (body as { provider: { kind: string } | null }).provider ? saml : null;
    return { body: { ...ours, provider: now } };
  });
  const changes = () => asked.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  return { changes, shown: showScreen(<IdentityProvidersSection />) };
}

test('an owner without a provider enters one, with what has to be entered there beside it', async () => {
  const { changes, shown } = show(null);
  await shown;
  const save = await screen.findByRole('button', { name: 'Save' });
  expect((save as HTMLButtonElement).disabled).toBe(true);
  expect(screen.getByText(ours.saml.acsUrl)).toBeTruthy();
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Name'), 'Contoso');
  await user.type(screen.getByLabelText('Metadata address'), 'https://contoso.example/metadata');
  await user.click(save);
  expect(await screen.findByText('No one has signed in with it yet.')).toBeTruthy();
  expect(changes()).toEqual([
    { provider: { kind: 'saml', name: 'Contoso', metadataUrl: 'https://contoso.example/metadata' } },
  ]);
});

test('what the server finds wrong stands above the button, and what was typed stays', async () => {
  const { shown } = show(null, 'This metadata cannot be used: it is not XML.');
  await shown;
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Name'), 'Contoso');
  await user.type(screen.getByLabelText('Metadata address'), 'https://contoso.example/');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).toContain('it is not XML');
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Contoso');
});

test('every certificate stands there with its end, and one that is over says so', async () => {
  const { shown } = show(saml);
  await shown;
  expect(await screen.findByText(/^Expired on/)).toBeTruthy();
  expect(screen.getByText(/^Valid until/)).toBeTruthy();
  expect(screen.getByText('BB:BB')).toBeTruthy();
});

test('metadata that cannot be read again, and a sign-in that failed last, show with their reasons', async () => {
  const failures = { lastSignInAt: 1000, lastFailureAt: 2000, lastFailure: 'The assertion is too old.' };
  const { shown } = show({ ...saml, ...failures, metadataFailure: 'The address could not be read.' });
  await shown;
  expect(await screen.findByText('The address could not be read.')).toBeTruthy();
  expect(screen.getByText('The assertion is too old.')).toBeTruthy();
});

test('the failures of late are at hand with their times and reasons', async () => {
  const failures = [
    { at: 2000, reason: 'The audience of the assertion is urn:other.' },
    { at: 1000, reason: 'eve@contoso.test was not invited with this identity provider.' },
  ];
  const { shown } = show({ ...saml, lastSignInAt: 3000, failures });
  await shown;
  await userEvent.setup().click(await screen.findByText('2 earlier failed sign-ins'));
  expect(screen.getAllByText(/urn:other|eve@contoso/)).toHaveLength(2);
});

test('the failure that stands there anyway is not shown twice', async () => {
  const [at, reason] = [2000, 'The assertion is too old.'];
  const failures = [
    { at, reason },
    { at: 1000, reason: 'The assertion is not signed.' },
  ];
  const { shown } = show({ ...saml, lastFailureAt: at, lastFailure: reason, failures });
  await shown;
  expect(await screen.findByText('1 earlier failed sign-in')).toBeTruthy();
  expect(screen.getAllByText(reason)).toHaveLength(1);
});

test('a failure before the last sign-in is over', async () => {
  const { shown } = show({
    ...saml,
    lastSignInAt: 2000,
    lastFailureAt: 1000,
    lastFailure: 'It was too old.',
  });
  await shown;
  await screen.findByText(/^Last sign-in/);
  expect(screen.queryByText('It was too old.')).toBeNull();
});

test('the secret of an OpenID provider is never shown, and an empty field keeps it', async () => {
  const { changes, shown } = show(oidc);
  await shown;
  expect(await screen.findByText('Stored, never shown')).toBeTruthy();
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  expect((screen.getByLabelText('Client secret') as HTMLInputElement).value).toBe('');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: 'Edit' });
  const { kind, name, issuer, clientId } = oidc;
  expect(changes()).toEqual([{ provider: { kind, name, issuer, clientId } }]);
});

test('is removed after a question that says how many people it concerns', async () => {
  const { changes, shown } = show(saml);
  await shown;
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/^3 people sign in with Contoso/)).toBeTruthy();
  expect(changes()).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Remove Contoso' }));
  expect(await screen.findByRole('button', { name: 'Save' })).toBeTruthy();
  expect(changes()).toEqual([{ provider: null }]);
});

test('who manages access and is no owner sees it, and may change nothing', async () => {
  const permissions = ['read', 'manageAccess'];
  signInAs({
    scopes: { demo: { role: 'admin', permissions, ps: '', devGroup: null, scopes: { device: [] } } },
  });
  const { shown } = show(saml);
  await shown;
  expect(await screen.findByText('Only a workgroup owner can change this.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Edit|Remove|Save/ })).toBeNull();
});
