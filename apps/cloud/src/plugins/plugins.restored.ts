import { backedUpPlugin } from '@albedo/contract/device-backups/device-backups.schema';
import { z } from 'zod';
import type { DeviceRestored } from '../device-backups/device-backups.topics.ts';
import { AppError } from '../errors/app-error.ts';
import type { LongActionKind, LongActions } from '../long-actions/long-actions.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Plugins } from './plugins.service.ts';

const input = z.object({
  workgroup: z.string(),
  device: z.string(),
  plugins: z.array(backedUpPlugin),
});

/** Brings plugins back that a device had when it was backed up: packages are in no backup, the repository has them. */
export class RestoredPlugins {
  readonly #plugins: Pick<Plugins, 'install'>;
  readonly #longActions: LongActions;
  readonly #registry: DeviceRegistry;

  constructor(of: {
    plugins: Pick<Plugins, 'install'>;
    longActions: LongActions;
    registry: DeviceRegistry;
  }) {
    this.#plugins = of.plugins;
    this.#longActions = of.longActions;
    this.#registry = of.registry;
  }

  readonly kind: LongActionKind<z.output<typeof input>> = {
    kind: 'plugins-restore',
    input,
    canCancel: true,
    run: async ({ input: { workgroup, device, plugins }, by, signal, progress }) => {
      const failed: { plugin: string; reason: string }[] = [];
      for (const [at, { name, version }] of plugins.entries()) {
        signal.throwIfAborted();
        progress(at / plugins.length);
        try {
          await this.#plugins.install({ workgroup, device, by, signal }, name, version);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          failed.push({ plugin: `${name} ${version}`, reason: error.message });
        }
      }
      const [first] = failed;
      if (first) {
        const names = failed.map(({ plugin }) => plugin).join(', ');
        throw new AppError('plugin.not_restored', { plugins: names, reason: first.reason });
      }
      return { result: { installed: plugins.length } };
    },
  };

  async begin({ workgroup, device, by, missing }: DeviceRestored): Promise<void> {
    if (missing.length === 0) return;
    const about = this.#registry.known(device)?.name ?? device;
    const { userId, email, address } = by;
    await this.#longActions.begin(this.kind, {
      input: { workgroup, device, plugins: [...missing] },
      about,
      workgroup,
      by: { userId, email, address },
    });
  }
}
