import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkIn, mailsTo } from '../testing/outbox.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

const call = (method: string, path: string, token: string, body?: unknown) =>
  cloud.call(method, path, { token, body });
const someone = () => cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });

test('a setting is kept for its user and for nobody else', async () => {
  const [ann, ben] = [await someone(), await someone()];
  expect((await call('GET', 'settings', ann)).body).toEqual({});
  expect((await call('GET', 'settings/hiddenOrgs', ann)).body).toEqual({ value: null });
  const hidden = ['north', 'south'];
  expect((await call('PUT', 'settings/hiddenOrgs', ann, { value: hidden })).body).toEqual({ value: hidden });
  await call('PUT', 'settings/language', ann, { value: 'de' });
  expect((await call('GET', 'settings', ann)).body).toEqual({ hiddenOrgs: hidden, language: 'de' });
  expect((await call('GET', 'settings/language', ann)).body).toEqual({ value: 'de' });
  expect((await call('GET', 'settings', ben)).body).toEqual({});
});

test('a setting is taken away by null', async () => {
  const token = await someone();
  await call('PUT', 'settings/colorScheme', token, { value: 'dark' });
  expect((await call('PUT', 'settings/colorScheme', token, { value: null })).body).toEqual({ value: null });
  expect((await call('GET', 'settings', token)).body).toEqual({});
});

test.each([
  ['language', 'fr', 'The languages are en, de and es.'],
  ['timeZone', 'Mars/Base', 'This time zone does not exist.'],
  ['hiddenOrgs', 'north', 'hiddenOrgs'],
  ['hiddenOrgs', Array.from({ length: 201 }, () => 'a'), 'hiddenOrgs'],
])('a %s of %j is refused with a sentence', async (key, value, sentence) => {
  const reply = await call('PUT', `settings/${key}`, await someone(), { value });
  expect(reply).toMatchObject({ status: 400, body: { error: 'request.invalid' } });
  expect(reply.body.message).toContain(sentence);
});

test.each(['', 'local', 'utc', 'Australia/Sydney'])('a time zone may be %j', async (value) => {
  const token = await someone();
  expect((await call('PUT', 'settings/timeZone', token, { value })).body).toEqual({ value });
});

test('a setting that is too large, or that nobody knows, is refused', async () => {
  const token = await someone();
  const large = await call('PUT', 'settings/hiddenOrgs', token, { value: ['x'.repeat(20_000)] });
  expect(large).toMatchObject({ status: 413, body: { error: 'request.too_large' } });
  for (const key of ['nothing', 'constructor', '__proto__']) {
    const unknown = await call('PUT', `settings/${key}`, token, { value: 1 });
    expect(unknown).toMatchObject({ status: 404, body: { error: 'setting.unknown' } });
  }
});

test('the audit log has what was before and what is now, once', async () => {
  const token = await someone();
  const { email } = await cloud.cloud.features.sessions.verify(token);
  for (const value of ['de', 'es', 'es']) await call('PUT', 'settings/language', token, { value });
  const rows = (await auditOf(cloud, 'main')).filter((one) => one.user_id === email);
  expect(rows).toMatchObject([
    { attribute: 'settings.language', old_value: 'null', new_value: '"de"' },
    { attribute: 'settings.language', old_value: '"de"', new_value: '"es"' },
  ]);
});

test('mails come in the language of who gets them, invitations in that of who sends them', async () => {
  const token = await cloud.newUser({ main: { role: 'owner' } });
  const { email } = await cloud.cloud.features.sessions.verify(token);
  await call('PUT', 'settings/language', token, { value: 'de' });
  await call('POST', 'forgot', token, { email });
  const guest = `${crypto.randomUUID()}@example.org`;
  const invite = { email: guest, role: 'readonly', permissions: ['read'], expiresInDays: 1 };
  expect((await call('POST', 'orgs/main/members', token, invite)).status).toBe(200);
  const [reset] = await mailsTo(cloud, email);
  expect(reset?.text).toContain('Ihr Passwort bleibt, wie es ist.');
  expect(reset?.html).toContain('<html lang="de">');
  expect(linkIn(reset, 'reset')).toBeTruthy();
  const [invitation] = await mailsTo(cloud, guest);
  expect(invitation?.text).toContain('lädt Sie in die Arbeitsgruppe');
  await call('PUT', 'settings/language', token, { value: 'es' });
  const fresh = `${crypto.randomUUID()}@example.org`;
  await call('POST', 'me/email', token, { email: fresh });
  expect((await mailsTo(cloud, fresh))[0]?.text).toMatch(/Su código es \d{4}/);
});
