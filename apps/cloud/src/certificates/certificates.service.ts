import type { Authority, IssuedCertificate } from '@albedo/pki/authority';
import type { CertificateFacts } from '@albedo/pki/certificate';
import type { Bus } from '../bus/bus.ts';
import type { CertificateRow, CertificatesStore } from './certificates.store.ts';
import { certificateChanged, certificateRevoked } from './certificates.topics.ts';

export type { CertificateRow } from './certificates.store.ts';

/**
 * Certificates of devices: who has which, and which are no longer good.
 *
 * A device has one good certificate, and a second one while that is on trial. Revocations are kept in memory too, so that the device link can ask at
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

  /** The revocation list, PEM; the certificates of devices in quarantine are on hold in it. */
  revocationList(inQuarantine: readonly { id: string; quarantine: { since: number } }[]): Promise<string> {
    const revoked = [...this.#revoked].map(([serial, revokedAt]) => ({ serial, revokedAt }));
    const onHold = inQuarantine.flatMap(({ id, quarantine }) => {
      const newest = this.#newest.get(id);
      if (!newest || !isGood(newest)) return [];
      return [{ serial: newest.serial, revokedAt: quarantine.since, isOnHold: true }];
    });
    return this.#authority.revocationList([...revoked, ...onHold]);
  }

  /** The newest certificate of a device, good or not; null when it never had one. */
  newest(device: string): CertificateRow | null {
    return this.#newest.get(device) ?? null;
  }

  /** Signs what devices run. */
  signRelease(text: string): Promise<{ signature: string; certificate: string }> {
    return this.#authority.signRelease(text);
  }

  /** Key and certificate, PEM, of what signs orders to devices: good for this use alone (dotted OID). */
  controlSigner(commonName: string, usage: string): Promise<{ keyPem: string; certPem: string }> {
    return this.#authority.controlSigner(commonName, usage);
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
    const row = rowOf(device, issued);
    await this.revoke(device);
    await this.#store.insert(row);
    this.#remember(row);
    return issued;
  }

  /** A certificate for a key of the device's own. The earlier one stays good until one of both is settled or withdrawn. */
  async certify(device: string, workgroup: string, publicKeyPem: string): Promise<Certified> {
    const { certPem, ...facts } = await this.#authority.certifyDevice(device, workgroup, publicKeyPem);
    await this.#store.insert(rowOf(device, facts));
    await this.reload(device, true);
    await this.#bus.publish(certificateChanged, { id: device, isOnTrial: true });
    return { certPem, serial: facts.serial };
  }

  /** The device speaks with this certificate: whatever else was good is no longer. */
  async settle(device: string, serial: string): Promise<void> {
    await this.#store.revoke(device, new Date(), { but: serial });
    await this.reload(device, true);
    await this.#bus.publish(certificateChanged, { id: device, isOnTrial: true });
  }

  /** The device did not take this certificate; the one before stays. */
  async withdraw(device: string, serial: string): Promise<void> {
    await this.#store.revoke(device, new Date(), { only: serial });
    await this.reload(device, true);
    await this.#bus.publish(certificateChanged, { id: device, isOnTrial: true });
  }

  /** Revokes whatever certificate of the device is still good; it cannot connect any more from here on. */
  async revoke(device: string): Promise<void> {
    const revoked = await this.#store.revoke(device, new Date());
    for (const row of revoked) this.#remember(row);
    if (revoked.length > 0) await this.#bus.publish(certificateRevoked, { id: device });
  }

  /** Reads the certificates of a device again, after they were changed here or by another process. */
  async reload(device: string, isOnTrial = false): Promise<void> {
    const rows = await this.#store.ofDevice(device);
    this.#newest.delete(device);
    for (const row of rows) this.#remember(row);
    await this.#bus.publish(certificateRevoked, { id: device, isOnTrial });
  }

  #remember(row: CertificateRow): void {
    if (row.revokedAt) this.#revoked.set(row.serial, row.revokedAt.getTime());
    const newest = this.#newest.get(row.deviceId);
    // A good one counts before one that was withdrawn; two of one second are told apart by the later one being read later.
    const isNewer =
      !newest ||
      newest.serial === row.serial ||
      (isGood(row) && !isGood(newest)) ||
      (isGood(row) === isGood(newest) && newest.notBefore <= row.notBefore);
    if (isNewer) this.#newest.set(row.deviceId, row);
  }
}

/** A certificate for a key that somebody else made. */
export interface Certified {
  certPem: string;
  serial: string;
}

const isGood = ({ revokedAt }: CertificateRow): boolean => revokedAt === null;

const rowOf = (deviceId: string, facts: CertificateFacts): CertificateRow => ({
  deviceId,
  serial: facts.serial,
  subject: facts.subject,
  fingerprintSha256: facts.fingerprintSha256,
  notBefore: new Date(facts.notBefore),
  notAfter: new Date(facts.notAfter),
  revokedAt: null,
});
