import type { Postgres, Transaction } from '@albedo/postgres/postgres';
import type { JobWithMetadata, PgBoss, Queue } from 'pg-boss';
import type { Logger } from 'pino';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import { Hopeless, type Job, Overtaken, Stopping } from './job.ts';
import { bossOn, DEAD, DEAD_QUEUE, isAlone, queueOf } from './jobs.queue.ts';
import { JobsStore, inside as on } from './jobs.store.ts';
import { deadJobsChanged, type JobOutcome, jobRan, jobSent } from './jobs.topics.ts';

/** A stop waits this long for runs that do not heed their signal, ms. */
const STOP_MS = 3000;
/** A retry, or a job that another process sent, is found this much later at most, s. */
const POLL_S = 5;

type Fetched = JobWithMetadata<object>;

export interface JobsOptions {
  postgres: Postgres;
  bus: Bus;
  log: Logger;
  /** This process runs jobs, and does not only send them. */
  works: boolean;
}

/** A job whose last attempt failed. */
export interface DeadLetter {
  id: string;
  job: string;
  about: string | null;
  attempts: number;
  error: string;
  sentAt: Date;
  diedAt: Date;
}

/** Sends jobs, and runs them where the process has the role. `Job` says what a job is. */
export class Jobs {
  readonly #options: JobsOptions;
  readonly #boss: PgBoss;
  readonly #store: JobsStore;
  readonly #jobs = new Map<string, Job<never>>();
  readonly #queues = new Map<string, Promise<void>>();
  readonly #workers = new Map<string, string[]>();
  readonly #stopping = new AbortController();
  #known = new Map<string, Queue>();

  constructor(options: JobsOptions) {
    this.#options = options;
    this.#boss = bossOn(options.postgres, options);
    this.#store = new JobsStore(options.postgres);
    this.#boss.on('error', (err) => options.log.error({ err }, 'jobs have a fault'));
    this.#boss.on('warning', ({ message, data }) => options.log.warn({ ...data }, `jobs: ${message}`));
  }

  /** Makes the tables where they are missing. From here on jobs can be sent. */
  async open(): Promise<void> {
    await this.#boss.start();
    this.#known = new Map((await this.#boss.getQueues()).map((queue) => [queue.name, queue]));
    await this.#keepQueue(DEAD, DEAD_QUEUE);
  }

