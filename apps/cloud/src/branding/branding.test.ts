import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { cleanSvg } from './svg-cleaner.ts';

const PAGE =
  '<!doctype html><html><head><link rel="icon" type="image/svg+xml" href="/favicon.svg" /><title>Albedo</title></head></html>';
let cloud: TestCloud;
let staff = '';
beforeAll(async () => {
  const webRoot = mkdtempSync(join(tmpdir(), 'albedo-web-'));
  mkdirSync(webRoot, { recursive: true });
  writeFileSync(join(webRoot, 'index.html'), PAGE);
  cloud = await startTestCloud({ ALBEDO_STAFF_DOMAINS: 'provider.example' }, { webRoot });
  staff = await cloud.tokenOf('s@provider.example');
});
afterAll(() => cloud.stop());

let wg = '';
let owner = '';
let tests = 0;
beforeEach(async () => {
  wg = `wg-${++tests}`;
  owner = await cloud.newUser({ [wg]: { role: 'owner' } });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAFklEQVR42mNk+M9QzzCKRoNgNAhGAQBp9QMBn3aTJQAAAABJRU5ErkJggg==',
  'base64',
);
const svg = (inside = '', root = '') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32"${root}>${inside}</svg>`,
  );
const headers = () => ({ 'x-forwarded-for': `192.0.2.${tests}` });

