import { randomBytes, verify } from 'node:crypto';
import { lackOf } from '@albedo/contract/access/access';
import { scopeIn } from '@albedo/contract/access/permissions';
import { deviceIdentityApi } from '@albedo/contract/device-identity/device-identity.api';
import type { DevicePlace } from '@albedo/contract/device-identity/device-identity.schema';
import type { certificateInfo } from '@albedo/contract/devices/devices.schema';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { DeviceScope } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Certificates } from '../certificates/certificates.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { By, Devices } from '../devices/devices.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Health } from '../health/health.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';

/** How long a device may take to come back with its new certificate, and how long between looks, ms. */
const COME_BACK_MS = 40_000;
const LOOK_MS = 250;
/** A certificate that ends sooner is replaced without being asked to, ms. */
const RENEW_BEFORE_MS = 60 * 86_400_000;

export interface DeviceIdentityOptions {
  devices: Devices;
  certificates: Certificates;
  deviceAsks: DeviceAsks;
  registry: DeviceRegistry;
  health: Health;
  /** False while the provider keeps everybody out of the workgroup. */
  isOpen: (workgroup: string) => boolean;
  audit: Audit;
  log: Logger;
}

interface On {
  workgroup: string;
  device: string;
  by: By;
  signal: AbortSignal;
}

type CertificateInfo = z.output<typeof certificateInfo>;

/**
 * Who devices are. The key of a new certificate is made on the device and never leaves it. The certificate before is good
 * until the device has connected with the new one, so a device that fails in between is as it was.
 */
export class DeviceIdentity {
  readonly #options: DeviceIdentityOptions;
  /** Devices that are getting another certificate. */
  readonly #busy = new Set<string>();

  constructor(options: DeviceIdentityOptions) {
    this.#options = options;
  }

  /** What a device of its own machine has now; null without one. Throws `device.hosted`. */
  async held(workgroup: string, device: string): Promise<CertificateInfo | null> {
    await this.#demandEdge(workgroup, device);
    return this.#options.devices.packs.certificate(device);
  }

