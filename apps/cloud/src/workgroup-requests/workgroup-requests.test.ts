import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { linkIn, mailsTo } from '../testing/outbox.ts';
import { OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { OPEN_REQUESTS, REQUESTS_AN_HOUR } from './workgroup-requests.service.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'provider.example' });
});
afterAll(() => cloud.stop());

let headers: Record<string, string> = {};
let tests = 0;
beforeEach(() => {
  headers = { 'x-forwarded-for': `198.51.100.${++tests}` };
});
const call = (method: string, path: string, token?: string, body?: unknown) =>
  cloud.call(method, path, { body, token, headers });

const wanted = (email: string) => ({
  name: 'Ann Example',
  title: 'Engineer',
  company: 'Sun & <b>Sons</b>',
  email,
  website: 'sons.example',
  country: 'Germany',
  countryCode: 'DE',
  phone: '+49 30 1234',
  description: 'Three plants.',
});

async function staff(): Promise<{ token: string; email: string }> {
  const email = `${crypto.randomUUID()}@provider.example`;
  return { email, token: await cloud.tokenOf(email, 'Staff') };
}

test('a request is mailed to the first owner while nobody of the staff has an account', async () => {
  expect((await call('PUT', 'newuser', undefined, wanted('first@sons.example'))).status).toBe(200);
  const [mail] = await mailsTo(cloud, OWNER.email);
  expect(mail?.text).toContain('Sun & <b>Sons</b>');
  expect(mail?.html).not.toContain('<b>Sons</b>');
});

test('the staff makes a workgroup of a request, whose owner activates the account', async () => {
  const { token, email } = await staff();
  const asker = 'ann@sons.example';
  await call('PUT', 'newuser', undefined, wanted(asker));
  expect(await mailsTo(cloud, email)).toHaveLength(1);
  const requests = (await call('GET', 'opsteam/requests', token)).body as { _id: string; email: string }[];
  const id = requests.find((one) => one.email === asker)?._id;

  const taken = { name: 'main', displayName: 'Main' };
  expect((await call('POST', `opsteam/requests/${id}/accept`, token, taken)).body.error).toBe(
    'workgroup.name_taken',
  );
  await cloud.cloud.features.postgres.query("insert into deleted_workgroups (name) values ('gone')");
  const gone = await call('POST', `opsteam/requests/${id}/accept`, token, { ...taken, name: 'gone' });
  expect(gone.body).toMatchObject({
    code: 409,
    message: 'A workgroup named gone was deleted, and its name cannot be reused. Choose another one.',
  });
  const workgroup = { name: 'sons', displayName: 'Sun & Sons' };
  const accepted = await call('POST', `opsteam/requests/${id}/accept`, token, workgroup);
  expect(accepted.body).toMatchObject({ status: 'accepted', workgroup: 'sons', decidedBy: email });
  const again = await call('POST', `opsteam/requests/${id}/accept`, token, { ...workgroup, name: 'sons-2' });
  expect(again).toMatchObject({ status: 409, body: { error: 'request.decided' } });

  const link = linkIn((await mailsTo(cloud, asker))[0], 'activate');
  const seen = await call('GET', `activate/${link}`);
  expect(seen.body).toMatchObject({ email: asker, name: 'Ann Example', orgDisplay: 'Sun & Sons' });
  const password = 'long enough';
  expect((await call('POST', `activate/${link}`, undefined, { password })).status).toBe(200);
  const session = await call('POST', 'auth/local', undefined, { email: asker, password });
  expect(decodeJwt(session.body.token)).toMatchObject({
    name: 'Ann Example',
    staff: false,
    scopes: { sons: { role: 'owner' } },
  });
  expect((await call('POST', `activate/${link}`, undefined, { password })).status).toBe(404);
});

