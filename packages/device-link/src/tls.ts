import type { SecureContextOptions } from 'node:tls';

/**
 * TLS 1.3, and of TLS 1.2 what has forward secrecy and authenticated encryption, the strongest first and by our choice.
 * Source: Mozilla's guidelines 5.7, "intermediate", without the suites of finite-field Diffie-Hellman.
 */
export const TLS = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.3',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
  honorCipherOrder: true,
} as const satisfies SecureContextOptions;
