import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  EXTERNAL_RECORDS,
  type ExternalPreview,
  type ExternalRun,
  FILE_RECORDS,
  type NewExternalSource,
} from '@albedo/contract/external-sources/external-sources.schema';
import { storableText } from '@albedo/postgres/storable';
import { AppError } from '../errors/app-error.ts';
import type { LookupTables } from '../lookup-tables/lookup-tables.service.ts';
import type { HistoryRecord } from '../mapping/history-records.ts';
import { type ForeignFile, readForeignFile } from '../mapping/read-foreign-file.ts';
import { UnreadableRecords } from '../mapping/unreadable-records.ts';
import { OUTBOUND_AN_HOUR, type OutboundQuota } from '../outbound/outbound.quota.ts';
import { OutsideError, type OutsideFetch } from '../outbound/outside-fetch.ts';
import { fetchOutside, troubleOf, unreachable } from './external-sources.reading.ts';
import type { ExternalSourceRow, ExternalSourcesStore, KnownFile } from './external-sources.store.ts';
import { demandSize, type ForeignBytes, RefusedFile, type RemoteFile, UnreadFile } from './foreign-files.ts';
import { type Deadline, inTime, limited } from './in-time.ts';
import { type Mail, MailReader } from './mail-reader.ts';
import { NOTHING, type RecordWriter, together, type Written } from './record-writer.ts';
import { SftpReader } from './sftp-reader.ts';
import { emptyPreview, previewFile } from './source-preview.ts';
import { unpack } from './unpack.ts';

export interface SourceRunnerOptions {
  store: ExternalSourcesStore;
  gate: OutsideFetch;
  quota: OutboundQuota;
  writer: RecordWriter;
  lookups: Pick<LookupTables, 'find'>;
  secretOf: (row: ExternalSourceRow) => string | null;
  /** Called when the first key of a server is kept. */
  onHostKey: (row: ExternalSourceRow, hostKey: string) => void;
  tell: (workgroup: string) => void;
  /** Pause between two looks at a file that may still be growing, ms. */
  settleMs?: number;
}

const MINUTE_MS = 60_000;
/** A source that fails is read at longer and longer intervals, up to this one or its own. */
const LONGEST_PAUSE_MS = 6 * 60 * MINUTE_MS;
/** How long a source waits whose workgroup has used up its requests. */
const BUSY_MS = 10 * MINUTE_MS;
/** Files and mails read in one run; the rest comes in the next run, which follows soon. */
const FILES_A_RUN = 20;
const MAILS_A_RUN = 50;
/** Files listed for one run. */
const FILES_TOLD = 200;
/** Runs in which a file may fail because of us before it is skipped. */
const TRIES = 3;
const TRIES_KEPT = 10_000;
const SETTLE_MS = 1000;
/** Mails opened for a preview. */
const MAILS_LOOKED = 10;
const FILES_SHOWN = 20;

type FileOutcome = ExternalRun['files'][number];

/** What one run brought. */
interface Brought {
  written: Written;
  files: FileOutcome[];
  /** There is more to read right away. */
  isMore: boolean;
  /** A remark that is about no single file. */
  note: string | null;
}

/** Reads what is new in sources, once. */
export class SourceRunner {
  readonly #of: SourceRunnerOptions;
  readonly #running = new Map<string, Promise<void>>();
  /** How often a file could not be read, by source and name. */
  readonly #tries = new Map<string, number>();

  constructor(of: SourceRunnerOptions) {
    this.#of = of;
  }

