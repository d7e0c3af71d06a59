import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeSelfSigned } from './self-signed.ts';

test('keys of single sign-on have 128 bits of security', async () => {
  const { certPem, keyPem } = await makeSelfSigned('Albedo', 1);
  expect(createPrivateKey(keyPem).asymmetricKeyDetails).toMatchObject({ modulusLength: 3072 });
  expect(new X509Certificate(certPem).publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 3072 });
});
