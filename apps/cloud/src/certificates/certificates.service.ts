import type { Authority, IssuedCertificate } from '@albedo/pki/authority';
import type { Bus } from '../bus/bus.ts';
import type { CertificateRow, CertificatesStore } from './certificates.store.ts';
import { certificateRevoked } from './certificates.topics.ts';

export type { CertificateRow } from './certificates.store.ts';

/**
 * Certificates of devices: who has which, and which are no longer good.
 *
 * A device has one good certificate at most. Revocations are kept in memory too, so that the device link can ask at
 * every connection.
 */
export class Certificates {
  readonly #store: CertificatesStore;
  readonly #authority: Authority;
  readonly #revoked = new Map<string, number>();
  readonly #newest = new Map<string, CertificateRow>();
  readonly #bus: Bus;

  constructor(store: CertificatesStore, authority: Authority, bus: Bus) {
    this.#bus = bus;
    this.#store = store;
    this.#authority = authority;
  }

  async start(): Promise<void> {
    for (const row of await this.#store.all()) this.#remember(row);
  }

  get caPem(): string {
    return this.#authority.caPem;
  }

  isRevoked(serial: string): boolean {
    return this.#revoked.has(serial);
  }

  /** The revocation list, PEM. */
  revocationList(): Promise<string> {
    return this.#authority.revocationList(
      [...this.#revoked].map(([serial, revokedAt]) => ({ serial, revokedAt })),
    );
  }

  /** The newest certificate of a device, good or not; null when it never had one. */
  newest(device: string): CertificateRow | null {
    return this.#newest.get(device) ?? null;
  }

  /** Signs what devices run. */
  signRelease(text: string): Promise<{ signature: string; certificate: string }> {
    return this.#authority.signRelease(text);
  }

  /** A certificate of our authority for a process of the cloud, to show an external broker. */
  issueForCloud(name: string): Promise<IssuedCertificate> {
    return this.#authority.issueDevice(name, 'albedo');
  }

  /** Certificate of the server for these host names and addresses. */
  issueForServer(hosts: string[]): Promise<IssuedCertificate> {
    return this.#authority.serverCertificate(hosts);
  }

  /** A new key and certificate for the device; the earlier certificate is revoked. */
  async issue(device: string, workgroup: string): Promise<IssuedCertificate> {
    const issued = await this.#authority.issueDevice(device, workgroup);
    const row = {
      serial: issued.serial,
      deviceId: device,
      subject: issued.subject,
      fingerprintSha256: issued.fingerprintSha256,
      notBefore: new Date(issued.notBefore),
      notAfter: new Date(issued.notAfter),
      revokedAt: null,
    };
    await this.revoke(device);
    await this.#store.insert(row);
    this.#remember(row);
    return issued;
  }

  /** Revokes whatever certificate of the device is still good; it cannot connect any more from here on. */
  async revoke(device: string): Promise<void> {
    const revoked = await this.#store.revoke(device, new Date());
    for (const row of revoked) this.#remember(row);
    if (revoked.length > 0) await this.#bus.publish(certificateRevoked, { id: device });
  }

  /** Reads the certificates of a device again, after another process changed them. */
  async reload(device: string): Promise<void> {
    for (const row of await this.#store.ofDevice(device)) this.#remember(row);
    await this.#bus.publish(certificateRevoked, { id: device });
  }

  #remember(row: CertificateRow): void {
    if (row.revokedAt) this.#revoked.set(row.serial, row.revokedAt.getTime());
    const newest = this.#newest.get(row.deviceId);
    // Two certificates of one second are told apart by the good one being the later.
    const isNewer = !newest || newest.serial === row.serial || newest.notBefore <= row.notBefore;
    if (isNewer) this.#newest.set(row.deviceId, row);
  }
}