  /** Reads a source, stores what is new and keeps the outcome. Further callers meanwhile wait for the same run. */
  run(id: string, by: 'schedule' | 'person'): Promise<void> {
    const underWay = this.#running.get(id);
    if (underWay) return underWay;
    const running = this.#run(id, by).finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  async #run(id: string, by: 'schedule' | 'person'): Promise<void> {
    const row = await this.#of.store.byId(id);
    const place = row && (row.pull ?? row.sftp ?? row.mailbox);
    if (!row || !place) return;
    const at = Date.now();
    const everyMs = place.everyMinutes * MINUTE_MS;
    try {
      this.#take(row.workgroup);
      const brought = await limited(this.#read(row), hostOf(place.address));
      const pause = brought.isMore ? Math.min(MINUTE_MS, everyMs) : everyMs;
      await this.ended(row, { at, by, brought, nextAt: new Date(at + pause) });
    } catch (error) {
      await this.#failed(row, { at, by, error, everyMs });
    }
  }

  /** Keeps the outcome of a run that reached its source. */
  async ended(
    row: ExternalSourceRow,
    { at, by, brought, nextAt }: { at: number; by: ExternalRun['by']; brought: Brought; nextAt: Date | null },
  ): Promise<void> {
    const { written, files, note } = brought;
    const bad = files.filter(({ error }) => error !== null);
    const trouble = bad[0] ? `${bad[0].name}: ${bad[0].error}` : troubleOf(written);
    const lastError = trouble === null ? null : storableText(trouble.slice(0, 300));
    // Files that are read later or were left out are no failure.
    const error = storableText([trouble, note].filter(Boolean).join(' ').slice(0, 300)) || null;
    const newest = Math.max(written.newestAt, row.newestAt?.getTime() ?? 0);
    await this.#of.store.ended(
      row,
      {
        at,
        tookMs: Date.now() - at,
        by,
        ...countsOf(written),
        error,
        isFailed: files.length > 0 && bad.length === files.length,
        files: files.map((file) => ({
          ...file,
          name: storableText(file.name),
          error: file.error === null ? null : storableText(file.error),
        })),
        faults: written.faults,
      },
      {
        lastOkAt: new Date(at),
        lastError,
        lastEvents: written.stored,
        failures: 0,
        nextAt,
        ...(newest > 0 ? { newestAt: new Date(Math.min(newest, Date.now())) } : {}),
      },
    );
    this.#of.tell(row.workgroup);
  }

