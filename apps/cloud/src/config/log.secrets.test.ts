import { PassThrough } from 'node:stream';
import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkIn, mailsTo } from '../testing/outbox.ts';
import { auditOf, OWNER, startTestCloud, type TestCloud, USER_PASSWORD } from '../testing/test-cloud.ts';
import { createLog } from './log.ts';

const lines: string[] = [];
let cloud: TestCloud;
beforeAll(async () => {
  const to = new PassThrough();
  to.on('data', (line: Buffer) => lines.push(line.toString()));
  const env = { S3_URL: 'http://key:the-bucket-secret@127.0.0.1:9/bucket' };
  cloud = await startTestCloud(env, { log: createLog('trace', to) });
});
afterAll(() => cloud.stop());

const call = (method: string, path: string, token?: string, body?: unknown) =>
  cloud.call(method, path, { token, body });
/** A page of the app, as the browser opens it. */
const open = (path: string) => fetch(cloud.cloud.url + path, { headers: { accept: 'text/html' } });
const lastMailTo = async (email: string) => (await mailsTo(cloud, email)).at(-1);

test('the log, with everything in it, and the audit log have no secrets', async () => {
  const owner = await cloud.owner();
  const wg = 'quiet';
  const boss = await cloud.newUser({ [wg]: { role: 'owner' } });
  const token = await cloud.newUser({ [wg]: { role: 'power' } });
  const { email } = await cloud.cloud.features.sessions.verify(token);
  const secrets: Record<string, string> = { owner, boss, token, bucket: 'the-bucket-secret' };

  secrets.ownerPassword = OWNER.password;
  secrets.password = USER_PASSWORD;
  secrets.wrongPassword = 'a wrong password of somebody';
  await call('POST', 'auth/local', undefined, { email, password: secrets.wrongPassword });

  const { uri } = (await call('POST', 'me/totp-setup', token)).body;
  secrets.seed = new URL(uri).searchParams.get('secret') ?? '';
  const key = await generate({ secret: secrets.seed });
  const enrolled = (await call('PUT', 'me/totp-setup', token, { key })).body;
  secrets.recoveryCode = enrolled.recoveryCode;
  secrets.enrolled = enrolled.token;
  const login = await call('POST', 'auth/local', undefined, { email, password: USER_PASSWORD });
  secrets.loginToken = login.body.token;
  const recovered = await call('POST', 'auth/local/totp-recover', login.body.token, {
    key: secrets.recoveryCode,
  });
  secrets.enrolmentToken = recovered.body.token;

  await call('POST', 'forgot', undefined, { email });
  await expect.poll(async () => (await lastMailTo(email))?.text).toContain('/reset/');
  secrets.reset = linkIn(await lastMailTo(email), 'reset');
  await open(`/reset/${secrets.reset}`);
  await call('GET', `reset/${secrets.reset}`);
  secrets.newPassword = 'an even longer password';
  const reset = await call('PUT', `forgot/${secrets.reset}`, undefined, { password: secrets.newPassword });
  expect(reset.status).toBe(200);
  await call('PUT', `forgot/${secrets.reset}x`, undefined, { password: secrets.newPassword });

  const invitee = 'invitee@example.org';
  await call('POST', `orgs/${wg}/members`, boss, { email: invitee });
  secrets.invitation = linkIn(await lastMailTo(invitee), `invitation/${wg}`);
  await open(`/invitation/${wg}/${secrets.invitation}`);
  await call('GET', `newuser/${wg}/${secrets.invitation}`);
  await call('POST', `diagnostics/${wg}/frontendAnalytics`, boss, {
    location: `/invitation/${wg}/${secrets.invitation}`,
  });
  secrets.invitedPassword = 'the password of an invitee';
  const accepted = { orgName: wg, token: secrets.invitation, name: 'In', password: secrets.invitedPassword };
  expect((await call('POST', 'newuser', undefined, accepted)).status).toBe(200);

  const api = { owner: 'A partner', email: 'partner@example.org', expiry: '7 days' };
  secrets.apiToken = (await call('POST', `orgs/${wg}/api-tokens`, boss, api)).body.token;
  await call('GET', `devices/${wg}`, secrets.apiToken);
  secrets.clientSecret = 'the secret of a client';
  const provider = { kind: 'oidc', name: 'X', issuer: 'http://127.0.0.1:9', clientId: 'a' };
  const set = { provider: { ...provider, clientSecret: secrets.clientSecret } };
  expect((await call('PUT', `orgs/${wg}/idp`, boss, set)).status).toBe(400);
  await call('GET', `auth/oidc/callback/${wg}?state=x&code=the-code-of-a-provider`);
  secrets.code = 'the-code-of-a-provider';

  const told = lines.join('') + JSON.stringify(await auditOf(cloud, wg));
  expect(lines.length).toBeGreaterThan(15);
  expect(Object.entries(secrets).filter(([, secret]) => secret === '')).toEqual([]);
  const spoken = Object.entries(secrets).filter(([, secret]) => told.includes(secret));
  expect(spoken.map(([name]) => name)).toEqual([]);
});
