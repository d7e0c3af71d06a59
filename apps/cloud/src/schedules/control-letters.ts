import type { MemberInfo } from '@albedo/contract/members/members.schema';
import type { ControlPolicy } from '@albedo/contract/schedules/schedules.schema';
import type { Logger } from 'pino';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Members } from '../members/members.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { controlMail, type Told } from './control.mails.ts';
import type { DeviceScheduleRow } from './control.store.ts';
import type { AskedFor } from './schedules.tables.ts';

export interface LettersOptions {
  members: Pick<Members, 'list'>;
  deviceGroups: DeviceGroups;
  registry: DeviceRegistry;
  settings: Settings;
  workgroups: Workgroups;
  mailer: Mailer;
  publicUrl: () => string;
  log: Logger;
}

/** Writes to those who have to know of what reaches devices; nobody waits for it. */
export class ControlLetters {
  readonly #options: LettersOptions;

  constructor(options: LettersOptions) {
    this.#options = options;
  }

  /** To those who may approve: they control devices, see this one, and have no part in it. */
  approvers(row: DeviceScheduleRow, asked: AskedFor): void {
    const { deviceGroups } = this.#options;
    const { workgroup, deviceId, editorIds } = row;
    this.#write(workgroup, this.#about('approve', row, asked), (member) => {
      const mayDecide = member.role === 'owner' || member.permissions.includes('controlDevices');
      const { devGroup } = member;
      const sees = devGroup === null || deviceGroups.scopeOfGroup(workgroup, devGroup).has(deviceId);
      const hasPart = asked.what === 'release' ? false : editorIds.includes(member.userId);
      return mayDecide && sees && !hasPart && member.userId !== asked.userId;
    });
  }

  alone(row: DeviceScheduleRow, asked: AskedFor): void {
    this.#write(row.workgroup, this.#about('alone', row, asked), isOwner);
  }

  policy(workgroup: string, twoPeople: ControlPolicy['twoPeople'], by: string): void {
    const told = { what: 'policy', by, about: twoPeople, reason: null, path: '/control/devices' } as const;
    this.#write(workgroup, told, isOwner);
  }

  #about(what: 'approve' | 'alone', row: DeviceScheduleRow, { email, reason }: AskedFor) {
    const { registry } = this.#options;
    const device = registry.known(row.deviceId)?.name ?? row.deviceId;
    const path = `/control/devices/${row.deviceId}/${row.id}`;
    return { what, by: email, about: `${device}, ${row.setpoint}: ${row.name}`, reason, path };
  }

  #write(
    workgroup: string,
    told: Omit<Told, 'workgroup' | 'publicUrl'>,
    isFor: (member: MemberInfo) => boolean,
  ): void {
    const { log } = this.#options;
    this.#send(workgroup, told, isFor).catch((err: Error) =>
      log.warn({ err }, 'those who have to know of a setpoint could not be written to'),
    );
  }

  async #send(
    workgroup: string,
    told: Omit<Told, 'workgroup' | 'publicUrl'>,
    isFor: (member: MemberInfo) => boolean,
  ): Promise<void> {
    const { members, settings, workgroups, mailer, publicUrl } = this.#options;
    const { displayName } = await workgroups.get(workgroup);
    const whole = { ...told, workgroup: displayName, publicUrl: publicUrl() };
    for (const member of (await members.list(workgroup)).filter(isFor))
      mailer.send(async () => ({
        ...controlMail(member.email, await settings.languageOf(member.userId), whole),
        workgroup,
      }));
  }
}

const isOwner = ({ role }: MemberInfo): boolean => role === 'owner';