test('a request that is sent again takes the place of the open one, and mails nobody again', async () => {
  const { token, email } = await staff();
  const before = (await mailsTo(cloud, email)).length;
  const asker = 'twice@sons.example';
  await Promise.all([1, 2, 3].map(() => call('PUT', 'newuser', undefined, wanted(asker))));
  await call('PUT', 'newuser', undefined, { ...wanted(asker), description: 'Four plants.' });
  const requests = (await call('GET', 'opsteam/requests', token)).body as { email: string }[];
  expect(requests.filter((one) => one.email === asker)).toMatchObject([{ description: 'Four plants.' }]);
  expect((await mailsTo(cloud, email)).length - before).toBe(1);
});

test('a rejected request makes nothing', async () => {
  const { token } = await staff();
  await call('PUT', 'newuser', undefined, wanted('rejected@sons.example'));
  const [request] = (await call('GET', 'opsteam/requests', token)).body as { _id: string }[];
  const reply = await call('POST', `opsteam/requests/${request?._id}/reject`, token);
  expect(reply.body).toMatchObject({ status: 'rejected', workgroup: null });
  const late = { name: 'late', displayName: 'Late' };
  expect((await call('POST', `opsteam/requests/${request?._id}/accept`, token, late)).status).toBe(409);
  expect(await mailsTo(cloud, 'rejected@sons.example')).toEqual([]);
});

test.each([
  ['email', 'not an address', 'Invalid email'],
  ['website', 'no-dot', 'Invalid URL'],
  ['website', 'with space.example', 'Invalid URL'],
  ['company', '  ', 'Required'],
  ['description', undefined, 'Required'],
])('a request whose %s is %s is refused: %s', async (field, value, text) => {
  const reply = await call('PUT', 'newuser', undefined, { ...wanted('new@sons.example'), [field]: value });
  expect(reply.status).toBe(400);
  expect(reply.body.message).toContain(text);
});

test('a request with the address of an account is refused', async () => {
  const reply = await call('PUT', 'newuser', undefined, wanted(OWNER.email));
  expect(reply.body.message).toBe('Email address already in use. Try resetting your password.');
});

test('the staff alone sees requests, and an owner is none', async () => {
  expect((await call('GET', 'opsteam/requests', await cloud.owner())).status).toBe(403);
  const imitation = await cloud.newUser({ main: { role: 'owner' } });
  expect((await call('GET', 'opsteam/requests', imitation)).status).toBe(403);
});

test('a flood of requests is stopped, and the staff gets no flood of mails', async () => {
  const { token, email } = await staff();
  const ask = (i: number, from: string) =>
    cloud.call('PUT', 'newuser', {
      body: wanted(`flood-${i}@sons.example`),
      headers: { 'x-forwarded-for': from },
    });
  const { workgroupRequests } = cloud.cloud.features;
  const statuses: number[] = [];
  for (let i = 0; i <= REQUESTS_AN_HOUR.address; i++) {
    const sent = workgroupRequests.submit(wanted(`one-${i}@sons.example`), '2001:db8::1');
    statuses.push(
      await sent.then(
        () => 200,
        (error) => error.status,
      ),
    );
  }
  expect(statuses).toEqual([...Array(REQUESTS_AN_HOUR.address).fill(200), 429]);

  for (let i = 0; i < REQUESTS_AN_HOUR.mailed; i++) await ask(i, `192.0.2.${i + 1}`);
  expect((await mailsTo(cloud, email)).length).toBeLessThanOrEqual(REQUESTS_AN_HOUR.mailed);
  const { body } = await call('GET', 'opsteam/requests', token);
  expect(body).toContainEqual(
    expect.objectContaining({ email: `flood-${REQUESTS_AN_HOUR.mailed - 1}@sons.example`, status: 'open' }),
  );

  const open = (
    await cloud.cloud.features.postgres.query<{ n: number }>(
      `select count(*)::int as n from workgroup_requests where status = 'open'`,
    )
  )[0]?.n;
  await cloud.cloud.features.postgres.query(
    `insert into workgroup_requests (request) select jsonb_build_object('email', n) from generate_series(1, $1) n`,
    [OPEN_REQUESTS - (open ?? 0)],
  );
  expect((await ask(1000, '192.0.2.200')).status).toBe(429);
});
