import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { storedTicket } from '@albedo/contract/support/support.schema';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { PROVIDER_LOG } from '../audit/audit.service.ts';
import { mailsTo } from '../testing/outbox.ts';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let staff = '';
let owner = '';
beforeAll(async () => {
  cloud = await startTestCloud({
    ALBEDO_STAFF_DOMAINS: 'provider.example',
    ALBEDO_SUPPORT_EMAIL: 'help@provider.example',
  });
  staff = await cloud.tokenOf('ann@provider.example', 'Ann');
  owner = await cloud.owner();
});
afterAll(() => cloud.stop());

// Tickets are limited by client address.
let headers: Record<string, string> = {};
let tests = 0;
beforeEach(() => {
  headers = { 'x-forwarded-for': `198.51.100.${++tests}` };
});

const FIELDS = {
  name: 'Zoë Müller',
  email: OWNER.email,
  url: 'http://localhost/devices',
  workgroupId: 'main',
  subject: 'The roof is dark',
  body: 'Since noon.\n\nNothing helps.',
};
type Attached = [name: string, content: string | Uint8Array<ArrayBuffer>, field?: string];

function form(fields: Record<string, string | undefined> = {}, files: Attached[] = []): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...FIELDS, ...fields }))
    if (value !== undefined) body.append(name, value);
  for (const [name, content, field = 'files'] of files)
    body.append(field, new Blob([content], { type: 'text/html' }), name);
  return body;
}
const send = (body: unknown, token: string | undefined = owner) =>
  cloud.call('POST', 'support', { token, body, headers });
const tickets = async () =>
  storedTicket.array().parse((await cloud.call('GET', 'opsteam/tickets', { token: staff })).body);
const change = (id: string, body: object) =>
  cloud.call('PUT', `opsteam/tickets/${id}`, { token: staff, body });
const filesKept = (): string[] =>
  readdirSync(join(cloud.dataDir, 'files'), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name }) => name);

test('a ticket is kept with its files, mailed to support and to who wrote it, and read by the staff', async () => {
  const page = '<script>alert(1)</script>';
  const { status, body } = await send(form({}, [['../..\\Röof "1".html', page]]));
  expect(status).toBe(200);
  expect(body.taskId).toMatch(/^\d+$/);
  const [ticket] = await tickets();
  expect(ticket).toMatchObject({ ...FIELDS, taskId: body.taskId, status: 'open', accountEmail: OWNER.email });
  const [file] = ticket?.files ?? [];
  expect(file).toMatchObject({ name: 'Röof "1".html', type: 'text/html', size: page.length });

  const path = `opsteam/tickets/${ticket?._id}/files/${file?._id}`;
  const served = await cloud.call('GET', path, { token: staff });
  expect(served.body).toBe(page);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="R_of _1_.html"; filename*=UTF-8''R%C3%B6of%20%221%22.html`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  });
  expect((await cloud.call('GET', path, { token: owner })).status).toBe(403);

  const [mail] = await mailsTo(cloud, 'help@provider.example');
  expect(mail?.subject).toBe(`Ticket #${body.taskId}: The roof is dark`);
  expect(mail?.text).toContain('Nothing helps.');
  const [copy] = await mailsTo(cloud, OWNER.email);
  expect(copy?.subject).toBe(`Your ticket has been created: Ref #${body.taskId}`);
  expect(copy?.text).toContain('> Nothing helps.');
});

test('of several files each has an address of its own, under its own ticket alone', async () => {
  await send(
    form({}, [
      ['a.txt', 'first'],
      ['b.txt', 'second'],
    ]),
  );
  const [ticket] = await tickets();
  const read = async (file: string | undefined) =>
    (await cloud.call('GET', `opsteam/tickets/${ticket?._id}/files/${file}`, { token: staff })).body;
  const [first, second] = ticket?.files ?? [];
  expect([await read(first?._id), await read(second?._id)]).toEqual(['first', 'second']);
  await send(form({}, [['c.txt', 'third']]));
  const [other] = await tickets();
  expect((await read(other?.files[0]?._id)).error).toBe('file.not_found');
});

test('the copy goes to the account, whatever address the form names', async () => {
  await send(form({ email: 'stranger@example.org', subject: 'Buy this' }));
  expect((await tickets())[0]?.email).toBe('stranger@example.org');
  expect(await mailsTo(cloud, 'stranger@example.org')).toEqual([]);
});

