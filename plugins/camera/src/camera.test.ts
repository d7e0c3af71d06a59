import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cameraPlugin } from './camera.plugin.ts';
import { authorizationFor, challengeOf } from './http-auth.ts';
import { GREY_JPEG, TestCamera, type TestCameraOptions } from './testing/test-camera.ts';

const PASSWORD = 'pump-room-7';

let folder = '';
const open: { stop(): Promise<void> }[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-camera-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** Its picture says where it looks, after the end of the JPEG as cameras have it. */
const picture = (pan: number, tilt: number) => Buffer.concat([GREY_JPEG, Buffer.from(`@${pan},${tilt}`)]);

async function camera(options: Partial<TestCameraOptions> = {}): Promise<TestCamera> {
  const one = await new TestCamera({ user: 'plant', password: PASSWORD, picture, ...options }).start();
  open.push(one);
  return one;
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  open.push({
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/snapshot.jpg`;
}

const run = (...args: string[]) =>
  runCaptured(cameraPlugin, args, { environment: { ALBEDO_PLUGIN_PASSWORD: PASSWORD, ALBEDO_ROOT: folder } });

const log = (endpoint: string, ...more: string[]) => run('log', endpoint, 'roof', `${folder}/logs`, ...more);
const photos = () => {
  const place = join(folder, 'logs/camera/roof/photos');
  return readdirSync(place)
    .toSorted()
    .map((name) => readFileSync(join(place, name)).subarray(GREY_JPEG.length).toString());
};

test('a photo lies where the agent watches, and what was taken is captured', async () => {
  const { host } = await camera();
  expect(await log(`http://${host}/snapshot.jpg`)).toEqual({ code: 0, out: '', err: '' });
  expect(photos()).toEqual(['@0,0']);
  const [header, line = ''] = readFileSync(join(folder, 'logs/camera/roof/latest.csv'), 'utf8').split('\n');
  expect(header).toBe('# Datetime(date),Photo(keyword),Size(integer:B),Answer Time(integer:ms)');
  expect(line).toMatch(new RegExp(`,\\d{4}-[\\d-]+T[\\d-]+\\.jpg,${GREY_JPEG.length + 4},\\d+$`));
});

test('discover shows what it would write, and writes nothing', async () => {
  const { host } = await camera();
  const { code, out } = await run('discover', `http://${host}/snapshot.jpg`, 'roof');
  expect([code, out]).toEqual([0, expect.stringMatching(/Source\s+roof\n[\s\S]*Photo\(keyword\)\s+\(jpg\)/)]);
  expect(readdirSync(folder)).toEqual([]);
});

test.each(['basic', 'digest-md5', 'digest-sha256'] as const)(
  'a camera is signed in to by %s',
  async (auth) => {
    const { host } = await camera({ auth });
    expect((await log(`http://${host}/snapshot.jpg`, '--user', 'plant')).err).toBe('');
    expect(photos()).toEqual(['@0,0']);
    expect((await log(`http://${host}/snapshot.jpg`, '--user', 'other')).err).toContain('refuses this user');
    expect((await log(`http://${host}/snapshot.jpg`)).err).toContain('asks for a user and a password');
  },
);

/** Source: RFC 7616, section 3.9.1, and RFC 2617, section 3.5 (both with the password "Circle of Life" and its like). */
test('digests are those of the standards', () => {
  const mufasa = { user: 'Mufasa', password: 'Circle of Life' };
  const both = [
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
  ];
  const clientNonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
  const responses = [both, both.slice(1)].map((headers) => {
    const challenge = challengeOf(headers);
    if (!challenge) throw new Error('no challenge');
    const request = { method: 'GET', path: '/dir/index.html', count: 1, clientNonce };
    return /response="([^"]+)"/.exec(authorizationFor(challenge, mufasa, request))?.[1];
  });
  expect(responses).toEqual([
    '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    '8ca523f5e9506fed4657c9700eebdbec',
  ]);
});

test('several ways to sign in may stand in one header, and unknown ones are passed over', () => {
  expect(
    challengeOf(['Negotiate', 'Basic realm="a", Digest realm="b", nonce="n", algorithm=SHA-512-256']),
  ).toEqual({
    scheme: 'basic',
  });
  expect(challengeOf(['Basic realm="a, Digest", Digest realm="b", nonce=n'])).toMatchObject({
    realm: 'b',
    hash: 'MD5',
  });
  expect(challengeOf(['Bearer realm="x"'])).toBeNull();
});

test('the first picture of a stream that never ends', async () => {
  const { host } = await camera();
  expect((await log(`http://${host}/stream`)).err).toBe('');
  expect(photos()).toEqual(['@0,0']);
});

test('an ONVIF camera with another clock and another address of its own gives its picture', async () => {
  const { host } = await camera({ auth: 'digest-md5', aheadMs: 7_200_000 });
  expect((await log(`onvif://${host}`, '--user', 'plant')).err).toBe('');
  expect(photos()).toEqual(['@0,0']);
  const { out } = await run('browse', `onvif://${host}`, 'roof', '--user', 'plant');
  expect(out).toContain('# Oculo Dome 7, profiles sub, main\n# It can be moved.\nwatch:\n');
  expect(out).toContain('file: /opt/albedo/logs/camera/roof/photos/*.jpg');
  expect((await log(`onvif://${host}`, '--user', 'other')).err).toContain('Sender not authorized');
  expect((await log(`onvif://${host}`, '--user', 'plant', '--profile', 'x')).err).toContain(
    'it has sub, main',
  );
});