  /** Another certificate for a connected device. Throws what a device that is asked may, and `device.certificate_not_taken`. */
  async replace({ workgroup, device, by, signal }: On): Promise<CertificateInfo> {
    await this.#demandEdge(workgroup, device);
    const before = this.#options.certificates.newest(device)?.serial ?? null;
    await this.#reissue(device, { workgroupId: workgroup, deviceId: device }, signal);
    const after = this.#certificate(device);
    this.#record(workgroup, device, by, 'update', {
      attribute: 'certificate',
      oldValue: before,
      newValue: `replace ${after.serial}`,
    });
    return after;
  }

  /**
   * Moves a connected device: it goes on as a new one in the other workgroup, with its name, kind and settings. What it
   * measured stays where it was measured, with the entry that it had there.
   *
   * Throws as `replace` does, `device.move_nowhere` and `device.name_taken`.
   */
  async move(
    on: On,
    to: { workgroupId: string; name?: string | undefined },
    session: SessionClaims,
  ): Promise<DevicePlace> {
    const { devices, certificates } = this.#options;
    const { workgroup, device, by, signal } = on;
    this.#demandMayManage(session, workgroup, to.workgroupId);
    const here = await this.#demandEdge(workgroup, device);
    this.#demandOnline(device);
    const name = to.name ?? here.name;
    const { id } = await devices.create(to.workgroupId, { name, arch: here.arch, ced: false }, by);
    const there = { workgroupId: to.workgroupId, deviceId: id };
    try {
      await devices.copySettings(there, here.settings);
      await this.#reissue(device, there, signal);
    } catch (error) {
      await devices.remove(to.workgroupId, id, by);
      throw error;
    }
    await certificates.revoke(device);
    const oldValue = `${workgroup}.${device}`;
    const change = { attribute: 'workgroup.deviceId', oldValue, newValue: `${to.workgroupId}.${id}` };
    this.#record(workgroup, device, by, 'move', change);
    this.#record(to.workgroupId, id, by, 'move', change);
    return there;
  }

  /**
   * Has a connected device go on as another one of the workgroup that is gone: what it measures from now on follows what that one
   * measured. Throws as `replace` does, `device.itself`, `device.elsewhere`, `device.still_connected`.
   */
  async takeOver(on: On, place: DevicePlace, scope: DeviceScope): Promise<CertificateInfo> {
    const { certificates, health } = this.#options;
    const { workgroup, device, by, signal } = on;
    if (place.deviceId === device) throw new AppError('device.itself');
    if (place.workgroupId !== workgroup) throw new AppError('device.elsewhere', { workgroup });
    await this.#demandEdge(workgroup, device);
    const { name, quarantine } = await this.#options.devices.get(workgroup, place.deviceId, scope);
    if (quarantine) throw new AppError('device.in_quarantine', { name });
    await this.#demandEdge(workgroup, place.deviceId);
    if (health.of(place.deviceId).online) throw new AppError('device.still_connected', { name });
    await this.#reissue(device, place, signal);
    await certificates.revoke(device);
    this.#record(workgroup, place.deviceId, by, 'update', {
      attribute: 'identity',
      oldValue: `${workgroup}.${device}`,
      newValue: `${workgroup}.${place.deviceId}`,
    });
    return this.#certificate(place.deviceId);
  }

  /** Replaces the certificates that end soon of devices that are connected; the others are asked another day. */
  async renewDue(signal: AbortSignal, now = Date.now()): Promise<number> {
    const { registry, certificates, health, log } = this.#options;
    let renewed = 0;
    for (const { id, workgroup, ced } of registry.all()) {
      signal.throwIfAborted();
      const newest = certificates.newest(id);
      const isDue = newest && !newest.revokedAt && newest.notAfter.getTime() - now < RENEW_BEFORE_MS;
      if (!isDue || ced || !health.of(id).online) continue;
      try {
        await this.replace({ workgroup, device: id, by: null, signal });
        renewed++;
      } catch (err) {
        if (!(err instanceof AppError)) throw err;
        log.warn({ device: id, why: err.message }, 'the certificate of a device was not renewed');
      }
    }
    return renewed;
  }

  /** Gives the machine that speaks as `device` now a certificate as which it is `place` from then on. */
  async #reissue(device: string, place: DevicePlace, signal: AbortSignal): Promise<void> {
    const { certificates, deviceAsks } = this.#options;
    const both = [...new Set([device, place.deviceId])];
    if (both.some((one) => this.#busy.has(one))) throw new AppError('device.busy');
    for (const one of both) this.#busy.add(one);
    try {
      const challenge = randomBytes(32).toString('base64');
      const made = await deviceAsks.ask(device, 'identity.key', { challenge }, { signal });
      if (!isProven(challenge, made)) throw new AppError('device.rubbish');
      const { certPem, serial } = await certificates.certify(
        place.deviceId,
        place.workgroupId,
        made.publicKey,
      );
      try {
        await this.#install(device, certPem, signal);
        await this.#comesBack(place.deviceId, serial, signal);
      } catch (error) {
        await certificates.withdraw(place.deviceId, serial);
        throw error;
      }
      await certificates.settle(place.deviceId, serial);
    } finally {
      for (const one of both) this.#busy.delete(one);
    }
  }

  async #install(device: string, certificate: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#options.deviceAsks.ask(device, 'identity.install', { certificate }, { signal });
    } catch (error) {
      // Its answer may be lost with the connection that it gives up; whether it did it shows when it comes back.
      if (!(error instanceof AppError) || error.error !== 'device.lost') throw error;
    }
  }

  async #comesBack(device: string, serial: string, signal: AbortSignal): Promise<void> {
    const { deviceAsks, health } = this.#options;
    const end = performance.now() + COME_BACK_MS;
    while (performance.now() < end) {
      signal.throwIfAborted();
      if (health.of(device).online) {
        const told = await deviceAsks
          .ask(device, 'identity.read', {}, { signal, limitMs: 3000 })
          .catch((error: unknown) => {
            // It is between two connections.
            if (error instanceof AppError) return null;
            throw error;
          });
        if (told?.serial === serial) return;
      }
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
    throw new AppError('device.certificate_not_taken');
  }

  #demandMayManage(session: SessionClaims, from: string, to: string): void {
    const scope = scopeIn(session, to);
    const lack = lackOf(deviceIdentityApi.move.access.who, { scope, isStaff: session.staff });
    // Whether there is such a workgroup at all is nobody's business who may not do this in it.
    if (to === from || lack !== null || scope?.devGroup || !this.#options.isOpen(to))
      throw new AppError('device.move_nowhere', { workgroup: to });
  }

  async #demandEdge(workgroup: string, id: string) {
    const device = await this.#options.devices.row(workgroup, id);
    if (device.ced) throw new AppError('device.hosted');
    return device;
  }

  #demandOnline(device: string): void {
    if (!this.#options.health.of(device).online) throw new AppError('device.offline');
  }

  #certificate(device: string): CertificateInfo {
    const certificate = this.#options.devices.packs.certificate(device);
    if (!certificate) throw new AppError('device.certificate_not_taken');
    return certificate;
  }

  #record(
    workgroup: string,
    device: string,
    by: By,
    action: string,
    change: { attribute: string; oldValue: string | null; newValue: string },
  ): void {
    this.#options.audit.record({
      ...{ workgroup, device, at: Date.now(), controller: 'device', entity: 'device', action, ...change },
      by: by?.email ?? null,
      ...(by ? { address: by.address } : {}),
    });
  }
}

/** Whether who sent the public key has the private one. */
function isProven(challenge: string, made: { publicKey: string; signature: string }): boolean {
  try {
    return verify('sha256', Buffer.from(challenge), made.publicKey, Buffer.from(made.signature, 'base64'));
  } catch {
    return false;
  }
}
