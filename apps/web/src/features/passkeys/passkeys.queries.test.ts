import { demandedBody } from '@albedo/contract/http/query';
import { passkeysApi } from '@albedo/contract/passkeys/passkeys.api';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { afterEach, expect, test, vi } from 'vitest';

const bytes = (...list: number[]) => new Uint8Array(list).buffer;
const known = {
  ...{ id: 'AQI', rawId: bytes(1, 2), type: 'public-key', authenticatorAttachment: 'platform' },
  getClientExtensionResults: () => ({ credProps: { rk: true } }),
};

afterEach(() => vi.unstubAllGlobals());

/** A browser that answers as browsers do. */
function stubBrowser(response: object): void {
  vi.stubGlobal('PublicKeyCredential', class {});
  const answer = async () => ({ ...known, response });
  vi.stubGlobal('navigator', { credentials: { create: answer, get: answer } });
}

/** What the server reads of it. */
const sent = (endpoint: Parameters<typeof demandedBody>[0], body: unknown) =>
  demandedBody(endpoint)?.safeParse(JSON.parse(JSON.stringify(body)));

test('what a browser gives for a new passkey is a body that the server takes', async () => {
  stubBrowser({
    attestationObject: bytes(1),
    clientDataJSON: bytes(2),
    getTransports: () => ['internal', 'hybrid'],
    getPublicKeyAlgorithm: () => -7,
    getPublicKey: () => bytes(3),
    getAuthenticatorData: () => bytes(4),
  });
  const response = await startRegistration({
    optionsJSON: {
      ...{ challenge: 'AA', rp: { name: 'Albedo' }, pubKeyCredParams: [] },
      user: { id: 'AA', name: 'ada', displayName: 'Ada' },
    },
  });
  expect(response.response.publicKeyAlgorithm).toBe(-7);
  expect(sent(passkeysApi.add, { name: 'Phone', response })?.error).toBeUndefined();
  expect(sent(passkeysApi.add, { nam: 'Phone', name: 'Phone', response })?.success).toBe(false);
});

test('what it gives for a sign-in is too', async () => {
  stubBrowser({
    ...{ authenticatorData: bytes(1), clientDataJSON: bytes(2), signature: bytes(3), userHandle: bytes(4) },
  });
  const response = await startAuthentication({ optionsJSON: { challenge: 'AA' } });
  expect(sent(passkeysApi.signIn, { response: { ...response, more: 1 } })?.error).toBeUndefined();
});
