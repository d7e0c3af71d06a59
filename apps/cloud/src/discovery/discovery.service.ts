import type { AskInput } from '@albedo/contract/link/link.asks';
import { foundModbus } from '@albedo/contract/link/link.network';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { LongActionKind, LongActions } from '../long-actions/long-actions.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { DiscoveryStore } from './discovery.store.ts';

export type ScanKind = 'scan.ports' | 'scan.arp' | 'scan.modbus';

const input = z.object({
  workgroup: z.string(),
  device: z.string(),
  kind: z.enum(['scan.ports', 'scan.arp', 'scan.modbus']),
  asked: z.record(z.string(), z.unknown()),
});
type Input = z.output<typeof input>;

const KINDS = { modbus: 'scan.modbus', nmap: 'scan.ports', arp: 'scan.arp' } as const;
export type DiscoveryTool = keyof typeof KINDS;

export interface DiscoveryOptions {
  store: DiscoveryStore;
  deviceAsks: DeviceAsks;
  longActions: LongActions;
  registry: DeviceRegistry;
  audit: Audit;
  isOnline: (device: string) => boolean;
}

/** What devices find in the networks that they are in. A scan may be repeated, and the newest one is kept. */
export class Discovery {
  readonly #options: DiscoveryOptions;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  readonly kind: LongActionKind<Input> = {
    kind: 'device-scan',
    input,
    canCancel: true,
    run: async ({ input: { device, kind, asked }, by, signal, progress }) => {
      const found = await this.#scan({ device, kind, asked, by: by.email }, signal, progress);
      return { result: { found: found.length } };
    },
  };

  /** Waits for what the device finds; keeps it as a scan does. Throws what asking a device throws. */
  async look(
    at: { workgroup: string; device: string },
    { discoveryTool, ...asked }: { discoveryTool: DiscoveryTool } & Record<string, unknown>,
    by: Actor,
    signal: AbortSignal,
  ): Promise<{ discoveryTool: DiscoveryTool; found: unknown[] }> {
    const kind = KINDS[discoveryTool];
    this.record(at, kind, JSON.stringify(asked), by);
    const found = await this.#scan({ device: at.device, kind, asked, by: by.email }, signal, () => {});
    return { discoveryTool, found };
  }

  /** What the newest scan for Modbus learned of the hosts in the network of a device, by their addresses. */
  async modelsAt(device: string): Promise<Map<string, string>> {
    const newest = await this.#options.store.newest(device, 'scan.modbus');
    const found = z.array(foundModbus).safeParse(newest?.found ?? []).data ?? [];
    return new Map(
      found.flatMap(({ ip, manufacturer, model }) => {
        const name = [manufacturer, model].filter(Boolean).join(' ');
        return name ? [[ip, name]] : [];
      }),
    );
  }

  async #scan(
    of: { device: string; kind: ScanKind; asked: Record<string, unknown>; by: string },
    signal: AbortSignal,
    progress: (done: number) => void,
  ): Promise<unknown[]> {
    const { device, kind, asked, by } = of;
    const { deviceAsks, store } = this.#options;
    const onTell = ({ done }: { done: number }) => progress(done);
    const result = await deviceAsks.ask(device, kind, asked as AskInput<ScanKind>, { signal, onTell });
    const found = 'ports' in result ? result.ports : 'found' in result ? result.found : result.neighbours;
    await store.keep({ deviceId: device, kind, by, input: asked, found });
    return found;
  }

  /** Throws `device.offline`. */
  async begin<K extends ScanKind>(
    at: { workgroup: string; device: string },
    kind: K,
    asked: AskInput<K>,
    by: Actor,
  ): Promise<LongAction> {
    const { longActions, registry, isOnline } = this.#options;
    if (!isOnline(at.device)) throw new AppError('device.offline');
    this.record(at, kind, JSON.stringify(asked), by);
    const about = registry.known(at.device)?.name ?? at.device;
    return longActions.begin(this.kind, {
      input: { ...at, kind, asked },
      about,
      workgroup: at.workgroup,
      by,
    });
  }

  record(
    { workgroup, device }: { workgroup: string; device: string },
    action: string,
    newValue: string | null,
    by: Actor,
  ): void {
    const entry = { workgroup, device, at: Date.now(), controller: 'discovery', entity: 'device', action };
    this.#options.audit.record({ ...entry, newValue, by: by.email, address: by.address });
  }
}
