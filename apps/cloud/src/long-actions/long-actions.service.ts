import { createHash, randomBytes } from 'node:crypto';
import { addAbortSignal, type Readable, Transform } from 'node:stream';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { isOver } from '@albedo/contract/long-actions/long-actions.state';
import { whenHeld } from '@albedo/postgres/together';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import type { FileStore } from '../files/files.store.ts';
import { defineJob, Hopeless, type Run } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { LongActionKind, LongActionOutcome } from './long-action.ts';
import type { Ending, LongActionRow, LongActionsStore, Whose } from './long-actions.store.ts';
import { longActionCancelled } from './long-actions.topics.ts';

export type { LongActionKind } from './long-action.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Life of a result, and of the word that there is none. */
const LIFE_MS = DAY_MS;
/** Life of a link: a browser follows it at once. */
const LINK_MS = 60_000;
/** Progress is told and written this often at most. */
const PROGRESS_MS = 1000;
/** The longest that one may take, s. */
const LIMIT_S = 6 * 3600;

export interface LongActionsOptions {
  store: LongActionsStore;
  jobs: Jobs;
  files: FileStore;
  bus: Bus;
  /** Tells the owner, on every process. */
  tellUser: (userId: string, action: LongAction) => void;
  tell: TellList;
  log: Logger;
}

/**
 * What takes longer than a request: begun by somebody, run as a job, found again after a reload and a restart.
 *
 * It is its owner's in a workgroup, or the staff's where it has none. A result is kept for a day.
 */
export class LongActions {
  readonly #options: LongActionsOptions;
  readonly #kinds = new Map<string, LongActionKind<never>>();
  readonly #running = new Map<string, AbortController>();

  constructor(options: LongActionsOptions) {
    this.#options = options;
  }

  readonly job = defineJob({
    name: 'long-action',
    payload: z.object({ id: z.uuid(), kind: z.string(), about: z.string() }),
    limitS: LIMIT_S,
    retry: { times: 3, afterS: 5, atMostS: 300 },
    sideBySide: 2,
    about: ({ kind, about }) => `${kind}: ${about}`,
    run: (run) => this.#run(run),
    onDead: async ({ payload }, _error, inside) => {
      const failed = { state: 'failed', error: FAILED } as const;
      const row = await this.#options.store.end(payload.id, failed, this.#expiry(), inside);
      if (row) this.#tell(row);
    },
  });

  readonly tidying = defineJob({
    name: 'long-actions-tidy',
    payload: z.object({}),
    limitS: 600,
    retry: { times: 0, afterS: 0, atMostS: 0 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '*/5 * * * *', zone: 'UTC', payload: {} },
    run: () => this.tidy(),
  });

