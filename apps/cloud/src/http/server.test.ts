import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FRONTEND_VERSION } from '@albedo/contract/product';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathForLog } from '../errors/plain.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

describe('a request that no store can keep', () => {
  test.each([
    ['an address', 'GET', 'auth/saml/login/sso/finish?request=a%00b', undefined],
    ['a query of any names', 'GET', 'auth/oidc/callback/main?state=a%00b', undefined],
    ['a text', 'PUT', 'settings/language', { value: { deep: ['a\0b'] } }],
    ['a name', 'PUT', 'settings/language', { value: { 'a\0b': 1 } }],
  ] as const)('because %s holds NUL, is refused in words', async (_where, method, path, body) => {
    const reply = await cloud.call(method, path, { token: await cloud.owner(), body });
    expect(reply).toMatchObject({ status: 400, body: { error: 'request.invalid' } });
    expect(reply.body.message).toContain('NUL');
  });

  test('because it is nested without end, is refused in words', async () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 1000; depth++) value = [value];
    const reply = await cloud.call('PUT', 'settings/language', {
      token: await cloud.owner(),
      body: { value },
    });
    expect(reply).toMatchObject({ status: 400, body: { error: 'request.invalid' } });
    expect(reply.body.message).toContain('nested too deeply');
  });
});

test('what is wrong with a field has a name, for clients with words of their own', async () => {
  const token = await cloud.owner();
  const body = { name: '', company: 'a'.repeat(201) };
  const reply = await cloud.call('PUT', 'me/profile', { token, body });
  expect(reply.status).toBe(400);
  expect(reply.body.message).toBe(
    'Not accepted: name in the body: Name is required; company in the body: At most 200 characters.',
  );
  expect(reply.body.issues).toEqual([
    { path: 'name', message: 'Name is required', issue: 'issue.name_required', facts: {} },
    { path: 'company', message: 'At most 200 characters.', issue: 'issue.too_long', facts: { max: '200' } },
  ]);
});

test('the log has neither queries nor the secrets of links', () => {
  const token = 'x'.repeat(43);
  expect(pathForLog(`/reset/${token}`)).toBe('/reset/[secret]');
  expect(pathForLog(`/api/v1/newuser/main/${token}?state=1`)).toBe('/api/v1/newuser/main/[secret]');
  expect(pathForLog('/api/v1/devices/main/0f4e3c1e-8a70-4f3b-9f39-3b1d3f8a1b6e?q=1')).toBe(
    '/api/v1/devices/main/0f4e3c1e-8a70-4f3b-9f39-3b1d3f8a1b6e',
  );
});

describe('errors', () => {
  test('of an address that no endpoint has are a 404 of the form of the API', async () => {
    const reply = await cloud.call('GET', 'nothing');
    expect(reply).toMatchObject({
      status: 404,
      body: { code: 404, message: 'Not found', error: 'request.not_found' },
    });
  });

  test.each([
    ['devices/%zz', 400, 'request.invalid'],
    ['devices/%ff', 400, 'request.invalid'],
    [`devices/main/${'x'.repeat(600)}`, 404, 'request.not_found'],
  ])('of an address that cannot be read have the form of the API too: %.12s', async (path, status, error) => {
    expect(await cloud.call('GET', path)).toMatchObject({ status, body: { code: status, error } });
  });

  test('that nobody expected are answered bare', async () => {
    const { devices } = cloud.cloud.features;
    const list = devices.list;
    devices.list = () => {
      throw new Error('a secret of the server');
    };
    const reply = await cloud.call('GET', 'devices/main', { token: await cloud.owner() });
    devices.list = list;
    expect(reply).toMatchObject({ status: 500, body: { code: 500, error: 'server.failed' } });
    expect(JSON.stringify(reply.body)).not.toContain('secret');
  });

  test('of a body that is not JSON, or too large, say so', async () => {
    const token = await cloud.owner();
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    const post = async (body: string | Buffer) => {
      const csrf = await fetch(`${cloud.cloud.url}/api/v1/version`);
      const value = /XSRF-TOKEN=([^;]+)/.exec(csrf.headers.get('set-cookie') ?? '')?.[1] ?? '';
      const response = await fetch(`${cloud.cloud.url}/api/v1/devices/main`, {
        method: 'POST',
        headers: {
          ...headers,
          authorization: `bearer ${token}`,
          cookie: `XSRF-TOKEN=${value}`,
          'x-xsrf-token': value,
        },
        body,
      });
      return { status: response.status, ...((await response.json()) as { message: string }) };
    };
    expect(await post('{"name":')).toMatchObject({
      status: 400,
      message: expect.stringMatching(/not valid JSON/),
    });
    expect((await post(JSON.stringify({ name: 'x'.repeat(2_000_000) }))).status).toBe(413);
    headers['content-encoding'] = 'gzip';
    const bomb = gzipSync(JSON.stringify({ name: 'x'.repeat(50_000_000) }));
    expect(bomb.length).toBeLessThan(100_000);
    expect([413, 415]).toContain((await post(bomb)).status);
  });
});

