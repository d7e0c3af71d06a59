import tls from 'node:tls';
import { TLS } from '@albedo/device-link/tls';

/** Every TLS connection of this process, whichever library makes it: also against options of Node that allow older ones. */
export function chooseTls(): void {
  tls.DEFAULT_MIN_VERSION = TLS.minVersion;
  tls.DEFAULT_MAX_VERSION = TLS.maxVersion;
  tls.DEFAULT_CIPHERS = TLS.ciphers;
}
