import {
  NETWORK_SECRETS_LIMIT,
  type NetworkSettings,
} from '@albedo/contract/cloud-devices/cloud-devices.schema';
import { AppError } from '../errors/app-error.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { CloudDevicesStore, SecretKind } from './cloud-devices.store.ts';

/** What cloud devices need to join a network: written by people, read by nobody but the device. */
export class NetworkSecrets {
  readonly #store: CloudDevicesStore;
  readonly #seal: Seal;

  constructor(store: CloudDevicesStore, seal: Seal) {
    this.#store = store;
    this.#seal = seal;
  }

  /** Names and sizes. */
  async list(device: string): Promise<NetworkSettings> {
    const all = await this.#store.secrets(device);
    const of = (kind: SecretKind) =>
      all
        .filter((one) => one.kind === kind)
        .map(({ name, bytes, changedAt }) => ({ name, bytes, changedAt: changedAt.getTime() }));
    return { files: of('file'), environment: of('variable') };
  }

  /** Throws `cloud_device.not_found`, `cloud_device.secrets_full`. */
  async set(device: string, kind: SecretKind, name: string, value: string): Promise<void> {
    const kept = await this.#store.secrets(device);
    const isNew = !kept.some((one) => one.kind === kind && one.name === name);
    if (isNew && kept.length >= NETWORK_SECRETS_LIMIT)
      throw new AppError('cloud_device.secrets_full', { count: NETWORK_SECRETS_LIMIT });
    const bytes = Buffer.byteLength(value, kind === 'file' ? 'base64' : 'utf8');
    const sealed = this.#seal.close(value, ownerOf(device, kind, name));
    if (!(await this.#store.setSecret({ deviceId: device, kind, name, sealed, bytes })))
      throw new AppError('cloud_device.not_found');
  }

  /** Throws `cloud_device.secret_not_found`. */
  async remove(device: string, kind: SecretKind, name: string): Promise<void> {
    if (!(await this.#store.removeSecret(device, kind, name)))
      throw new AppError('cloud_device.secret_not_found');
  }

  /** What they say; files in base64. */
  async opened(device: string): Promise<{ kind: SecretKind; name: string; value: string }[]> {
    const all = await this.#store.secrets(device);
    return all.map(({ kind, name, sealed }) => ({
      kind,
      name,
      value: this.#seal.open(sealed, ownerOf(device, kind, name)),
    }));
  }
}

const ownerOf = (device: string, kind: SecretKind, name: string): string =>
  `cloud device ${device} ${kind} ${name}`;
