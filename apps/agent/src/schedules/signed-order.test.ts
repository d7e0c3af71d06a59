import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTROL_SIGNER, CONTROL_SIGNING } from '@albedo/contract/schedules/schedules.order';
import { type Authority, openAuthority } from '@albedo/pki/authority';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderOf, signed } from '../testing/orders.ts';
import { verifiedOrder } from './signed-order.ts';

const DEVICE = '7d7bf6b4-3f3e-4e9d-9d3e-0c1f6f8f0a01';
const folder = mkdtempSync(join(tmpdir(), 'albedo-orders-'));
let authority: Authority;
const now = Date.now();
const order = orderOf({ device: DEVICE, issuedAt: now });

beforeAll(async () => {
  authority = await openAuthority(join(folder, 'own'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verified = (jws: string, at = now) =>
  verifiedOrder(jws, { caPem: authority.caPem, device: DEVICE, now: at });
const NOT_SIGNED = /signature is not that of the cloud/;

test('an order of the own cloud for this device is taken, and says the same whenever it was signed', async () => {
  const first = await verified(await signed(order, authority));
  const again = await verified(
    await signed({ ...order, issuedAt: now + 60_000, expiresAt: now + 90_000 }, authority),
  );
  expect(first).toMatchObject(order);
  expect(again.digest).toBe(first.digest);
  const other = await verified(
    await signed({ ...order, entries: [{ datetime: new Date(now).toISOString(), value: '61%' }] }, authority),
  );
  expect(other.digest).not.toBe(first.digest);
});

test('what is unsigned, changed, or signed by a key for something else is refused', async () => {
  const jws = await signed(order, authority);
  const [header, , signature] = jws.split('.');
  const changed = Buffer.from(JSON.stringify({ ...order, version: 2 })).toString('base64url');
  await expect(verified(`${header}.${changed}.${signature}`)).rejects.toThrow(NOT_SIGNED);
  await expect(verified(new UnsecuredJWT({ ...order }).encode())).rejects.toThrow(NOT_SIGNED);

  const foreign = await openAuthority(join(folder, 'foreign'));
  await expect(verified(await signed(order, foreign))).rejects.toThrow(NOT_SIGNED);
  // Its own certificate proves who a device is, that of the server and of releases something else again.
  for (const pair of [
    await authority.issueDevice(DEVICE, 'wg'),
    await authority.serverCertificate(['localhost']),
  ])
    await expect(verified(await signed(order, await openAuthority(join(folder, 'x')), pair))).rejects.toThrow(
      NOT_SIGNED,
    );
});

test('a certificate with another name or use, or out of its time, signs no orders', async () => {
  const other = await openAuthority(join(folder, 'named'));
  const named = await other.controlSigner('somebody', CONTROL_SIGNING);
  const at = { caPem: other.caPem, device: DEVICE, now };
  await expect(verifiedOrder(await signed(order, other, named), at)).rejects.toThrow(NOT_SIGNED);
  const used = await openAuthority(join(folder, 'used'));
  const release = await used.controlSigner(CONTROL_SIGNER, '1.3.6.1.5.5.7.3.3');
  await expect(
    verifiedOrder(await signed(order, used, release), { ...at, caPem: used.caPem }),
  ).rejects.toThrow(NOT_SIGNED);
  const old = await openAuthority(join(folder, 'old'));
  await old.controlSigner(CONTROL_SIGNER, CONTROL_SIGNING);
  const late = { ...order, issuedAt: now + 900 * 86_400_000, expiresAt: now + 900 * 86_400_000 };
  const jws = await signed(late, old);
  await expect(verifiedOrder(jws, { caPem: old.caPem, device: DEVICE, now: late.issuedAt })).rejects.toThrow(
    NOT_SIGNED,
  );
});

test('an order for another device, of another time, or that nothing can obey is refused with the reason', async () => {
  const refusal = async (given: Partial<typeof order>, at = now) =>
    verified(await signed({ ...order, ...given }, authority), at).catch(
      ({ error, message }) => `${error}: ${message}`,
    );
  expect(await refusal({ device: crypto.randomUUID() })).toMatch(/^refused: .*for another device/);
  expect(await refusal({}, now + 250_000)).toMatch(/expired: the clock of this device says 20/);
  expect(await refusal({}, now - 130_000)).toMatch(/of the future/);
  expect(await refusal({}, now + 230_000)).toMatchObject({ version: 1 });
  expect(await refusal({ endsAt: now })).toMatch(/its end has passed/);
  expect(await refusal({ trialUntil: now - 1 })).toMatch(/trial is over/);
  expect(await refusal({ version: 0 })).toMatch(/cannot be read/);
  const at = (ms: number, value: string) => ({ datetime: new Date(now + ms).toISOString(), value });
  expect(await refusal({ entries: [at(0, '60%'), at(0, '50%')] })).toMatch(/not later than the entry before/);
  expect(await refusal({ entries: [at(0, '160%')] })).toMatch(/outside 0 to 100 %/);
  const byHand = { action: 'override' as const };
  expect(await refusal({ ...byHand, endsAt: now + 3_600_000 })).toMatch(/15 minutes/);
  expect(await refusal(byHand)).toMatch(/15 minutes/);
  const back = at(900_000, '80%');
  expect(await refusal({ ...byHand, entries: [at(0, '0%'), back] })).toMatchObject({ endsAt: null });
});
