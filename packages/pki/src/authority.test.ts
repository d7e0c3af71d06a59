import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAuthority, RENEW_BEFORE_MS, VALIDITY_MS } from './authority.ts';
import { certificateFacts } from './certificate.ts';

const device = '7d7bf6b4-3f3e-4e9d-9d3e-0c1f6f8f0a01';
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-pki-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What openssl says about certificates that we made; throws when openssl refuses. */
function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('the authority is made once, with keys that only the owner can read', async () => {
  const first = await openAuthority(join(folder, 'ca'));
  await first.serverCertificate(['localhost']);
  const second = await openAuthority(join(folder, 'ca'));
  expect(second.caPem.trim()).toBe(first.caPem.trim());
  for (const key of ['ca.pem', 'server.pem'])
    expect(statSync(join(folder, 'ca', key)).mode & 0o777).toBe(0o600);
});

test('openssl accepts a device certificate as a client, and finds who it is', async () => {
  const authority = await openAuthority(folder);
  const { certPem, serial } = await authority.issueDevice(device, 'demo');
  const path = file('device.pem', certPem);
  openssl('verify', '-purpose', 'sslclient', '-CAfile', join(folder, 'ca.pem'), path);
  expect(() => openssl('verify', '-purpose', 'sslserver', '-CAfile', join(folder, 'ca.pem'), path)).toThrow();
  const text = openssl('x509', '-in', path, '-noout', '-text', '-serial', '-subject');
  expect(text).toContain(`CN = ${device}, O = demo`);
  expect(text).toContain(`URI:urn:albedo:device:${device}`);
  expect(text.toLowerCase()).toContain(`serial=${serial}`);
});

test('a revoked certificate is refused by openssl with the revocation list, another is not', async () => {
  const authority = await openAuthority(folder);
  const [revoked, good] = [
    await authority.issueDevice(device, 'demo'),
    await authority.issueDevice(device, 'demo'),
  ];
  const crl = file(
    'crl.pem',
    await authority.revocationList([{ serial: revoked.serial, revokedAt: Date.now() }]),
  );
  const check = (pem: string) =>
    openssl('verify', '-crl_check', '-CRLfile', crl, '-CAfile', join(folder, 'ca.pem'), file('one.pem', pem));
  expect(check(good.certPem)).toContain('OK');
  expect(() => check(revoked.certPem)).toThrow(/certificate revoked/);
});

test('the server certificate is kept until its hosts change or its end is near', async () => {
  const authority = await openAuthority(folder);
  const hosts = ['localhost', '127.0.0.1', '::1', 'Cloud.example.org'];
  const first = await authority.serverCertificate(hosts);
  expect((await authority.serverCertificate([...hosts].reverse())).serial).toBe(first.serial);
  const moved = await authority.serverCertificate(['localhost']);
  expect(moved.serial).not.toBe(first.serial);
  const late = Date.now() + VALIDITY_MS.server - RENEW_BEFORE_MS + 1000;
  const renewed = await authority.serverCertificate(['localhost'], late);
  expect(renewed.serial).not.toBe(moved.serial);
  expect(renewed.notAfter).toBeGreaterThan(moved.notAfter);
});

test('a damaged authority stops the start with the name of its file', async () => {
  await openAuthority(folder);
  file('ca.pem', '-----BEGIN CERTIFICATE-----');
  await expect(openAuthority(folder)).rejects.toThrow(/ca\.pem does not hold a key and a certificate/);
});

/** Turns one bit of a file over. */
function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  writeFileSync(path, bytes);
}

test('an authority with one flipped bit stops the start, wherever the bit is, or is what it was', async () => {
  const before = await openAuthority(folder);
  const path = join(folder, 'ca.pem');
  const kept = readFileSync(path);
  let refused = 0;
  for (let at = 0; at < kept.length; at += 7) {
    flip(path, at);
    const opened = await openAuthority(folder).catch((error: Error) => error);
    if (opened instanceof Error) {
      expect(opened.message).toContain(path);
      refused++;
    } else {
      // Line ends, and what stands around the blocks.
      expect(new X509Certificate(opened.caPem).raw).toEqual(new X509Certificate(before.caPem).raw);
    }
    writeFileSync(path, kept);
  }
  expect(refused).toBeGreaterThan(kept.length / 7 / 2);
});

test('a server certificate with one flipped bit is made anew', async () => {
  const authority = await openAuthority(folder);
  await authority.serverCertificate(['localhost']);
  const path = join(folder, 'server.pem');
  const kept = readFileSync(path);
  const { publicKey } = new X509Certificate(authority.caPem);
  for (let at = 0; at < kept.length; at += 43) {
    flip(path, at);
    const made = await authority.serverCertificate(['localhost']).catch((error: Error) => error);
    // A damaged frame names its file.
    if (made instanceof Error) expect(made.message).toContain(path);
    else {
      createSecureContext({ cert: made.certPem, key: made.keyPem });
      expect(new X509Certificate(made.certPem).verify(publicKey)).toBe(true);
    }
    writeFileSync(path, kept);
  }
});

test('facts of a certificate are the same as openssl prints', async () => {
  const authority = await openAuthority(folder);
  const issued = await authority.issueDevice(device, 'demo', { validityMs: 3_600_000 });
  const path = file('device.pem', issued.certPem);
  const printed = openssl('x509', '-in', path, '-noout', '-fingerprint', '-sha256')
    .toLowerCase()
    .replaceAll(':', '');
  expect(printed).toContain(certificateFacts(issued.certPem).fingerprintSha256);
  expect(issued.notAfter - Date.now()).toBeGreaterThan(3_590_000);
});
