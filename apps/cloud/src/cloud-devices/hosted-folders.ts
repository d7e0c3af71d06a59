import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PRODUCT } from '@albedo/contract/product';
import { certificateFacts } from '@albedo/pki/certificate';
import type { Bus } from '../bus/bus.ts';
import type { Certificates } from '../certificates/certificates.service.ts';
import { certificateChanged } from '../certificates/certificates.topics.ts';
import type { DeviceLink } from '../device-link/device-link.service.ts';
import { identityFiles } from '../packs/packs.service.ts';
import type { NetworkSecrets } from './network-secrets.ts';

/** So long before its end a certificate is replaced, ms. */
const RENEWAL_MS = 30 * 86_400_000;

interface HostedFoldersOptions {
  /** Folder of their folders. */
  home: string;
  certificates: Certificates;
  deviceLink: DeviceLink;
  secrets: NetworkSecrets;
  bus: Bus;
  launcher: readonly string[];
}

/** The folders of cloud devices, and what stands in each before its agent starts. */
export class HostedFolders {
  readonly #options: HostedFoldersOptions;

  constructor(options: HostedFoldersOptions) {
    this.#options = options;
  }

  of(device: string): string {
    return join(this.#options.home, device);
  }

  /** Deletes what is there of devices that were deleted while nobody was there to notice. */
  async open(known: ReadonlySet<string>): Promise<void> {
    const { home } = this.#options;
    await mkdir(home, { recursive: true, mode: 0o700 });
    for (const name of await readdir(home)) if (!known.has(name)) await this.remove(name);
  }

  async remove(device: string): Promise<void> {
    await rm(this.of(device), { recursive: true, force: true });
  }

  /** Keys of its own, the configuration where there is none yet, and its network files. Answers its environment. */
  async prepare(device: string, workgroup: string): Promise<Record<string, string>> {
    const { certificates, deviceLink, secrets, bus, launcher } = this.#options;
    const root = this.of(device);
    // Features begin one after the other: before that the port may not be known.
    await deviceLink.listens;
    const mqtt =
      deviceLink.port === null ? deviceLink.address : { hostname: 'localhost', port: deviceLink.port };
    if (!(await this.#hasIdentity(device))) {
      const { certPem, keyPem } = await certificates.issue(device, workgroup);
      await bus.publish(certificateChanged, { id: device });
      for (const file of identityFiles({ caPem: certificates.caPem, certPem, keyPem, mqtt })) {
        const isConfig = file.name.endsWith('.yaml');
        const content = isConfig ? `${file.content}${OWN_CONFIG}` : file.content;
        await put(join(root, file.name), content, { mode: file.mode, isKept: isConfig });
      }
    }
    await refreshAddress(join(root, `etc/${PRODUCT}/${PRODUCT}.yaml`), mqtt);
    const folder = join(root, `etc/${PRODUCT}/network`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const env: Record<string, string> = { ALBEDO_NETWORK_FILES: folder };
    for (const { kind, name, value } of await secrets.opened(device)) {
      if (kind === 'file') await writeFile(join(folder, name), Buffer.from(value, 'base64'), { mode: 0o600 });
      // The prefix keeps them from meaning anything to Node or the system.
      else env[`PLANT_${name}`] = value;
    }
    // Only what joins the network sees the secrets.
    return launcher.length > 0 ? env : {};
  }

  /** True when the certificate in its folder is the good one of the device, and for a while yet. */
  async #hasIdentity(device: string): Promise<boolean> {
    const newest = this.#options.certificates.newest(device);
    if (!newest || newest.revokedAt !== null || newest.notAfter.getTime() - Date.now() < RENEWAL_MS)
      return false;
    try {
      const pem = await readFile(join(this.of(device), `etc/${PRODUCT}/keys/client.crt`), 'utf8');
      return newest.serial === certificateFacts(pem).serial;
    } catch {
      // A folder that is missing or damaged simply gets a new identity.
      return false;
    }
  }
}

/** Measures of the machine would be those of the server, and nobody gets in by hand. */
const OWN_CONFIG = `machine: false
outbox:
  limit_mb: 64
remote:
  shell: false
  commands: false
  tunnels: false
  upgrades: false
`;

/** The server may answer at another address since; the rest of the configuration stays. */
async function refreshAddress(path: string, mqtt: { hostname: string; port: number }): Promise<void> {
  const text = await readFile(path, 'utf8');
  const fresh = text
    .replace(/^( +hostname:).*$/m, `$1 ${JSON.stringify(mqtt.hostname)}`)
    .replace(/^( +port:).*$/m, `$1 ${mqtt.port}`);
  if (fresh !== text) await writeFile(path, fresh);
}

async function put(path: string, content: string, how: { mode: number; isKept: boolean }): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const isThere = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  };
  await writeFile(path, content, { mode: how.mode, flag: how.isKept ? 'wx' : 'w' }).catch(isThere);
  await chmod(path, how.mode);
}