  add<Input extends object>(kind: LongActionKind<Input>): void {
    if (this.#kinds.has(kind.kind)) throw new Error(`There are two long actions called ${kind.kind}.`);
    this.#kinds.set(kind.kind, kind as unknown as LongActionKind<never>);
  }

  /** Begins one: it is there, with its job, when this resolves. `workgroup` is null for those of the staff. */
  async begin<Input extends object>(
    { kind, input: schema }: LongActionKind<Input>,
    { input, about, workgroup, by }: { input: Input; about: string; workgroup: string | null; by: Actor },
  ): Promise<LongAction> {
    const { store, jobs } = this.#options;
    const owner = { ownerId: by.userId, ownerEmail: by.email, ownerAddress: by.address };
    const added = { id: crypto.randomUUID(), workgroup, kind, about, ...owner };
    const checked = schema.parse(input) as Record<string, unknown>;
    const row = await store.transaction(async (inside) => {
      const begun = await store.add({ ...added, input: checked }, inside);
      await jobs.send(this.job, { id: begun.id, kind, about }, { id: begun.id, inside });
      return begun;
    });
    // Begun within a transaction, it starts only once that is committed.
    whenHeld(() => {
      jobs.wake(this.job);
      this.#tell(row);
    });
    return this.#entry(row);
  }

  /** Whether it waits or runs. */
  isOpen(id: string): Promise<boolean> {
    return this.#options.store.isOpen(id);
  }

  async list(whose: Whose): Promise<LongAction[]> {
    return (await this.#options.store.list(whose)).map((row) => this.#entry(row));
  }

  /** Throws `long_action.not_found`. */
  async get(whose: Whose, id: string): Promise<LongAction> {
    return this.#entry(await this.#find(whose, id));
  }

  /** Throws `long_action.not_found`, and `long_action.no_cancel` where it has to run to its end. */
  async cancel(whose: Whose, id: string): Promise<LongAction> {
    const { store, bus } = this.#options;
    const found = await this.#find(whose, id);
    if (isOver(found.state)) return this.#entry(found);
    if (!this.#canCancel(found)) throw new AppError('long_action.no_cancel');
    const row = await store.cancel(id, new Date(), this.#expiry());
    if (!row) return this.get(whose, id);
    await bus.publish(longActionCancelled, { id });
    return this.#tell(row);
  }

  /** Throws `long_action.not_found`; one that did not fail stays as it is. */
  async retry(whose: Whose, id: string): Promise<LongAction> {
    const { store, jobs } = this.#options;
    const found = await this.#find(whose, id);
    const newId = crypto.randomUUID();
    const row = await store.transaction(async (inside) => {
      const reopened = await store.reopen(id, newId, inside);
      if (!reopened) return;
      const { kind, about } = reopened;
      await jobs.send(this.job, { id: newId, kind, about }, { id: newId, inside });
      return reopened;
    });
    if (!row) return this.#entry(found);
    jobs.wake(this.job);
    return this.#tell(row);
  }

  /** Throws `long_action.not_found`; one that runs stays. */
  async dismiss(whose: Whose, id: string): Promise<void> {
    const found = await this.#find(whose, id);
    if (!isOver(found.state)) return;
    await this.#forget(id);
    if (found.workgroup === null) this.#options.tell('long-actions', null);
  }

  /** A link that a browser follows by itself. Throws `long_action.not_found`, `long_action.file_gone`. */
  async offerFile(whose: Whose, id: string): Promise<{ path: string; expiresAt: number }> {
    const { fileName } = await this.#find(whose, id);
    if (fileName === null) throw new AppError('long_action.file_gone');
    const token = randomBytes(32).toString('base64url');
    const expiresAt = Date.now() + LINK_MS;
    await this.#options.store.keepLink(id, hashOf(token), new Date(expiresAt));
    return { path: `${API_PREFIX}/long-action-files/${token}`, expiresAt };
  }

  /** Throws `long_action.file_gone`. */
  async fetchFile(token: string): Promise<{ name: string; type: string; bytes: Readable }> {
    const row = await this.#options.store.takeLink(hashOf(token));
    const bytes = row && (await this.#options.files.get(keyOf(row.id)));
    if (!row?.fileName || !bytes) throw new AppError('long_action.file_gone');
    return { name: row.fileName, type: row.fileType ?? 'application/octet-stream', bytes };
  }

  /** Forgets what has had its time, and ends what no process will end any more. */
  async tidy(now = new Date()): Promise<void> {
    const { store } = this.#options;
    for (const id of await store.expired(now)) await this.#forget(id);
    for (const id of await store.orphans()) {
      const row = await store.end(id, { state: 'failed', error: FAILED }, this.#expiry());
      if (row) this.#tell(row);
    }
  }

  /** Ends it where this process runs it. */
  cancelHere(id: string): void {
    this.#running.get(id)?.abort(new Cancelled());
  }

  /** Takes the files of a workgroup away that is deleted; the rows go with its other ones. */
  async forgetFiles(workgroup: string): Promise<void> {
    const { store, files } = this.#options;
    for (const id of await store.withFiles(workgroup)) await files.remove(keyOf(id));
  }

  async #run({ payload: { id }, signal, finish }: Run<{ id: string }>): Promise<void> {
    const { store, log } = this.#options;
    const row = await store.begin(id);
    if (!row) return;
    const kind = this.#kinds.get(row.kind);
    if (!kind) throw new Hopeless(`There is no long action ${row.kind}.`);
    const end = async (ending: Ending, effect?: LongActionOutcome['effect']) => {
      let ended: LongActionRow | undefined;
      await finish(async (inside) => {
        ended = await store.end(id, ending, this.#expiry(), inside);
        if (ended) await effect?.(inside);
      });
      if (ended) this.#tell(ended);
    };
    if (row.cancelledAt && kind.canCancel) return end({ state: 'cancelled' });
    this.#tell(row);
    const cancelling = new AbortController();
    this.#running.set(id, cancelling);
    try {
      const both = AbortSignal.any([signal, cancelling.signal]);
      const outcome = await kind.run({
        id,
        input: kind.input.parse(row.input),
        by: { userId: row.ownerId, email: row.ownerEmail, address: row.ownerAddress },
        signal: both,
        progress: this.#progress(id, both),
      });
      const file = outcome.file ? await this.#keep(id, outcome.file, both) : {};
      both.throwIfAborted();
      await end(
        { state: 'done', progress: 1, result: outcome.result ?? null, ...file } as Ending,
        outcome.effect,
      );
      outcome.afterwards?.();
    } catch (error) {
      if (cancelling.signal.aborted) {
        await this.#options.files.remove(keyOf(id));
        return end({ state: 'cancelled' });
      }
      if (!(error instanceof AppError)) throw error;
      // What people can understand and mend is theirs, not the staff's.
      log.info({ id, kind: row.kind, reason: error.message }, 'a long action failed');
      await end({ state: 'failed', error: error.message });
    } finally {
      this.#running.delete(id);
    }
  }

  #progress(id: string, signal: AbortSignal): (fraction: number) => void {
    let toldAt = 0;
    return (fraction) => {
      const now = Date.now();
      if (now - toldAt < PROGRESS_MS || signal.aborted) return;
      toldAt = now;
      this.#options.store.progress(id, Math.min(1, Math.max(0, fraction))).then(
        (row) => row && this.#options.tellUser(row.ownerId, this.#entry(row)),
        (err) => this.#options.log.warn({ err, id }, 'the progress of a long action could not be kept'),
      );
    };
  }

  async #keep(
    id: string,
    { name, type, bytes }: NonNullable<LongActionOutcome['file']>,
    signal: AbortSignal,
  ) {
    let fileSize = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        fileSize += chunk.length;
        next(null, chunk);
      },
    });
    bytes.on('error', (error) => counted.destroy(error));
    counted.on('close', () => bytes.destroy());
    await this.#options.files.put(keyOf(id), addAbortSignal(signal, bytes.pipe(counted)));
    return { fileName: name, fileType: type, fileSize };
  }

