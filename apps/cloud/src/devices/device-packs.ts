import type { Readable } from 'node:stream';
import type { certificateInfo, installOffer } from '@albedo/contract/devices/devices.schema';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { PRODUCT } from '@albedo/contract/product';
import type { Arch } from '@albedo/contract/workgroups/archs';
import type { z } from 'zod';
import type { Bus } from '../bus/bus.ts';
import type { CertificateRow, Certificates } from '../certificates/certificates.service.ts';
import { certificateChanged } from '../certificates/certificates.topics.ts';
import type { Enrolment } from '../enrolment/enrolment.service.ts';
import { AppError } from '../errors/app-error.ts';
import { type Packs, SUMS } from '../packs/packs.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { By, RecordDevice } from './devices.record.ts';
import type { DeviceRow, DevicesStore } from './devices.store.ts';

type CertificateInfo = z.output<typeof certificateInfo>;
type InstallOffer = z.output<typeof installOffer>;

/** Everything that a machine needs, or its keys alone. */
export type PackPart = 'all' | 'keys';

/** What the audit log calls them. */
const PACK_NAMES = { all: 'agentpack', keys: 'certpack' } as const satisfies Record<PackPart, string>;

/** A pack and the name to save it under. */
export interface PackFile {
  stream: Readable;
  fileName: string;
}

export interface DevicePacksOptions {
  store: Pick<DevicesStore, 'setArch'>;
  registry: DeviceRegistry;
  certificates: Certificates;
  enrolment: Enrolment;
  packs: Packs;
  bus: Bus;
  /** Where agents reach the device link, and people the server. */
  addresses: () => { mqtt: { hostname: string; port: number }; publicUrl: string };
  /** The device as it is kept. Throws `device.not_found`. */
  row: (workgroup: string, id: string) => Promise<DeviceRow>;
  record: RecordDevice;
  /** Tells whoever sees the device that it is another one now. */
  changed: (row: DeviceRow) => void;
}

/** How devices come to their agent: their certificates, the packs that carry them, and the offers to fetch one. */
export class DevicePacks {
  readonly #options: DevicePacksOptions;

  constructor(options: DevicePacksOptions) {
    this.#options = options;
  }

  certificate(id: string): CertificateInfo | null {
    const row = this.#options.certificates.newest(id);
    return row && certificateOf(row);
  }

  /** Revokes the certificate of the device, which ends its connection at once. */
  async revoke(workgroup: string, id: string, by: By): Promise<CertificateInfo | null> {
    const row = await this.#options.row(workgroup, id);
    await this.#options.certificates.revoke(id);
    await this.#options.bus.publish(certificateChanged, { id });
    this.#options.record(row, 'revoke', by);
    return this.certificate(id);
  }

  /**
   * A one-time token for a new agent pack (`all`) or for its keys alone, and the command that uses it; with `arch`, the device is
   * of that kind from now on.
   */
  async offerInstall(
    workgroup: string,
    id: string,
    offer: { part: PackPart; arch?: Arch | undefined },
    by: By,
  ): Promise<InstallOffer> {
    const { enrolment, packs, store } = this.#options;
    const before = await this.#options.row(workgroup, id);
    const arch = offer.arch ?? before.arch;
    const fingerprint = await packs.fingerprint(arch);
    if (arch !== before.arch) await store.setArch(workgroup, id, arch);
    const { token, expiresAt } = await enrolment.offer(id);
    this.#options.record(before, 'reissue', by, {
      attribute: 'certificate',
      newValue: PACK_NAMES[offer.part],
    });
    const { publicUrl } = this.#options.addresses();
    const command =
      offer.part === 'keys' ? keysCommand(publicUrl, token) : installCommand(publicUrl, token, fingerprint);
    return { deviceId: id, command, expiresAt };
  }

  /** A new pack with a new certificate; the earlier certificate is revoked. */
  async pack(workgroup: string, id: string, by: By, part: PackPart = 'all'): Promise<PackFile> {
    const { packs, certificates, bus } = this.#options;
    const row = await this.#options.row(workgroup, id);
    // Before the old certificate goes: a pack that cannot be made must not cut the device off.
    await packs.requireBuilt();
    const { certPem, keyPem } = await certificates.issue(id, workgroup);
    await bus.publish(certificateChanged, { id });
    this.#options.record(row, 'pack', by, { attribute: 'certificate', newValue: PACK_NAMES[part] });
    this.#options.changed(row);
    const { mqtt } = this.#options.addresses();
    const identity = { caPem: certificates.caPem, certPem, keyPem, mqtt };
    if (part === 'keys') {
      return { stream: await packs.keys(identity), fileName: `${PRODUCT}-keys-${id}.tar.gz` };
    }
    const stream = await packs.make({ arch: row.arch, ...identity });
    return { stream, fileName: `${PRODUCT}-agent-${id}.tar.gz` };
  }

  /** The pack of the device that a one-time token was made for; uses it up. Throws `pack.token_invalid`. */
  async packForToken(token: string, part: PackPart, address: string): Promise<PackFile> {
    const { enrolment, registry, packs } = this.#options;
    await packs.requireBuilt();
    const id = await enrolment.redeem(token);
    const device = await registry.find(id);
    if (!device) throw new AppError('pack.token_invalid');
    return this.pack(device.workgroup, id, { email: null, address }, part);
  }

  agentVersion(): Promise<string> {
    return this.#options.packs.version();
  }
}

function certificateOf(row: CertificateRow): CertificateInfo {
  const { serial, subject, notBefore, notAfter, fingerprintSha256, revokedAt } = row;
  return {
    serial,
    subject,
    notBefore: notBefore.getTime(),
    notAfter: notAfter.getTime(),
    fingerprintSha256,
    revokedAt: revokedAt?.getTime() ?? null,
  };
}

/**
 * The token travels in a header that is read from standard input, so it stands in no log of addresses and in no list of
 * processes. Nothing of the pack runs before its checksums are those that stand in the command.
 */
function installCommand(publicUrl: string, token: string, fingerprint: string): string {
  const folder = `${PRODUCT}-agent`;
  const fetch = fetchCommand(publicUrl, token, 'agent/pack');
  const check = `(cd ${folder} && echo '${fingerprint}  ${SUMS}' | sha256sum -c && sha256sum -c ${SUMS}) >/dev/null`;
  return `${fetch} | tar -xz && ${check} && $(command -v sudo) sh ${folder}/install.sh`;
}

/** New keys in the place of the old ones; a running agent takes them up at its next attempt to connect. */
const keysCommand = (publicUrl: string, token: string): string =>
  `${fetchCommand(publicUrl, token, 'agent/pack?part=keys')} | $(command -v sudo) tar -xz --no-same-owner -C /`;

const fetchCommand = (publicUrl: string, token: string, path: string): string =>
  `echo 'Authorization: Bearer ${token}' | curl -fsS -H @- ${publicUrl}${API_PREFIX}/${path}`;
