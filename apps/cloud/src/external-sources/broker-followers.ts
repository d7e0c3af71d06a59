import { randomUUID } from 'node:crypto';
import { OWN_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import type { Logger } from 'pino';
import type { Seal } from '../secrets/sealed.ts';
import type { TellList } from '../sockets/lists.ts';
import { BrokerFollower, type FollowerOptions, type SubscribedSource } from './broker-follower.ts';
import type { ExternalSourceRow, ExternalSourcesStore } from './external-sources.store.ts';
import type { HeardWriter } from './heard-writer.ts';

export interface BrokerFollowersOptions {
  store: Pick<ExternalSourcesStore, 'lease' | 'release' | 'releaseAll' | 'noteConnection' | 'keepArrivals'>;
  gate: FollowerOptions['gate'];
  writer: HeardWriter;
  secretOf: (row: ExternalSourceRow) => ReturnType<Seal['open']> | null;
  tell: TellList;
  log: Logger;
  /** No other process can have the database, so whoever holds a lease has ended. */
  isAlone: boolean;
}

/** A process that did not renew its lease for so long has ended, and another one takes the source. */
const LEASE_S = 30;
const LOOK_MS = 10_000;
/** What changes all the time is written and told this often, ms. */
const NOTE_MS = 3000;

/**
 * The brokers that this process follows, of several processes that share them: each source has a lease in PostgreSQL, so
 * that one process at a time subscribes. A broker allows a client once, too, so two would only push each other out.
 */
export class BrokerFollowers {
  readonly #of: BrokerFollowersOptions;
  readonly #process = randomUUID();
  readonly #followers = new Map<string, { follower: BrokerFollower; workgroup: string }>();
  readonly #changed = new Set<string>();
  #leasedUntil = 0;
  #look: NodeJS.Timeout | null = null;
  #note: NodeJS.Timeout | null = null;
  #turn: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(of: BrokerFollowersOptions) {
    this.#of = of;
  }

  async start(): Promise<void> {
    if (this.#of.isAlone) await this.#of.store.releaseAll();
    void this.hurry();
    this.#look = setInterval(() => this.hurry(), LOOK_MS);
  }

  /** Looks which sources there are now. */
  hurry(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#see()).catch((err) => this.#fail(err));
    return this.#turn;
  }

  /** Stores what was read, and leaves the brokers to the other processes. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#look) clearInterval(this.#look);
    if (this.#note) clearTimeout(this.#note);
    await this.#turn;
    const all = [...this.#followers.values()];
    for (const { follower } of all) follower.hold();
    await this.#of.writer.stop();
    await Promise.all(all.map(({ follower }) => follower.leave()));
    await this.#save();
    await this.#of.store.release(this.#process);
  }

  async #see(): Promise<void> {
    if (this.#isStopping) return;
    const since = performance.now();
    const rows = (await this.#of.store.lease(this.#process, LEASE_S)).filter(isSubscribed);
    this.#leasedUntil = since + LEASE_S * 1000;
    const wanted = new Map(rows.map((row) => [row.id, row]));
    for (const [id, { follower }] of this.#followers) {
      const row = wanted.get(id);
      if (row?.revision === follower.revision) continue;
      this.#followers.delete(id);
      this.#changed.delete(id);
      const kept: readonly string[] = row?.subscription.topics ?? [];
      await follower.leave(follower.topics.filter((topic) => !kept.includes(topic)));
    }
    for (const row of rows) if (!this.#followers.has(row.id)) this.#follow(row);
  }

  #follow(source: SubscribedSource): void {
    const { store, gate, writer, secretOf } = this.#of;
    const follower = new BrokerFollower({
      source,
      gate,
      writer,
      keepArrivals: (kept) => store.keepArrivals(source.id, kept),
      password: secretOf(source),
      onChange: (isUrgent) => this.#changes(source.id, isUrgent),
    });
    this.#followers.set(source.id, { follower, workgroup: source.workgroup });
    follower.start();
  }

  /** The database does not answer: another process may have the sources by then. */
  #fail(err: unknown): void {
    this.#of.log.warn({ err }, 'the brokers of external sources could not be looked through');
    if (performance.now() < this.#leasedUntil) return;
    for (const [id, { follower }] of this.#followers) {
      this.#followers.delete(id);
      void follower.leave();
    }
  }

  #changes(id: string, isUrgent: boolean): void {
    this.#changed.add(id);
    if (this.#isStopping || (this.#note && !isUrgent)) return;
    if (this.#note) clearTimeout(this.#note);
    this.#note = setTimeout(
      () => {
        this.#note = null;
        this.#turn = this.#turn.then(() => this.#save()).catch((err) => this.#fail(err));
      },
      isUrgent ? 0 : NOTE_MS,
    );
  }

  async #save(): Promise<void> {
    const ids = [...this.#changed];
    this.#changed.clear();
    const told = new Set<string>();
    for (const id of ids) {
      const known = this.#followers.get(id);
      if (!known) continue;
      await this.#of.store.noteConnection(id, known.follower.news);
      told.add(known.workgroup);
    }
    for (const workgroup of told) this.#of.tell('external-sources', workgroup);
  }
}

/** A source that an earlier release let into a table of the cloud is not followed. */
const isSubscribed = (row: ExternalSourceRow): row is SubscribedSource =>
  row.subscription !== null &&
  row.device !== null &&
  row.mapping !== null &&
  !OWN_TABLES.has(row.mapping.table);