  async #failed(
    row: ExternalSourceRow,
    {
      at,
      by,
      error: thrown,
      everyMs,
    }: { at: number; by: ExternalRun['by']; error: unknown; everyMs: number },
  ): Promise<void> {
    const isKnown = isOfSource(thrown) || thrown instanceof AppError;
    const why = isKnown ? whyOf(unreachable(thrown)) : 'The server failed to read this source.';
    const error = storableText(why);
    // A used-up quota says nothing about this source.
    const isBusy = thrown instanceof AppError && thrown.error === 'external_source.busy';
    const longest = Math.max(everyMs, LONGEST_PAUSE_MS);
    const grown = Math.min(longest, everyMs * 2 ** Math.min(10, row.failures));
    const pause = isBusy ? BUSY_MS : grown;
    await this.#of.store.ended(
      row,
      { at, tookMs: Date.now() - at, by, ...countsOf(NOTHING), error, isFailed: true, files: [], faults: [] },
      {
        ...(isBusy ? {} : { lastError: error, failures: row.failures + 1 }),
        nextAt: new Date(at + pause),
      },
    );
    this.#of.tell(row.workgroup);
    // A person is told at once.
    if (!isKnown || (isBusy && by === 'person')) throw thrown;
  }

  #read(row: ExternalSourceRow): Promise<Brought> {
    if (row.sftp) return this.#readFolder(row);
    return row.mailbox ? this.#readMailbox(row) : this.#readAddress(row);
  }

  async #readAddress(row: ExternalSourceRow): Promise<Brought> {
    const { pull, format, newestAt } = row;
    if (!pull) return { written: NOTHING, files: [], isMore: false, note: null };
    const secret = this.#of.secretOf(row);
    const reading = { pull, secret, format, newestAt: newestAt?.getTime() ?? null };
    const file = await fetchOutside(this.#of.gate, reading);
    let written = NOTHING;
    let surplus = 0;
    const { lists, error } = await this.#parseAll(row, file);
    for (const records of lists) {
      // If there are too many, the newest records count.
      surplus += Math.max(0, records.length - EXTERNAL_RECORDS);
      written = together(written, await this.#of.writer.write(row, records.slice(-EXTERNAL_RECORDS)));
    }
    if (error !== null && lists.length === 0) throw new RefusedFile(error);
    const note =
      surplus > 0
        ? `The first ${surplus} records were left out: ${EXTERNAL_RECORDS} are read at once.`
        : null;
    const files = error === null ? [] : [{ name: file.name, ...countsOf(written), error }];
    return { written, files, isMore: false, note };
  }

  async #readFolder(row: ExternalSourceRow): Promise<Brought> {
    const { store, gate, secretOf } = this.#of;
    const { sftp } = row;
    if (!sftp) throw new OutsideError('this is no address.');
    const open = (cut: AbortSignal) => SftpReader.open(gate, sftp, secretOf(row), cut);
    return inTime({ host: hostOf(sftp.address), open }, async (reader, deadline) => {
      if (sftp.hostKey === null) {
        const keep = () => store.keepHostKey(row.id, row.revision, reader.hostKey);
        // Not while somebody saves the source, who would save it without the key.
        if (await store.alone(row.workgroup, row.id, keep)) this.#of.onHostKey(row, reader.hostKey);
      }
      const seen = await reader.list();
      const filesBefore = await store.files(row.id);
      const newest = row.lookup ? newestOf(filesBefore) : undefined;
      const names = new Set(seen.map(({ name }) => name));
      const gone = [...filesBefore.keys()].filter((name) => !names.has(name) && name !== newest?.name);
      if (gone.length > 0) await store.forgetFiles(row.id, gone);
      // A lookup table takes the newest file only, and never one older than the last it took.
      const meant = row.lookup ? seen.slice(-1).filter((file) => !isOlder(file, newest)) : seen;
      const fresh = meant.filter((file) => !isRead(file, filesBefore.get(file.name)));
      // New files come first, then files of unknown age, then files that failed.
      const order = fresh
        .map((file) => ({
          file,
          tries: this.#triesOf(row, file.name),
          readAt: filesBefore.get(file.name)?.readAt,
        }))
        .toSorted((a, b) => a.tries - b.tries || (a.readAt?.getTime() ?? 0) - (b.readAt?.getTime() ?? 0));
      const batch = order.slice(0, FILES_A_RUN);
      if (batch.length > 0) await this.#settle();
      const isMore = order.slice(FILES_A_RUN).some(({ tries, readAt }) => tries === 0 && !readAt);
      const brought: Brought = { written: NOTHING, files: [], isMore, note: null };
      let growing = 0;
      for (const { file } of batch) {
        if (!(await store.isAsItWas(row))) return brought;
        if (deadline.isOver()) return { ...brought, isMore: true };
        const got = await this.#complete(reader, file);
        if (got === 'growing') growing += 1;
        else await this.#readFile(row, { ...file, ...got }, filesBefore.get(file.name), brought);
      }
      if (growing > 0)
        brought.note = `${growing} of the files are still being written and will be read later.`;
      return brought;
    });
  }

  /** The bytes of a file, unless it has changed since it was listed. */
  async #complete(reader: SftpReader, file: RemoteFile): Promise<{ data: Buffer | RefusedFile } | 'growing'> {
    const isSame = async () => {
      const now = await reader.look(file.name);
      return now !== null && now.bytes === file.bytes && now.at === file.at;
    };
    try {
      if (!(await isSame())) return 'growing';
      demandSize(file.bytes);
      const data = await reader.read(file.name);
      return data.length === file.bytes && (await isSame()) ? { data } : 'growing';
    } catch (error) {
      if (error instanceof RefusedFile) return { data: error };
      throw error;
    }
  }

  async #readMailbox(row: ExternalSourceRow): Promise<Brought> {
    const { store, gate, secretOf } = this.#of;
    if (!row.mailbox) throw new OutsideError('this is no address.');
    const { mailbox } = row;
    const open = (cut: AbortSignal) => MailReader.open(gate, mailbox, secretOf(row), cut);
    return inTime({ host: hostOf(mailbox.address), open }, async (reader, deadline) => {
      const mails = await reader.list(row.cursor);
      const batch = mails.slice(0, MAILS_A_RUN);
      const brought: Brought = {
        written: NOTHING,
        files: [],
        isMore: mails.length > batch.length,
        note: null,
      };
      for (const mail of batch) {
        const isWhole = await this.#readMail(row, { reader, mail, deadline }, brought);
        if (!isWhole) return { ...brought, isMore: true };
        await store.keepCursor(row, { validity: reader.validity, uid: mail.uid });
      }
      await store.forgetOldFiles(row.id);
      return brought;
    });
  }

  /** Reads the files of a mail; false if some were not read. */
  async #readMail(
    row: ExternalSourceRow,
    { reader, mail, deadline }: { reader: MailReader; mail: Mail; deadline: Deadline },
    brought: Brought,
  ): Promise<boolean> {
    const { store } = this.#of;
    if (deadline.isOver() || !(await store.isAsItWas(row))) return false;
    try {
      const { id, files } = await this.#tried(row, `mail ${mail.uid}`, () => reader.read(mail));
      const keyOf = ({ name }: ForeignBytes) => `${id}/${name}`;
      const filesBefore = await store.files(row.id, files.map(keyOf));
      for (const [i, attached] of files.entries()) {
        const mayGoOn = i === 0 || (!deadline.isOver() && (await store.isAsItWas(row)));
        if (!mayGoOn) return false;
        const key = keyOf(attached);
        const { name, bytes: data } = attached;
        const file = { name, key, bytes: data.length, at: mail.at, data };
        await this.#readFile(row, file, filesBefore.get(key), brought);
      }
    } catch (error) {
      if (!(error instanceof RefusedFile)) throw error;
      const name = `mail of ${new Date(mail.at).toISOString().slice(0, 16).replace('T', ' ')}`;
      tellFile(brought, { name, ...countsOf(NOTHING), error: error.message });
    }
    return true;
  }

  /** Reads a file and adds the outcome to the run, unless its content is the same as before. */
  async #readFile(
    row: ExternalSourceRow,
    file: RemoteFile & { key?: string; data: Buffer | RefusedFile },
    before: KnownFile | undefined,
    brought: Brought,
  ): Promise<void> {
    const { name, key = name, bytes, at, data } = file;
    if (data instanceof UnreadFile) {
      this.#countTry(row, key);
      tellFile(brought, { name, ...countsOf(NOTHING), error: data.message });
      return;
    }
    const digest = data instanceof RefusedFile ? '' : createHash('sha256').update(data).digest('hex');
    if (digest === '' || before?.digest !== digest) {
      const reading = () => this.#outcome(row, name, data);
      const { written, error } = await this.#tried(row, key, reading).catch((failed: unknown) => {
        if (!(failed instanceof RefusedFile)) throw failed;
        return { written: NOTHING, error: failed.message };
      });
      brought.written = together(brought.written, written);
      tellFile(brought, { name, ...countsOf(written), error });
    }
    this.#tries.delete(`${row.id} ${key}`);
    await this.#of.store.keepFile(row.id, row.revision, { name: key, bytes, at, digest });
  }

  #triesOf({ id }: ExternalSourceRow, key: string): number {
    return this.#tries.get(`${id} ${key}`) ?? 0;
  }

  #countTry(row: ExternalSourceRow, key: string): number {
    const tries = this.#triesOf(row, key) + 1;
    if (this.#tries.size > TRIES_KEPT) this.#tries.clear();
    this.#tries.set(`${row.id} ${key}`, tries);
    return tries;
  }

  /** A task that fails because of us is tried again in the next runs, and then skipped. Throws `RefusedFile`. */
  async #tried<T>(row: ExternalSourceRow, key: string, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (isOfSource(error) || error instanceof AppError) throw error;
      if (this.#countTry(row, key) < TRIES) throw error;
      this.#tries.delete(`${row.id} ${key}`);
      throw new RefusedFile('The server failed to read it.', { cause: error });
    }
  }

  async #outcome(
    row: ExternalSourceRow,
    name: string,
    data: Buffer | RefusedFile,
  ): Promise<{ written: Written; error: string | null }> {
    let written = NOTHING;
    try {
      if (data instanceof RefusedFile) throw data;
      const { lists, error } = await this.#parseAll(row, { name, bytes: data });
      for (const records of lists) written = together(written, await this.#of.writer.write(row, records));
      return { written, error };
    } catch (error) {
      if (isOfSource(error)) return { written, error: (error as Error).message };
      throw error;
    }
  }

  /**
   * The records of each file in an archive. One that cannot be read is reported and the others are read, but a lookup table
   * takes all of them or none. Throws `UnreadableRecords`, `RefusedFile`.
   */
  async #parseAll(
    row: ExternalSourceRow,
    file: ForeignBytes,
  ): Promise<{ lists: HistoryRecord[][]; error: string | null }> {
    const parts = await unpack(file);
    const lists: HistoryRecord[][] = [];
    let error: string | null = null;
    for (const part of parts) {
      try {
        lists.push((await this.#parse(row, part)).records);
      } catch (failed) {
        if (!isOfSource(failed) || row.lookup || parts.length === 1) throw failed;
        error ??= `${part.name.slice(file.name.length + 1)}: ${(failed as Error).message}`;
      }
    }
    return { lists: row.lookup && lists.length > 1 ? [lists.flat()] : lists, error };
  }

  #parse(
    of: Pick<ExternalSourceRow, 'format' | 'recordsPath' | 'mapping' | 'lookup'>,
    { bytes }: ForeignBytes,
  ): Promise<ForeignFile> {
    const { format, recordsPath: path } = of;
    return readForeignFile(bytes, { format, path, most: FILE_RECORDS, named: columnsNamed(of) });
  }

  #settle(): Promise<void> {
    return sleep(this.#of.settleMs ?? SETTLE_MS);
  }

  /** Throws `external_source.busy`. */
  #take(workgroup: string): void {
    if (!this.#of.quota.take(workgroup))
      throw new AppError('external_source.busy', { count: OUTBOUND_AN_HOUR });
  }

  /** What a source would bring; nothing is stored. Throws `external_source.unreachable`, `external_source.busy`. */
  async look(
    workgroup: string,
    wanted: Omit<NewExternalSource, 'name' | 'isEnabled' | 'device'>,
    { secret, saved }: { secret: string | null; saved: ExternalSourceRow | null },
  ): Promise<ExternalPreview> {
    this.#take(workgroup);
    try {
      if (wanted.sftp) return await this.#lookAtFolder(workgroup, wanted, { secret, saved });
      if (wanted.mailbox) return await this.#lookAtMailbox(workgroup, wanted, secret);
      if (!wanted.pull) return emptyPreview();
      const { pull, format } = wanted;
      const file = await fetchOutside(this.#of.gate, { pull, secret, format, newestAt: null });
      return await this.#lookAtFile(workgroup, wanted, file);
    } catch (error) {
      if (isOfSource(error)) throw unreachable(error);
      throw error;
    }
  }

  async #lookAtFolder(
    workgroup: string,
    wanted: Parameters<SourceRunner['look']>[1],
    { secret, saved }: { secret: string | null; saved: ExternalSourceRow | null },
  ): Promise<ExternalPreview> {
    if (!wanted.sftp) return emptyPreview();
    const { sftp } = wanted;
    const open = (cut: AbortSignal) => SftpReader.open(this.#of.gate, sftp, secret, cut);
    return inTime({ host: hostOf(sftp.address), open }, async (reader) => {
      const { hostKey } = reader;
      const filesBefore = saved ? await this.#of.store.files(saved.id) : new Map<string, KnownFile>();
      const seen = (await reader.list()).toReversed().slice(0, FILES_SHOWN);
      if (seen.length > 0) await this.#settle();
      const files: ExternalPreview['files'] = seen.map((file) => ({
        ...file,
        state: isRead(file, filesBefore.get(file.name)) ? 'read' : 'new',
      }));
      for (const [i, file] of seen.entries()) {
        const got = await this.#complete(reader, file);
        if (got === 'growing') {
          files[i] = { ...file, state: 'growing' };
          continue;
        }
        if (got.data instanceof RefusedFile) throw named(file.name, got.data);
        const looked = await this.#lookAtFile(workgroup, wanted, { name: file.name, bytes: got.data });
        return { ...looked, files, hostKey };
      }
      return emptyPreview({ files, hostKey });
    });
  }

  async #lookAtMailbox(
    workgroup: string,
    wanted: Parameters<SourceRunner['look']>[1],
    secret: string | null,
  ): Promise<ExternalPreview> {
    if (!wanted.mailbox) return emptyPreview();
    const { mailbox } = wanted;
    const open = (cut: AbortSignal) => MailReader.open(this.#of.gate, mailbox, secret, cut);
    return inTime({ host: hostOf(mailbox.address), open }, async (reader) => {
      const mails = (await reader.list(null)).toReversed().slice(0, MAILS_LOOKED);
      const files: ExternalPreview['files'] = [];
      let first: ForeignBytes | null = null;
      for (const mail of mails) {
        for (const file of (await reader.read(mail)).files) {
          files.push({ name: file.name, bytes: file.bytes.length, at: mail.at, state: 'new' });
          first ??= file;
        }
      }
      return first ? { ...(await this.#lookAtFile(workgroup, wanted, first)), files } : emptyPreview();
    });
  }

  /** Of an archive, only the first file is shown. */
  async #lookAtFile(
    workgroup: string,
    wanted: Parameters<SourceRunner['look']>[1],
    file: ForeignBytes,
  ): Promise<ExternalPreview> {
    try {
      const [part] = await unpack(file);
      if (!part) throw new RefusedFile('There is nothing in it.');
      const table = wanted.lookup ? await this.#of.lookups.find(workgroup, wanted.lookup.table) : undefined;
      return { ...previewFile(wanted, await this.#parse(wanted, part), table), file: part.name || null };
    } catch (error) {
      throw isOfSource(error) && file.name !== '' ? named(file.name, error as Error) : error;
    }
  }
}

/** The columns that a source uses; the first has a value in every record. */
function columnsNamed({ mapping, lookup }: Pick<ExternalSourceRow, 'mapping' | 'lookup'>): string[] {
  if (lookup) return [lookup.valueColumn, ...lookup.texts.map(({ column }) => column)];
  return mapping ? [mapping.timeColumn, ...mapping.fields.map(({ column }) => column)] : [];
}

const named = (name: string, error: Error): RefusedFile =>
  new RefusedFile(`${name}: ${error.message}`, { cause: error });

/** Whether the source is to blame, not us. */
const isOfSource = (error: unknown): boolean =>
  error instanceof OutsideError || error instanceof UnreadableRecords || error instanceof RefusedFile;

/** A file of unknown age may have changed without changing its size. */
const isRead = (file: RemoteFile, before: KnownFile | undefined): boolean =>
  before !== undefined && before.bytes === file.bytes && file.at !== null && before.at === file.at;

const newestOf = (files: ReadonlyMap<string, KnownFile>): KnownFile | undefined =>
  [...files.values()].toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0)).at(-1);

const isOlder = ({ name, at }: RemoteFile, newest: KnownFile | undefined): boolean =>
  newest !== undefined && name !== newest.name && at !== null && newest.at !== null && at < newest.at;

function tellFile({ files }: Brought, file: FileOutcome): void {
  if (files.length < FILES_TOLD) files.push(file);
}

const countsOf = ({ records, good, stored }: Written) => ({ records, stored, refused: records - good });

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);

/** The reason alone, as a sentence: that a source was not read is plain where it shows. */
function whyOf({ message, error, facts }: AppError): string {
  const why = error === 'external_source.unreachable' ? String(facts.why) : message;
  return why.charAt(0).toUpperCase() + why.slice(1);
}