  /** Every process adds every job, also those that it only sends. */
  add<Payload extends object>(job: Job<Payload>): void {
    if (this.#jobs.has(job.name)) throw new Error(`There are two jobs called ${job.name}.`);
    this.#jobs.set(job.name, job as unknown as Job<never>);
  }

  /** Begins to run jobs, when all have been added. */
  async work(): Promise<void> {
    if (!this.#options.works) return;
    for (const job of this.#jobs.values()) await this.#queue(job);
    await this.#keepSchedules();
    if (isAlone(this.#options.postgres)) await this.#bury();
    for (const job of this.#jobs.values()) await this.#employ(job);
    this.#options.bus.subscribe(jobSent, ({ job }) => this.look(job));
  }

  /** No new runs; those under way are aborted, and run again later. What is stopped already stays so. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Stopping());
    await this.#boss.stop({ graceful: true, timeout: STOP_MS, close: false });
  }

  /**
   * Sends a job. Answers its id, or null where it is sent already: one with that `id`, or with `waiting: 'one'` another
   * of its key. Sent inside a transaction it runs only when that commits; call `wake` after it.
   */
  async send<Payload extends object>(
    job: Job<Payload>,
    payload: NoInfer<Payload>,
    { id, after, inside }: { id?: string; after?: Date; inside?: Transaction } = {},
  ): Promise<string | null> {
    await this.#queue(job as unknown as Job<never>);
    const data = job.payload.parse(payload);
    const sent = await this.#boss.send(job.name, data, {
      ...(id === undefined ? {} : { id }),
      ...(after ? { startAfter: after } : {}),
      ...keysOf(job, data),
      ...(job.turns ? await this.#turn(job.name, job.turns.of(data), inside) : {}),
      ...(inside ? { db: on(inside) } : {}),
    });
    if (!inside) this.wake(job);
    return sent;
  }

  /** The later the turn, the lower the priority. */
  async #turn(name: string, of: string, inside?: Transaction) {
    return { group: { id: of }, priority: -(await this.#store.turnOf(name, of, inside)) };
  }

  /** Has the job looked for at once, here and in other processes. */
  wake({ name }: { name: string }): void {
    void this.#options.bus.publish(jobSent, { job: name });
  }

  /** Looks for jobs of that name at once. */
  look(name: string): void {
    for (const worker of this.#workers.get(name) ?? []) this.#boss.notifyWorker(worker);
  }

  counts(): ReturnType<JobsStore['counts']> {
    return this.#store.counts();
  }

  /** Resolves when nothing of that name waits for its first attempt or runs. */
  async idle({ name }: { name: string }): Promise<void> {
    const isBusy = ({ state, retryCount }: Fetched) =>
      state === 'active' || (state === 'created' && retryCount === 0);
    while ((await this.#boss.findJobs<object>(name)).some(isBusy)) {
      this.look(name);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Newest first. */
  async dead(): Promise<DeadLetter[]> {
    return this.#letters(await this.#boss.findJobs<object>(DEAD));
  }

  /** Failed jobs that are about this workgroup, newest first. */
  async deadOf(workgroup: string): Promise<DeadLetter[]> {
    return this.#letters(await this.#boss.findJobs<object>(DEAD, { data: { workgroup } }));
  }

  #letters(letters: readonly Fetched[]): DeadLetter[] {
    return letters
      .toSorted((a, b) => b.createdOn.getTime() - a.createdOn.getTime())
      .map((letter) => ({
        id: letter.id,
        job: letter.sourceName ?? DEAD,
        about: this.#aboutOf(letter),
        attempts: (letter.sourceRetryCount ?? 0) + 1,
        error: messageOf(letter.sourceOutput),
        sentAt: letter.sourceCreatedOn ?? letter.createdOn,
        diedAt: letter.createdOn,
      }));
  }

  /** Runs a dead job again, under the id it had. Throws `job.not_found`. */
  async tryAgain(id: string): Promise<void> {
    const [letter] = await this.#boss.findJobs(DEAD, { id });
    const moved = letter ? await this.#boss.redrive(DEAD, { ids: [id] }) : 0;
    if (!letter || moved === 0) throw new AppError('job.not_found');
    if (letter.sourceName) this.wake({ name: letter.sourceName });
    this.#tellDead();
  }

  /** Throws `job.not_found`. */
  async forget(id: string): Promise<void> {
    if (affectedBy(await this.#boss.deleteJob(DEAD, id)) === 0) throw new AppError('job.not_found');
    this.#tellDead();
  }

  #aboutOf({ sourceName, data }: Fetched): string | null {
    const job = this.#jobs.get(sourceName ?? '');
    const payload = job?.payload.safeParse(data);
    return payload?.success ? (job?.about?.(payload.data as never) ?? null) : null;
  }

  #queue(job: Job<never>): Promise<void> {
    const known = this.#queues.get(job.name);
    if (known) return known;
    const made = this.#keepQueue(job.name, queueOf(job, this.#options.postgres));
    this.#queues.set(job.name, made);
    // A database that did not answer is asked again.
    made.catch(() => this.#queues.delete(job.name));
    return made;
  }

  /** Asks the database only where something is another than the last process left it. */
  async #keepQueue(name: string, wanted: Omit<Queue, 'name'>): Promise<void> {
    const known = this.#known.get(name);
    if (!known) return this.#boss.createQueue(name, wanted);
    const { policy, ...options } = wanted;
    if (known.policy !== policy) throw new Error(`The job ${name} needs another name: its keys changed.`);
    const isSame = Object.entries(options).every(([key, value]) => known[key as keyof Queue] === value);
    if (!isSame) await this.#boss.updateQueue(name, options);
  }

  async #keepSchedules(): Promise<void> {
    const known = new Map((await this.#boss.getSchedules()).map((one) => [one.name, one]));
    for (const { name, schedule, ...job } of this.#jobs.values()) {
      const old = known.get(name);
      if (schedule) known.delete(name);
      if (!schedule || (old?.cron === schedule.cron && old.timezone === schedule.zone)) continue;
      const { cron, zone: tz, payload } = schedule as { cron: string; zone: string; payload: object };
      await this.#boss.schedule(name, cron, payload, {
        tz,
        missed: 'once',
        ...keysOf(job, payload as never),
      });
    }
    for (const name of known.keys()) await this.#boss.unschedule(name);
  }

  /** Nothing else runs on embedded records, so what is marked as running died with its process. */
  async #bury(): Promise<void> {
    for (const job of this.#jobs.values()) {
      for (const attempt of await this.#store.running(job.name)) {
        const [fetched] = await this.#boss.findJobs<object>(job.name, { id: attempt.id });
        if (fetched) await this.#fail(job, fetched, new Error('The process ended while it ran.'));
      }
    }
  }

  async #employ(job: Job<never>): Promise<void> {
    const workers: string[] = [];
    this.#workers.set(job.name, workers);
    const options = {
      includeMetadata: true as const,
      pollingIntervalSeconds: POLL_S,
      // A key at work is passed over, so that it does not hold up what waits behind it.
      ...(job.oneAtATime ? { groupConcurrency: 1 } : {}),
      ...(job.turns ? { groupConcurrency: job.turns.atOnce } : {}),
    };
    for (let number = 0; number < (job.sideBySide ?? 1); number++) {
      const worker: string = await this.#boss.work<object, void, typeof options>(
        job.name,
        options,
        async ([fetched]: Fetched[]) => {
          if (fetched) await this.#attempt(job, fetched);
          // The next one may wait already, of which nobody wakes it again.
          if (!this.#stopping.signal.aborted) this.#boss.notifyWorker(worker);
        },
      );
      workers.push(worker);
    }
  }

  async #attempt(job: Job<never>, fetched: Fetched): Promise<void> {
    const startedAt = performance.now();
    let outcome: JobOutcome = 'done';
    try {
      await this.#run(job, fetched);
    } catch (error) {
      outcome = await this.#settle(job, fetched, error as Error);
    }
    const tookS = (performance.now() - startedAt) / 1000;
    void this.#options.bus.publish(jobRan, { job: job.name, outcome, tookS });
  }

  async #run(job: Job<never>, fetched: Fetched): Promise<void> {
    const parsed = job.payload.safeParse(fetched.data);
    if (!parsed.success) throw new Hopeless(`What it was sent with cannot be read: ${parsed.error.message}`);
    const isOver = AbortSignal.timeout(job.limitS * 1000);
    const signal = AbortSignal.any([fetched.signal, this.#stopping.signal, isOver]);
    signal.throwIfAborted();
    const running = job.run({
      id: idOf(fetched),
      attempt: fetched.retryCount + 1,
      payload: parsed.data as never,
      sentAt: fetched.sourceCreatedOn ?? fetched.createdOn,
      signal,
      finish: (effect) =>
        this.#options.postgres.db.transaction(async (transaction) => {
          await effect(transaction);
          // Fenced to this attempt: where another one has begun, the effect is rolled back.
          const done = await this.#boss.complete(job.name, fetched, null, { db: on(transaction) });
          if (affectedBy(done) === 0) throw new Overtaken();
        }),
    });
    await Promise.race([running, overtime(isOver, job.limitS)]);
  }

  async #settle(job: Job<never>, fetched: Fetched, error: Error): Promise<JobOutcome> {
    const { log } = this.#options;
    const facts = { job: job.name, id: idOf(fetched), attempt: fetched.retryCount + 1 };
    if (error instanceof Overtaken) {
      log.warn(facts, 'a job was taken for dead and run again');
      return 'overtaken';
    }
    if (this.#stopping.signal.aborted) {
      await this.#store.putBack(job.name, fetched);
      return 'put back';
    }
    const isDead = await this.#fail(job, fetched, error);
    const reason = error.message;
    if (isDead) log.error({ ...facts, reason }, 'a job failed for good');
    else log.warn({ ...facts, reason }, 'a job failed and is tried again');
    return isDead ? 'dead' : 'failed';
  }

  /** Answers whether that was the last attempt. */
  async #fail(job: Job<never>, fetched: Fetched, error: Error): Promise<boolean> {
    const isDead = error instanceof Hopeless || fetched.retryCount >= fetched.retryLimit;
    await this.#options.postgres.db.transaction(async (transaction) => {
      if (error instanceof Hopeless) await this.#store.forbidRetry(fetched, transaction);
      await this.#boss.fail(job.name, fetched, { message: error.message }, { db: on(transaction) });
      if (isDead) await this.#mourn(job, fetched, error, transaction);
    });
    if (isDead) this.#tellDead();
    return isDead;
  }

