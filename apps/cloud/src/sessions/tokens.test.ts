import { createPrivateKey, createPublicKey } from 'node:crypto';
import { PRODUCT } from '@albedo/contract/product';
import { decodeJwt, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { makeSigningKey } from '../secrets/signing-keys.ts';
import { Tokens } from './tokens.ts';

const pem = await makeSigningKey();
const tokens = new Tokens(pem);
const iat = Math.floor(Date.now() / 1000);
const claims = {
  _id: '11111111-1111-4111-8111-111111111111',
  name: 'Ann',
  email: 'ann@example.org',
  iat,
  exp: iat + 600,
  jti: '22222222-2222-4222-8222-222222222222',
  defaultWorkgroup: null,
  memberOf: [],
  scopes: {},
  staff: false,
};

/** A token of the claims, signed by our own key. */
const signed = (more: object, audience?: string | string[]) => {
  const token = new SignJWT({ ...claims, ...more, madeAt: Date.now() })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .setIssuer(PRODUCT);
  return (audience === undefined ? token : token.setAudience(audience)).sign(createPrivateKey(pem));
};

test('a token names what it is for, and opens that alone', async () => {
  const token = await tokens.sign(claims, Date.now());
  expect((await tokens.open(token))?.claims).toMatchObject(claims);
  const own = decodeJwt(token).aud as string;
  expect(own).toBe(`${PRODUCT}/api/v1`);
  expect(await tokens.open(await signed({}, own))).not.toBeNull();
  expect(await tokens.open(await signed({}, 'somewhere else'))).toBeNull();
  expect(await tokens.open(await signed({}, [own, 'somewhere else']))).toBeNull();
  expect(await tokens.open(await signed({}))).toBeNull();
});

test('API tokens of the time before tokens named an audience still work', async () => {
  expect(await tokens.open(await signed({ apiToken: true }))).not.toBeNull();
  expect(await tokens.open(await signed({ apiToken: true }, 'somewhere else'))).toBeNull();
});

test('a token without a signature, or signed in another way with what everybody knows, opens nothing', async () => {
  const token = await tokens.sign(claims, Date.now());
  const [, body] = token.split('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  expect(await tokens.open(`${none}.${body}.`)).toBeNull();
  const known = createPublicKey(createPrivateKey(pem)).export({ format: 'der', type: 'spki' });
  const byHmac = await new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'HS256' }).sign(known);
  expect(await tokens.open(byHmac)).toBeNull();
});
