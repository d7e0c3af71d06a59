import type { ConfigApplied } from '@albedo/contract/device-config/device-config.schema';
import type { Actor } from '../access/actor.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { Twins } from '../twins/twins.service.ts';

export interface ConfigOn {
  workgroup: string;
  device: string;
  by: Pick<Actor, 'email' | 'address'>;
  signal: AbortSignal;
}

/** The configuration of devices, as it stands on their own disks. */
export class DeviceConfigs {
  readonly #options: { deviceAsks: DeviceAsks; twins: Twins; audit: Audit };

  constructor(options: { deviceAsks: DeviceAsks; twins: Twins; audit: Audit }) {
    this.#options = options;
  }

  /** Every attempt is in the audit log; what the device took up is from then on what it should have. */
  async apply(on: ConfigOn, text: string, over: string | null): Promise<ConfigApplied> {
    const { deviceAsks, twins, audit } = this.#options;
    const { workgroup, device, by, signal } = on;
    const entry = { workgroup, device, at: Date.now(), controller: 'device_config', entity: 'config' };
    const who = { by: by.email, address: by.address };
    try {
      const applied = await deviceAsks.ask(device, 'config.apply', { text, over }, { signal });
      const status = applied.isApplied ? 'success' : 'failed';
      const values = { oldValue: over, newValue: applied.config.hash };
      audit.record({ ...entry, ...who, ...values, action: 'update', attribute: 'sha256', status });
      if (applied.isApplied) await twins.applied(device, applied.config, by.email);
      return applied;
    } catch (error) {
      audit.record({ ...entry, ...who, action: 'update', status: 'failed' });
      throw error;
    }
  }
}