test('the staff closes, opens and takes care of a ticket, which the log of the provider tells', async () => {
  await send(form());
  const [{ _id, taskId } = { _id: '', taskId: '' }] = await tickets();
  const closed = await change(_id, { status: 'closed', assign: true });
  expect(closed.body).toMatchObject({
    status: 'closed',
    closedBy: 'ann@provider.example',
    assignee: 'ann@provider.example',
  });
  const opened = await change(_id, { status: 'open', assign: false });
  expect(opened.body).toMatchObject({ status: 'open', closedAt: null, closedBy: null, assignee: null });
  expect((await change(crypto.randomUUID(), { status: 'closed' })).body.error).toBe('ticket.not_found');
  const seen = (await auditOf(cloud, PROVIDER_LOG)).filter(({ entity }) => entity === `ticket ${taskId}`);
  expect(seen.map(({ attribute, new_value }) => [attribute, new_value])).toEqual([
    ['status', 'closed'],
    ['assignee', 'ann@provider.example'],
    ['status', 'open'],
    ['assignee', null],
  ]);
  expect(await auditOf(cloud, 'main')).toContainEqual(
    expect.objectContaining({ entity: `ticket ${taskId}`, action: 'create', user_id: OWNER.email }),
  );
});

const big = (bytes: number) => new Uint8Array(bytes);
test.each<[what: string, body: () => unknown, status: number, text: string]>([
  ['no subject', () => form({ subject: ' ' }, [['a', 'b']]), 400, 'subject in the form: Required'],
  ['no body', () => form({ body: undefined }, [['a', 'b']]), 400, 'body in the form: Required'],
  ['a bad address', () => form({ email: 'nobody' }, [['a', 'b']]), 400, 'email in the form'],
  [
    "a stranger's workgroup",
    () => form({ workgroupId: 'other' }, [['a', 'b']]),
    404,
    'There is no workgroup other',
  ],
  [
    'a file too large',
    () =>
      form({}, [
        ['ok', 'x'],
        ['huge', big(10_000_001)],
      ]),
    413,
    'The file huge is larger than 10 MB.',
  ],
  [
    'files too large together',
    () =>
      form({}, [
        ['1', big(9_000_000)],
        ['2', big(9_000_000)],
        ['3', big(9_000_000)],
      ]),
    413,
    'All files together are larger than 25 MB.',
  ],
  [
    'too many files',
    () =>
      form(
        {},
        Array.from({ length: 11 }, (_, i): Attached => [`${i}`, 'x']),
      ),
    413,
    'up to 10 files',
  ],
  [
    'a file in another field',
    () =>
      form({}, [
        ['a', 'b'],
        ['c', 'd', 'body'],
      ]),
    400,
    'Files belong in the field files.',
  ],
  ['no form', () => FIELDS, 400, 'The body is not a form'],
])('of a ticket with %s nothing stays', async (_what, body, status, text) => {
  const before = { tickets: (await tickets()).length, files: filesKept() };
  const reply = await send(body());
  expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(text)]);
  expect({ tickets: (await tickets()).length, files: filesKept() }).toEqual(before);
});

test('files of exactly the limit are taken', async () => {
  expect((await send(form({}, [['ten', big(10_000_000)]]))).status).toBe(200);
  expect((await tickets())[0]?.files[0]?.size).toBe(10_000_000);
});

test('a form that names no boundary, or ends before its first part, is refused as no form', async () => {
  const version = await cloud.call('GET', 'version');
  const csrf = /XSRF-TOKEN=([^;]+)/.exec(version.headers.get('set-cookie') ?? '')?.[1];
  for (const [type, body] of [
    ['multipart/form-data', '--b'],
    ['multipart/form-data; boundary=b', ''],
  ] as const) {
    const reply = await fetch(`${cloud.cloud.url}/api/v1/support`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner}`,
        cookie: `XSRF-TOKEN=${csrf}`,
        'x-xsrf-token': csrf ?? '',
        'content-type': type,
      },
      body,
    });
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([
      400,
      'request.invalid',
    ]);
  }
});

test('of a form that breaks off nothing stays', async () => {
  const before = filesKept();
  const version = await cloud.call('GET', 'version');
  const csrf = /XSRF-TOKEN=([^;]+)/.exec(version.headers.get('set-cookie') ?? '')?.[1];
  const { hostname, port } = new URL(cloud.cloud.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /api/v1/support HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${owner}\r\ncookie: XSRF-TOKEN=${csrf}\r\n` +
      `x-xsrf-token: ${csrf}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 5000000\r\n\r\n` +
      '--b\r\ncontent-disposition: form-data; name="files"; filename="half"\r\n\r\nhalf of it',
  );
  await vi.waitFor(() => expect(filesKept().length).toBe(before.length + 1));
  socket.destroy();
  await vi.waitFor(() => expect(filesKept()).toEqual(before));
});

test('nobody but who is signed in writes tickets, and nobody many of them', async () => {
  expect((await cloud.call('POST', 'support', { body: form(), headers })).status).toBe(401);
  const noCsrf = await cloud.call('POST', 'support', { token: owner, body: form(), headers, noCsrf: true });
  expect(noCsrf).toMatchObject({ status: 403, body: { error: 'request.csrf' } });
  const statuses = new Set<number>();
  for (let i = 0; i < 12; i++) statuses.add((await send(form())).status);
  expect(statuses).toContain(429);
});
