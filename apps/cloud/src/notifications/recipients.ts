import type { Digest, Escalation, QuietHours } from '@albedo/contract/notifications/notifications.schema';
import type { Language } from '@albedo/contract/settings/settings.schema';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Members } from '../members/members.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { onCallAt } from './rota.ts';
import type { ChannelRow, EscalationRow, RotaRow, SetupStore } from './setup.store.ts';
import type { Told, ToldOf } from './told.ts';

export interface RecipientsOptions {
  setup: Pick<SetupStore, 'list'>;
  members: Pick<Members, 'list'>;
  deviceGroups: Pick<DeviceGroups, 'scopeOfGroup'>;
  settings: Pick<Settings, 'list' | 'languageOfAddress'>;
  workgroups: Pick<Workgroups, 'get' | 'isSuspended'>;
}

/** How a person wants to be told. */
export interface Wishes {
  language: Language;
  zone: string;
  quietHours: QuietHours | null;
  digest: Digest | null;
}

/** Everybody and everything of a workgroup that can be told something, as it is at one instant. */
export class Recipients {
  readonly #options: RecipientsOptions;
  readonly workgroup: string;
  readonly displayName: string;
  readonly channels: ReadonlyMap<string, ChannelRow>;
  readonly #members: ReadonlyMap<string, { email: string; devGroup: string | null }>;
  readonly #escalations: ReadonlyMap<string, EscalationRow>;
  readonly #rotas: ReadonlyMap<string, RotaRow>;
  readonly #wishes = new Map<string, Promise<Wishes>>();
  readonly #languages = new Map<string, Promise<Language>>();

  /** Null where the workgroup is suspended or gone: nobody hears anything then. */
  static async of(options: RecipientsOptions, workgroup: string): Promise<Recipients | null> {
    const { setup, members, workgroups } = options;
    if (workgroups.isSuspended(workgroup)) return null;
    const [known, people, channels, escalations, rotas] = await Promise.all([
      workgroups.get(workgroup).catch(unlessGone),
      members.list(workgroup),
      setup.list('channels', workgroup),
      setup.list('escalations', workgroup),
      setup.list('rotas', workgroup),
    ]);
    if (!known) return null;
    const { displayName } = known;
    return new Recipients(options, { workgroup, displayName, people, channels, escalations, rotas });
  }

  private constructor(
    options: RecipientsOptions,
    of: {
      workgroup: string;
      displayName: string;
      people: Awaited<ReturnType<Members['list']>>;
      channels: ChannelRow[];
      escalations: EscalationRow[];
      rotas: RotaRow[];
    },
  ) {
    this.#options = options;
    this.workgroup = of.workgroup;
    this.displayName = of.displayName;
    this.channels = new Map(of.channels.filter((row) => row.isEnabled).map((row) => [row.id, row]));
    this.#members = new Map(of.people.map(({ userId, email, devGroup }) => [userId, { email, devGroup }]));
    this.#escalations = new Map(of.escalations.map((row) => [row.id, row]));
    this.#rotas = new Map(of.rotas.map((row) => [row.id, row]));
  }

  emailOf(userId: string): string | undefined {
    return this.#members.get(userId)?.email;
  }

  escalation(id: string | null): EscalationRow | undefined {
    return id === null ? undefined : this.#escalations.get(id);
  }

  /** Whoever left the workgroup hears nothing of it, and members of a device group only of its devices and sources. */
  mayHear(userId: string, { device, source }: Pick<Told, 'device' | 'source'>): boolean {
    const member = this.#members.get(userId);
    if (!member) return false;
    if (member.devGroup === null) return true;
    if (device === null) return false;
    const scope: DeviceScope = this.#options.deviceGroups.scopeOfGroup(this.workgroup, member.devGroup);
    return source === null ? scope.has(device) : seesSource(scope, device, source);
  }

  /** Whom a step of an escalation reaches at this instant. */
  ofStep(step: Escalation['steps'][number], at: number): ToldOf {
    const onCall = step.rotas.flatMap((id) => {
      const rota = this.#rotas.get(id);
      return (rota && onCallAt(rota, at, (user) => this.#members.has(user))) ?? [];
    });
    return { users: [...new Set([...step.users, ...onCall])], emails: [], channels: step.channels };
  }

  wishesOf(userId: string): Promise<Wishes> {
    return kept(this.#wishes, userId, async () => {
      const {
        language = 'en',
        timeZone = '',
        quietHours,
        digest,
      } = await this.#options.settings.list(userId);
      const zone = ['', 'local', 'utc'].includes(timeZone) ? (quietHours?.zone ?? 'UTC') : timeZone;
      return { language, zone, quietHours: quietHours ?? null, digest: digest ?? null };
    });
  }

  languageOfAddress(address: string): Promise<Language> {
    return kept(this.#languages, address, () => this.#options.settings.languageOfAddress(address));
  }
}

function unlessGone(error: unknown): null {
  if (error instanceof AppError && error.error === 'request.not_found') return null;
  throw error;
}

function kept<T>(all: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const value = all.get(key) ?? make();
  all.set(key, value);
  return value;
}