  async #forget(id: string): Promise<void> {
    await this.#options.files.remove(keyOf(id));
    await this.#options.store.remove(id);
  }

  async #find(whose: Whose, id: string): Promise<LongActionRow> {
    const row = await this.#options.store.find(whose, id);
    if (!row) throw new AppError('long_action.not_found');
    return row;
  }

  /** Tells the owner and, of theirs, the staff. */
  #tell(row: LongActionRow): LongAction {
    const entry = this.#entry(row);
    this.#options.tellUser(row.ownerId, entry);
    if (row.workgroup === null) this.#options.tell('long-actions', null);
    return entry;
  }

  #canCancel({ state, kind, cancelledAt }: LongActionRow): boolean {
    if (isOver(state) || cancelledAt) return false;
    return state === 'queued' || (this.#kinds.get(kind)?.canCancel ?? false);
  }

  #entry(row: LongActionRow): LongAction {
    const { fileName: name, fileSize: size } = row;
    return {
      id: row.id,
      kind: row.kind,
      about: row.about,
      state: row.state,
      progress: row.progress,
      result: row.result ?? null,
      file: name === null ? null : { name, size: size ?? 0 },
      error: row.error,
      canCancel: this.#canCancel(row),
      by: row.ownerEmail,
      createdAt: row.createdAt.getTime(),
      endedAt: row.endedAt?.getTime() ?? null,
      expiresAt: row.expiresAt?.getTime() ?? null,
    };
  }

  #expiry(): Date {
    return new Date(Date.now() + LIFE_MS);
  }
}

/** What people read of a failure that they cannot mend; the log and the staff have the rest. */
const FAILED = 'Something went wrong. Try again, or ask support.';

class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

const keyOf = (id: string): string => `long-actions/${id}`;
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