/** Sends a file as a browser's form does. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of all shapes
async function upload(path: string, content: Buffer, token = owner): Promise<{ status: number; body: any }> {
  const { headers: version } = await cloud.call('GET', 'version');
  const csrf = /XSRF-TOKEN=([^;]+)/.exec(version.get('set-cookie') ?? '')?.[1] ?? '';
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(content)]), 'logo.png');
  const response = await fetch(`${cloud.cloud.url}/api/v1/${path}`, {
    method: 'PUT',
    headers: {
      ...headers(),
      authorization: `bearer ${token}`,
      cookie: `XSRF-TOKEN=${csrf}`,
      'x-xsrf-token': csrf,
    },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}
const download = (path: string, token?: string, host?: string) =>
  cloud.call('GET', path, {
    token,
    headers: { ...headers(), ...(host ? { 'x-forwarded-host': host } : {}) },
  });

describe('the logo of a workgroup', () => {
  test('is set by a coordinator, told to everybody, and given to members only', async () => {
    const reader = await cloud.newUser({ [wg]: { role: 'readonly', permissions: ['read'] } });
    const socket = await new BrowserSocket(cloud, { token: reader, orgName: wg }).connected();
    const told = new Promise((resolve) => socket.socket.once('workgroup:changed', resolve));
    const { status, body } = await upload(`orgs/${wg}/logo`, PNG);
    expect({ status, version: body.images?.logo }).toEqual({
      status: 200,
      version: expect.stringMatching(/^\w{16}$/),
    });
    expect(await told).toEqual({ workgroup: wg });
    const reply = await download(`orgs/${wg}/logo`, reader);
    expect(reply.bytes.equals(PNG)).toBe(true);
    expect(reply.headers.get('content-type')).toBe('image/png');
    expect(
      (await download(`orgs/${wg}/logo`, await cloud.newUser({ other: { role: 'owner' } }))).status,
    ).toBe(403);
    expect((await upload(`orgs/${wg}/logo`, PNG, reader)).status).toBe(403);
    const removed = await cloud.call('DELETE', `orgs/${wg}/logo`, { token: owner, headers: headers() });
    expect(removed.body.images).toEqual({});
    expect((await download(`orgs/${wg}/logo`, reader)).body.error).toBe('branding.image_missing');
    const rows = (await auditOf(cloud, wg)).filter((row) => row.attribute === 'logo');
    expect(rows).toMatchObject([
      { old_value: null, new_value: expect.stringContaining('image/png') },
      { old_value: expect.stringContaining('image/png'), new_value: null },
    ]);
    socket.socket.close();
  });

  test('that is an SVG is never a page of ours', async () => {
    expect((await upload(`orgs/${wg}/logo`, svg('<circle r="9"/>'))).status).toBe(200);
    const reply = await download(`orgs/${wg}/logo`, owner);
    expect(reply.headers.get('content-type')).toBe('image/svg+xml');
    expect(reply.headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="image.svg"');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('that is an SVG keeps all that draws, and loses what editors wrote into it', async () => {
    const drawing = `<defs><linearGradient id="g" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="red"/></linearGradient></defs><style>.a{fill:url(#g)}</style><g class="a" style="opacity:.5"><use xlink:href="#x" x="3"/><path id="x" d="M0 0h3"/></g><text font-family="Arial" xml:space="preserve">A &amp; B</text><image href="data:image/png;base64,AAAA" width="3" height="3"/><filter id="f"><feGaussianBlur stdDeviation="2"/></filter>`;
    const names = ' xmlns:xlink="http://www.w3.org/1999/xlink"';
    const editor = ' xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:version="1"';
    const data =
      '<metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata><i:namedview/><font-face/>';
    expect((await upload(`orgs/${wg}/logo`, svg(data + drawing, names + editor))).status).toBe(200);
    const kept = (await download(`orgs/${wg}/logo`, owner)).bytes.toString();
    expect(kept).toBe(svg(`<metadata/>${drawing}`, names).toString());
  });

  test('that is an SVG is refused where cleaning it takes too long', async () => {
    await expect(cleanSvg(svg('<path/>'))).resolves.toBeInstanceOf(Buffer);
    await expect(cleanSvg(svg('<path/>'), 1)).rejects.toMatchObject({ error: 'branding.image_invalid' });
  });

  test.each([
    ['an element that nobody knows', svg('<portal src="#a"/>')],
    ['a page in its own namespace', svg('<h:body xmlns:h="http://www.w3.org/1999/xhtml"><h:b/></h:body>')],
    [
      'a page behind an integration point',
      svg('<desc><h:style xmlns:h="http://www.w3.org/1999/xhtml">a</h:style></desc>'),
    ],
    ['a picture used from elsewhere', svg('<use href="https://evil.example/a.svg#a"/>')],
    ['a picture used as data', svg('<use href="data:image/svg+xml;base64,PHN2Zy8+#a"/>')],
    ['a script behind letters of another kind', svg('<a href="java&#9;script:alert(1)"><path/></a>')],
    [
      'entities that grow',
      Buffer.concat([
        Buffer.from('<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'),
        svg('<text>&b;</text>'),
      ]),
    ],
    ['a deep nest', svg(`${'<g>'.repeat(30_000)}${'</g>'.repeat(30_000)}`)],
    ['a script', svg('<script>alert(1)</script>')],
    ['a script with another prefix', svg('<s:script xmlns:s="http://www.w3.org/2000/svg">1</s:script>')],
    ['a handler', svg('<g onclick="alert(1)"/>')],
    ['a handler of its root', svg('', ' onload="alert(1)"')],
    ['a link to a script', svg('<a href="javascript:alert(1)"><path/></a>')],
    ['an image from elsewhere', svg('<image href="https://evil.example/a.png"/>')],
    ['an embedded page', svg('<foreignObject><b/></foreignObject>')],
    ['a style from elsewhere', svg('<style>@import "https://evil.example/a.css";</style>')],
    ['a fill from elsewhere', svg('<path style="fill:url(https://evil.example/a.svg#a)"/>')],
    ['a style behind an element of its own', svg('<style><g/>@import "https://evil.example/a.css";</style>')],
    ['a style of sets', svg('<path style="fill:image-set(&quot;https://evil.example/a.png&quot; 1x)"/>')],
    ['another base of its links', svg('<g xml:base="https://evil.example/"/>')],
    ['a style that hides what it does', svg('<style>a{fill:u\\72l(https://evil.example)}</style>')],
    [
      'an animation that makes a link',
      svg('<a><animate attributeName="href" values="data:text/html,a"/></a>'),
    ],
    ['entities', Buffer.concat([Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]>'), svg('<text>a</text>')])],
    ['a style sheet', Buffer.concat([Buffer.from('<?xml-stylesheet href="a.css"?>'), svg()])],
    ['a script in capitals', svg('<SCRIPT>alert(1)</SCRIPT>')],
    ['a handler with a prefix', svg('<g xmlns:e="http://www.w3.org/2001/xml-events" e:onclick="alert(1)"/>')],
    ['a link that is set later', svg('<a><set attributeName="href" to="data:text/html,a"/></a>')],
    ['an SVG inside of it', svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>')],
    [
      'an image from elsewhere, as of old',
      svg('<image xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://evil.example/a.png"/>'),
    ],
    ['a page in place of a picture', Buffer.from('<html><body>Hello</body></html>')],
    [
      'a handler that is seen in another encoding only',
      Buffer.from(
        '<?xml version="1.0" encoding="GBK"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9" a="x" b=" onload=\'alert(1)\' c="/>',
        'latin1',
      ),
    ],
    ['bytes that are no UTF-8', Buffer.from(svg('<g id="\u0081"/>').toString(), 'latin1')],
    ['what is no XML', Buffer.from('<svg><g></svg>')],
    ['a text', Buffer.from('Hello')],
    ['nothing', Buffer.alloc(0)],
    ['the beginning of a PNG', PNG.subarray(0, 12)],
    ['larger than 500 kB', Buffer.concat([PNG, Buffer.alloc(500_000)])],
    [
      'more pixels than a screen',
      Buffer.concat([PNG.subarray(0, 16), Buffer.from([0, 1, 0, 0, 0, 1, 0, 0]), PNG.subarray(24)]),
    ],
  ])('with %s is refused with the reason', async (_what, content) => {
    const { status, body } = await upload(`orgs/${wg}/logo`, content);
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'branding.image_invalid' });
    expect(body.message).toMatch(/^This image cannot be used\. .+/);
    expect((await download(`orgs/${wg}/logo`, owner)).status).toBe(404);
  });
});

describe('a host name', () => {
  const HOST = 'energy.example.org';
  const theme = { primary: '#123456', title: 'Sun "&" <Co>', serviceName: 'SunCo' };
  const manifest = async (host: string) => {
    const headers = { 'x-forwarded-host': host };
    const reply = await fetch(`${cloud.cloud.url}/manifest.webmanifest`, { headers });
    expect(reply.headers.get('content-type')).toContain('application/manifest+json');
    return reply.json();
  };
  const page = async (host: string) =>
    (await cloud.call('GET', '/login', { headers: { accept: 'text/html', 'x-forwarded-host': host } }))
      .body as string;

  test('looks as the staff say, from the first moment of the page on', async () => {
    const set = await cloud.call('PUT', `opsteam/brands/${HOST}`, { token: staff, body: { theme } });
    expect(set.body).toMatchObject([{ host: HOST, theme, images: {} }]);
    const images = (await upload(`opsteam/brands/${HOST}/favicon`, PNG, staff)).body[0].images;
    expect((await download('branding', undefined, HOST)).body).toEqual({ theme, images });
    const html = await page(HOST);
    expect(html).toContain('<title>Sun &#34;&#38;&#34; &#60;Co&#62;</title>');
    expect(html).toContain(`<link rel="icon" href="/api/v1/branding/favicon?v=${images.favicon}" />`);
    const meta = /<meta name="albedo-brand" content="([^"]*)"/.exec(html)?.[1] ?? '';
    const text = meta.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
    expect(JSON.parse(text)).toEqual({ theme, images });
    const icon = await download(`branding/favicon?v=${images.favicon}`, undefined, HOST);
    expect(icon.headers.get('cache-control')).toContain('immutable');
    expect(icon.bytes.equals(PNG)).toBe(true);
    expect(await manifest(HOST)).toMatchObject({
      name: theme.title,
      short_name: 'SunCo',
      theme_color: '#123456',
      icons: [
        { src: `/api/v1/branding/favicon?v=${images.favicon}` },
        { sizes: '192x192' },
        { sizes: '512x512' },
      ],
    });
  });

  test('that nobody dressed looks as the product comes', async () => {
    expect(await manifest('plain.example.org')).toMatchObject({
      name: 'Albedo',
      display: 'standalone',
      start_url: '/login',
      theme_color: '#b0c748',
    });
    expect(await page('other.example.org')).toBe(PAGE);
    expect((await download('branding', undefined, 'other.example.org')).body).toEqual({
      theme: {},
      images: {},
    });
    expect((await download('branding/logo', undefined, 'other.example.org')).status).toBe(404);
  });

  test('loses its looks again, with its images', async () => {
    await cloud.call('PUT', 'opsteam/brands/gone.example.org', { token: staff, body: { theme } });
    await upload('opsteam/brands/gone.example.org/logo', PNG, staff);
    await cloud.call('DELETE', 'opsteam/brands/gone.example.org', { token: staff });
    expect(await page('gone.example.org')).toBe(PAGE);
    expect((await download('branding/logo', undefined, 'gone.example.org')).status).toBe(404);
  });

  test('is for the staff alone to dress', async () => {
    const body = { theme };
    expect((await cloud.call('PUT', `opsteam/brands/${HOST}`, { token: owner, body })).status).toBe(403);
    const bad = { theme: { primary: 'javascript:1' } };
    expect((await cloud.call('PUT', `opsteam/brands/${HOST}`, { token: staff, body: bad })).status).toBe(400);
  });
});
