import { expect, onTestFinished, test } from 'vitest';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { startTestCloud } from '../testing/test-cloud.ts';

/** A server and an API token of it. */
async function programOf(env: Record<string, string>) {
  const cloud = await startTestCloud(env);
  onTestFinished(() => cloud.stop());
  const body = { owner: 'A partner', email: 'partner@example.org', expiry: '2 months' };
  const made = await cloud.call('POST', 'orgs/main/api-tokens', { token: await cloud.owner(), body });
  const { token } = made.body as { token: string };
  const connect = (query: { token?: string; orgName: string }, headers: Record<string, string> = {}) => {
    const socket = new BrowserSocket(cloud, query, headers, false);
    onTestFinished(() => socket.close());
    return socket.connected();
  };
  return { token, connect };
}

test('a program gives its token in a header, and in the address only where the operator lets it', async () => {
  const strict = await programOf({ ALBEDO_ADDRESS_TOKENS: 'none' });
  const bearer = { authorization: `Bearer ${strict.token}` };
  await strict.connect({ orgName: 'main' }, bearer);
  await expect(strict.connect({ token: strict.token, orgName: 'main' })).rejects.toThrow('token_in_address');
  await expect(strict.connect({ orgName: 'main' })).rejects.toThrow('unauthorised');
  await expect(strict.connect({ orgName: 'main' }, { authorization: 'Bearer x' })).rejects.toThrow(
    'invalid_token',
  );
});

test('without a word of the operator both ways lead in, as the specification has it', async () => {
  const { token, connect } = await programOf({});
  await connect({ token, orgName: 'main' });
  await connect({ orgName: 'main' }, { authorization: `Bearer ${token}` });
});
