import type { NewSchedule, ScheduleStop, SearchSchedule } from '@albedo/contract/searches/searches.schema';
import type { Transaction } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import { AppError } from '../errors/app-error.ts';
import { defineJob, type Run } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { UsersStore } from '../users/users.store.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { nextDue } from './due.ts';
import { mailedFile } from './mailed-file.ts';
import type { ScheduleRow, SchedulesStore } from './schedules.store.ts';
import { searchMail } from './searches.mails.ts';
import type { SearchCaller, Searches, Viewer } from './searches.service.ts';
import type { SearchRow } from './searches.store.ts';

/** Called when the file of a shared search is mailed, inside the transaction that queues the mail. */
export type MailedListener = (
  workgroup: string,
  mailed: { search: string; name: string; records: number; dueAt: number },
  inside: Transaction,
) => Promise<void>;

/** Schedules that are looked at in one go. */
const AT_ONCE = 200;

export interface SchedulesOptions {
  store: SchedulesStore;
  searches: Searches;
  telemetry: Telemetry;
  registry: Pick<DeviceRegistry, 'known'>;
  sessions: Pick<Sessions, 'scopeNow'>;
  deviceGroups: Pick<DeviceGroups, 'scopeOf'>;
  users: Pick<UsersStore, 'user'>;
  settings: Pick<Settings, 'languageOf'>;
  workgroups: Pick<Workgroups, 'get' | 'isSuspended'>;
  jobs: Jobs;
  mailer: Mailer;
  publicUrl: () => string;
  log: Logger;
}

/**
 * Searches that are mailed by schedule. A schedule is its owner's alone: it sends what they can see when the mail is
 * made, and ends when they may no longer see it.
 *
 * A due time is taken in one transaction with the job that mails it, and the job ends in one with the mail, so that each
 * due time is mailed once, however often processes die between. After a pause the newest missed time counts, the others
 * are over.
 */
export class Schedules {
  readonly #options: SchedulesOptions;
  readonly #listeners: MailedListener[] = [];