describe('answers', () => {
  test('of the API carry the version of the web app and are not cached', async () => {
    const { headers } = await cloud.call('GET', 'version');
    expect(headers.get('x-frontend-version')).toBe(FRONTEND_VERSION);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  test('tell whether every engine works', async () => {
    expect((await cloud.call('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await cloud.call('GET', '/readyz')).body).toEqual({
      status: 'ready',
      checks: {
        disk: 'ok',
        'files on the disk': 'ok',
        records: 'ok',
        'records on the disk': 'ok',
        telemetry: 'ok',
        'telemetry on the disk': 'ok',
      },
    });
  });

  test('with metrics are for this machine only', async () => {
    expect((await cloud.call('GET', '/metrics')).body).toContain('albedo_devices ');
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    expect((await cloud.call('GET', '/metrics', { headers })).status).toBe(401);
  });

  test('describe the API with who may call what', async () => {
    const { body } = await cloud.call('GET', 'openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const { get } = body.paths['/api/v1/devices/{wg}'];
    expect(get.security).toEqual([{ session: [] }, { apiToken: [] }]);
    expect(get.description).toBe('Members of the workgroup may call it.');
    // Whole, or by name only.
    const [whole] = get.responses['200'].content['application/json'].schema.anyOf;
    expect(whole.items).toEqual({ $ref: '#/components/schemas/DeviceSummary' });
    expect(Object.keys(body.components.schemas)).toContain('DeviceFacts');
    const docs = await cloud.call('GET', '/docs/');
    expect(docs.body).toContain('swagger-ui');
  });
});

describe('the web app', () => {
  test('answers pages with its index and keeps hashed files for a year', async () => {
    const webRoot = mkdtempSync(join(tmpdir(), 'albedo-web-'));
    mkdirSync(join(webRoot, 'assets'));
    writeFileSync(join(webRoot, 'index.html'), '<p>the app');
    writeFileSync(join(webRoot, 'assets/index-DAi7gAY6.js'), 'app()');
    const app = await startTestCloud({}, { webRoot });
    try {
      const accept = { accept: 'text/html,*/*' };
      const page = await app.call('GET', '/devices/1/general', { headers: accept });
      expect(page).toMatchObject({ status: 200, body: '<p>the app' });
      expect(page.headers.get('cache-control')).toBe('no-store');
      const asset = await app.call('GET', '/assets/index-DAi7gAY6.js');
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      const encoded = async (accepted: string) => {
        const reply = await fetch(`${app.cloud.url}/assets/twin-DAi7gAY6.js`, {
          headers: { 'accept-encoding': accepted },
        });
        return [reply.headers.get('content-encoding'), await reply.text()];
      };
      writeFileSync(join(webRoot, 'assets/twin-DAi7gAY6.js'), 'app()');
      writeFileSync(join(webRoot, 'assets/twin-DAi7gAY6.js.gz'), gzipSync('packed()'));
      expect(await encoded('gzip, deflate;q=0.5')).toEqual(['gzip', 'packed()']);
      expect(await encoded('gzip;q=0, br')).toEqual([null, 'app()']);
      for (const path of [
        '..%2findex-DAi7gAY6.html',
        '..%5c..%5cx-DAi7gAY6.js',
        '%00-DAi7gAY6.js',
        'index.html',
      ])
        expect((await app.call('GET', `/assets/${path}`)).status, path).toBeOneOf([400, 403, 404]);
      expect((await app.call('GET', '/assets/gone-DAi7gAY6.js', { headers: accept })).status).toBe(404);
      expect((await app.call('GET', '/devices/1', { headers: { accept: '*/*' } })).status).toBe(404);
      expect((await app.call('GET', '/', { headers: { accept: '*/*' } })).status).toBe(200);
    } finally {
      await app.stop();
    }
  });
});