  async #mourn(job: Job<never>, fetched: Fetched, error: Error, transaction: Transaction): Promise<void> {
    const parsed = job.payload.safeParse(fetched.data);
    if (parsed.success)
      await job.onDead?.({ id: idOf(fetched), payload: parsed.data as never }, error, transaction);
  }

  #tellDead(): void {
    void this.#options.bus.publish(deadJobsChanged, {});
  }
}

/** The id of the first of all attempts, also after it died and was sent again. */
const idOf = ({ id, sourceRootId }: Fetched): string => sourceRootId ?? id;

/** pg-boss answers more than its types say. */
const affectedBy = (response: object): number => (response as { affected: number }).affected;

/** The key twice: as what the database holds to, and as what a worker passes over. */
function keysOf<Payload extends object>({ oneAtATime }: Pick<Job<Payload>, 'oneAtATime'>, payload: Payload) {
  if (!oneAtATime) return {};
  const key = oneAtATime.key(payload);
  return { singletonKey: key, group: { id: key } };
}

const overtime = (isOver: AbortSignal, limitS: number): Promise<never> =>
  new Promise((_resolve, reject) => {
    isOver.addEventListener('abort', () => reject(new Error(`It took longer than ${limitS} s.`)), {
      once: true,
    });
  });

function messageOf(output: object | null): string {
  const message = (output as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : JSON.stringify(output ?? 'no reason');
}