  readonly looking = defineJob({
    name: 'search-schedules',
    payload: z.object({}),
    limitS: 50,
    retry: { times: 0, afterS: 0, atMostS: 0 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: () => this.takeDue(),
  });

  readonly mailing = defineJob({
    name: 'search-mail',
    /** `dueAt` is epoch ms. */
    payload: z.object({ schedule: z.uuid(), dueAt: z.number() }),
    limitS: 300,
    retry: { times: 5, afterS: 30, atMostS: 1800 },
    sideBySide: 2,
    about: ({ schedule }) => schedule,
    run: (run) => this.#mail(run),
  });

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  onMailed(listener: MailedListener): void {
    this.#listeners.push(listener);
  }

  /** Throws `saved_search.not_found`, `search_schedule.none`. */
  async get(caller: SearchCaller, id: string): Promise<SearchSchedule> {
    const row = await this.#options.store.find(await this.#own(caller, id));
    if (!row) throw new AppError('search_schedule.none');
    return scheduleOf(row);
  }

  /** Throws `saved_search.not_found`, `saved_search.no_csv`. */
  async set(caller: SearchCaller, id: string, wanted: NewSchedule): Promise<SearchSchedule> {
    const { searches, store } = this.#options;
    const search = await searches.visible(caller, id);
    if (!search.content.csv.enabled) throw new AppError('saved_search.no_csv');
    const of = { workgroup: caller.workgroup, searchId: id, ownerId: caller.by.userId };
    const before = await store.find(of);
    const nextAt = wanted.enabled ? new Date(nextDue(wanted, Date.now())) : null;
    const row = await store.set(of, wanted, nextAt);
    if (!row) throw new AppError('saved_search.not_found');
    const oldValue = before ? textOf(before) : null;
    searches.record(search, caller.by, { ...SCHEDULED, oldValue, newValue: textOf(row) });
    return scheduleOf(row);
  }

  /** Throws `saved_search.not_found`, `search_schedule.none`. */
  async remove(caller: SearchCaller, id: string): Promise<void> {
    const { searches, store } = this.#options;
    const search = await searches.visible(caller, id);
    const removed = await store.remove(await this.#own(caller, id));
    if (!removed) throw new AppError('search_schedule.none');
    searches.record(search, caller.by, { ...SCHEDULED, newValue: 'none' });
  }

  /** Those of everybody. Throws `saved_search.not_found`. */
  async removeAll({ workgroup, by }: SearchCaller, id: string): Promise<void> {
    const { searches, store } = this.#options;
    const search = await searches.any(workgroup, id);
    const count = await store.removeOf({ workgroup, searchId: id });
    if (count > 0) searches.record(search, by, { ...SCHEDULED, oldValue: String(count), newValue: 'none' });
  }

  /** Has mailed what is due, and says when it is due again. */
  async takeDue(now = Date.now()): Promise<void> {
    const { store, jobs } = this.#options;
    const due = await store.due(new Date(now), AT_ONCE);
    for (const row of due) {
      await store.transaction(async (inside) => {
        const isOurs = await store.moveOn(row, new Date(nextDue(row.schedule, now)), inside);
        if (!isOurs || !row.nextAt) return;
        await jobs.send(this.mailing, { schedule: row.id, dueAt: row.nextAt.getTime() }, { inside });
      });
    }
    if (due.length > 0) jobs.wake(this.mailing);
  }

  async #mail({ payload, finish, signal }: Run<{ schedule: string; dueAt: number }>): Promise<void> {
    const { store, mailer, workgroups } = this.#options;
    const row = await store.byId(payload.schedule);
    if (!row || row.nextAt === null || workgroups.isSuspended(row.workgroup)) return;
    const made = await this.#make(row, payload.dueAt, signal);
    if (typeof made === 'string') return this.#stop(row, made, finish);
    await finish(async (inside) => {
      await store.sent(row.id, made.records, inside);
      await mailer.hand({ ...made.mail, workgroup: row.workgroup }, inside);
      // A personal search is nobody else's business.
      if (!made.search.isShared) return;
      const { id: search, name } = made.search;
      const mailed = { search, name, records: made.records, dueAt: payload.dueAt };
      for (const listener of this.#listeners) await listener(row.workgroup, mailed, inside);
    });
    mailer.wake();
  }

  /** The mail with its file, or why there will be none any more. */
  async #make(row: ScheduleRow, dueAt: number, signal: AbortSignal) {
    const { users, sessions, deviceGroups, telemetry, settings, workgroups, publicUrl } = this.#options;
    const { workgroup, ownerId, searchId, schedule } = row;
    const [owner, scope] = await Promise.all([users.user(ownerId), sessions.scopeNow(ownerId, workgroup)]);
    if (!owner || !scope) return 'search' as const;
    const devices = deviceGroups.scopeOf({ scopes: { [workgroup]: scope } }, workgroup);
    const search = await this.#search(
      { workgroup, by: { userId: ownerId, scope }, scope: devices },
      searchId,
    );
    if (!search) return 'search' as const;
    const reader = telemetry.forMember({ workgroup, scope, devices });
    const zone = search.content.timezone ?? schedule.timezone;
    const file = await stopOr(
      mailedFile(reader, search, { at: dueAt, zone, devices: this.#options.registry, signal }),
    );
    if (typeof file === 'string') return file;
    const [language, { displayName }] = await Promise.all([
      settings.languageOf(ownerId),
      workgroups.get(workgroup),
    ]);
    const about = { owner, language, workgroup: displayName, url: `${publicUrl()}/search/${searchId}`, zone };
    return { search, records: file.records, mail: searchMail(search, schedule, file, about) };
  }

  /** Undefined where it does not exist for them any more. */
  async #search(viewer: Viewer, id: string): Promise<SearchRow | undefined> {
    try {
      return await this.#options.searches.visible(viewer, id);
    } catch (error) {
      if (error instanceof AppError && error.error === 'saved_search.not_found') return;
      throw error;
    }
  }

  async #stop(row: ScheduleRow, stopped: ScheduleStop, finish: Run<object>['finish']): Promise<void> {
    const { store, searches, log } = this.#options;
    const search = await searches.any(row.workgroup, row.searchId);
    await finish((inside) => store.stop(row.id, stopped, inside));
    searches.record(search, null, { ...SCHEDULED, oldValue: textOf(row), newValue: `stopped: ${stopped}` });
    log.info({ schedule: row.id, stopped }, 'a search is no longer mailed');
  }

  async #own(caller: SearchCaller, id: string) {
    const { workgroup, by } = caller;
    await this.#options.searches.visible(caller, id);
    return { workgroup, searchId: id, ownerId: by.userId };
  }
}

const SCHEDULED = { action: 'schedule', attribute: 'schedule' } as const;

/** What ends a schedule: a table or a field that the owner does not have any more. */
const STOPS: Readonly<Record<string, ScheduleStop>> = {
  'request.forbidden': 'table',
  'table.not_found': 'table',
  'table.field_unknown': 'fields',
  'request.invalid': 'fields',
};

async function stopOr<T>(task: Promise<T>): Promise<T | ScheduleStop> {
  try {
    return await task;
  } catch (error) {
    const stop = error instanceof AppError ? STOPS[error.error] : undefined;
    if (stop) return stop;
    throw error;
  }
}

const scheduleOf = ({ schedule, nextAt, sentAt, sentRecords, stopped }: ScheduleRow): SearchSchedule => ({
  ...schedule,
  enabled: nextAt !== null,
  nextAt: nextAt?.getTime() ?? null,
  sentAt: sentAt?.getTime() ?? null,
  sentRecords,
  stopped,
});

/** Recipients too: who sends data out of the house is what people look for in the log. */
const textOf = ({ schedule }: ScheduleRow): string => JSON.stringify(schedule);