function keepService(endpoint: string, more: Record<string, string> = {}): void {
  const place = join(folder, 'etc/albedo/services');
  mkdirSync(place, { recursive: true });
  const row = {
    ...{ _name: 'east', _plugin: 'camera', endpoint, camera: 'roof', user: 'plant', password: PASSWORD },
    ...{ output_directory: `${folder}/logs`, frequency: '300', step: '0.1', settle: '0.01', ...more },
  };
  writeFileSync(join(place, 'cameras'), `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`);
  writeFileSync(join(place, 'meters'), '_name,_plugin,endpoint\na,modbus,10.0.0.1\n');
}

test('a camera of a service looks into eight directions and home, and its photo shows where', async () => {
  const one = await camera({ auth: 'basic' });
  keepService(`onvif://${one.host}`);
  const steps = ['up', 'up-right', 'right', 'down-right', 'down', 'down-left', 'left', 'up-left'];
  for (const step of steps) {
    const { code, out, err } = await run('steer', 'roof', step);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(new RegExp(`^roof: ${step}, .*\\.jpg\n$`));
  }
  const moved = one.orders.filter((order) => order.startsWith('move'));
  expect(moved).toEqual(
    ['0 0.5', '0.5 0.5', '0.5 0', '0.5 -0.5', '0 -0.5', '-0.5 -0.5', '-0.5 0', '-0.5 0.5'].map(
      (velocity) => `move main ${velocity}`,
    ),
  );
  expect(one.orders.filter((order) => order === 'stop')).toHaveLength(8);
  expect(photos().slice(0, 3)).toEqual(['@0,0.5', '@0.5,1', '@1,1']);
  await run('steer', 'roof', 'up');
  expect((await run('steer', 'roof', 'home')).code).toBe(0);
  expect(photos().at(-1)).toBe('@0,0');
});

test('take photo moves nothing, and of many photos the newest stay', async () => {
  const one = await camera({ auth: 'basic' });
  keepService(`onvif://${one.host}`, { keep: '2' });
  for (const pan of [1, 2, 3]) {
    one.pan = pan;
    expect((await run('steer', 'roof', 'photo')).code).toBe(0);
  }
  expect(one.orders).toEqual([]);
  expect(photos()).toEqual(['@2,0', '@3,0']);
});

test('a camera without ONVIF is moved by its own address', async () => {
  const one = await camera({ auth: 'digest-md5' });
  keepService(`http://${one.host}/snapshot.jpg`, { move_url: '/move?to={action}&x={pan}&y={tilt}' });
  expect((await run('steer', 'roof', 'down-left')).err).toBe('');
  expect(one.orders).toEqual(['address to=downleft&x=-1&y=-1']);
  expect(photos()).toEqual(['@-1,-1']);
});

test('what cannot be steered says why', async () => {
  const one = await camera({ auth: 'basic' });
  keepService(`http://${one.host}/snapshot.jpg`);
  expect((await run('steer', 'yard', 'up')).err).toContain('has a camera "yard"; there are roof');
  expect((await run('steer', 'roof', 'sideways')).err).toContain('"sideways" is none of up, up-right');
  expect((await run('steer', 'roof')).err).toContain('steer takes camera and action');
  expect(await run('steer', 'roof', 'up')).toMatchObject({
    code: 1,
    err: 'the camera cannot be moved: it has no move_url\n',
  });
});

test('a camera that signs its own certificate is known by its fingerprint alone', async () => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=camera', '-days', '2', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'pipe' });
  const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  const { host } = await camera({ tls });
  const said = execFileSync('openssl', ['x509', '-in', cert, '-noout', '-fingerprint', '-sha256'], {
    encoding: 'utf8',
  });
  const fingerprint = said.trim().split('=')[1] ?? '';
  const url = `https://${host}/snapshot.jpg`;
  expect((await log(url)).err).toContain('give its --fingerprint');
  expect((await log(url, '--fingerprint', 'ab'.repeat(32))).err).toContain('shows another certificate');
  expect(await log(url, '--fingerprint', fingerprint)).toMatchObject({ code: 0, err: '' });
  expect(photos()).toEqual(['@0,0']);
});

test.each<[string, RequestListener, string[], string]>([
  ['is a page', (_, response) => void response.end('<html>'), [], 'is no picture'],
  ['was cut off', (_, response) => void response.end(GREY_JPEG.subarray(0, 90)), [], 'has no end'],
  [
    'is too large',
    (_, response) => void response.end(Buffer.alloc(30_000)),
    ['--max_size', '0.02'],
    'larger than',
  ],
  ['is missing', (_, response) => void response.writeHead(404).end(), [], 'HTTP 404'],
  ['never comes', () => {}, ['--timeout', '0.2'], 'no answer in time'],
  [
    'lies elsewhere',
    (_, response) => void response.writeHead(302, { location: 'http://example.org/' }).end(),
    ['--user', 'plant'],
    'leads to another host',
  ],
])('a picture that %s is reported, and nothing is written', async (_, answer, more, message) => {
  const { code, err } = await log(await serve(answer), ...more);
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  expect(readdirSync(folder)).not.toContain('logs');
});

test('arguments that cannot be are refused by name', async () => {
  expect((await log('10.0.0.5')).err).toContain('endpoint: "10.0.0.5" is not of the form');
  expect((await log('http://a:b@10.0.0.5/')).err).toContain('user and password are arguments of their own');
  const moves = ['--move_url', 'http://other.example/{action}'];
  expect((await log('http://10.0.0.5/a.jpg', ...moves)).err).toContain('an address of the camera itself');
  expect((await run('log', 'http://10.0.0.5/a.jpg', '../x', folder)).err).toContain('is no name of letters');
});
