import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requestMessage } from '@albedo/contract/link/link.messages';
import { Asks } from './asks/asks.ts';
import { demandAllowed, deviceAskHandlers, refusalOf } from './asks/device-asks.ts';
import type { Upgradable } from './asks/upgrade.asks.ts';
import { Captures } from './captures/captures.ts';
import { type Resumed, resumeChange } from './changes/at-once.ts';
import { WayBack, type WayBackOptions } from './changes/way-back.ts';
import { ClockWatch } from './clock.ts';
import { type CommandRequest, Commands } from './commands/commands.ts';
import {
  type AgentConfig,
  ConfigError,
  type ConfigFault,
  parseConfig,
  readConfigText,
} from './config/config.read.ts';
import { ConfigWatch } from './config/config.watch.ts';
import { goodFile, keepGood } from './config/last-good.ts';
import { Feeds } from './feeds/feeds.ts';
import { Connection } from './link/connection.ts';
import { IdentityFiles } from './link/identity-files.ts';
import { buildMeta } from './link/meta.ts';
import { MetaReport } from './link/meta-report.ts';
import { Sender } from './link/sender.ts';
import { statusOf } from './link/status.ts';
import { Lives } from './lives.ts';
import { type Log, messageOf } from './log.ts';
import type { AgentVitals } from './machine/machine.capture.ts';
import { Faults } from './outbox/faults.ts';
import { Outbox } from './outbox/outbox.ts';
import type { Sink } from './outbox/sink.ts';
import type { PhotoShelf } from './photos/photo-shelf.ts';
import { openPhotos } from './photos/photos.ts';
import type { Root } from './root.ts';
import { controlFolder } from './schedules/control-place.ts';
import { ScheduleKeeper } from './schedules/schedule-keeper.ts';
import { Services } from './services/services.ts';
import { TaskLauncher } from './tasks/task-launcher.ts';
import { TaskLog } from './tasks/task-log.ts';
import { VERSION } from './version.ts';

const STATUS_MS = 10_000;
const TICK_MS = 1000;
/** With more than this unsent, samples of a live feed are left out rather than queued, bytes. */
const FEED_BACKLOG = 256 * 1024;
const DAY_MS = 86_400_000;
const MB = 1024 * 1024;
const COPIED =
  'another state of this outbox has sent events already: the disk was copied, or restored from an older state; what is captured here goes on under numbers of its own';
const RENUMBERED =
  'the numbers of waiting events belong to other events of this device: the state folder was restored or deleted, or two machines use its identity; they got new ones';

/** An agent inside another program is not replaced. */
const FIXED = {
  program: null,
  launch: { byService: false, command: [], pidFile: '' },
  restart: () => {},
};

/** The whole agent below one root: captures, outbox, link and commands, in the order in which they start. */
export class Agent {
  readonly #root: Root;
  readonly #log: Log;
  readonly #outbox: Outbox;
  readonly #photos: PhotoShelf;
  readonly #faults: Faults;
  readonly #sender: Sender;
  readonly #meta: MetaReport;
  readonly #feeds: Feeds;
  readonly #commands: Commands;
  readonly #asks: Asks;
  readonly #services: Services;
  readonly #schedules: ScheduleKeeper;
  readonly #clock: ClockWatch;
  readonly #lives: Lives;
  readonly #watch: ConfigWatch;
  readonly #sink: Sink;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #taskLog = new TaskLog();
  /** What this start has finished, since the last one was cut off. */
  readonly #resumed: Resumed;
  #config: AgentConfig;
  #configFaults: ConfigFault[];
  #captures: Captures | null = null;
  #connection: Connection | null = null;
  /** Of the configuration on the disk, be it good or not. */
  #configHash = '';
  /** Why that one is not in force. */
  #fallbackError: string | null = null;
  /** What this start has put back. */
  #backAtStart: Parameters<WayBackOptions['onBack']> | null = null;
  #ticks = 0;
  #statusTicks = 0;

  readonly #wayBack: WayBack;

  /** Throws ConfigError when there is neither a good configuration nor an earlier one that was. */
  constructor(
    root: Root,
    log: Log,
    upgradable: Omit<Upgradable, 'trust' | 'version'> = FIXED,
    trial: { goBackMs?: number; settleMs?: number } = {},
  ) {
    this.#root = root;
    this.#log = log;
    this.#resumed = resumeChange(root);
    this.#wayBack = new WayBack({
      ...{ root, log, ...trial },
      trouble: () => this.#connection?.trouble ?? null,
      onBack: (told, of) => this.#wentBack(told, of),
    });
    this.#wayBack.resume();
    const { config, faults } = this.#firstConfig();
    this.#config = config;
    this.#configFaults = faults;
    this.#outbox = new Outbox({ directory: root.stateDirectory, log, ...limitsOf(config) });
    this.#feeds = new Feeds((message) => this.#sendFeed(JSON.stringify(message)));
    this.#sink = {
      append: (unit) => {
        this.#feeds.offer(unit.captures);
        this.#outbox.append(unit);
      },
      hasRoom: (kind) => this.#outbox.hasRoom(kind),
      position: (key) => this.#outbox.position(key),
      positionKeys: () => this.#outbox.positionKeys(),
    };
    this.#faults = new Faults(this.#sink, log);
    this.#photos = openPhotos({
      root,
      limitBytes: config.photos.limit_mb * MB,
      log,
      sink: this.#sink,
      faults: this.#faults,
      tell: () => this.#sendStatus(),
    });
    this.#meta = new MetaReport({
      build: () => buildMeta(this.#config, this.#captures?.scenarios() ?? []),
      publish: (message) => this.#connection?.publish('meta', message) ?? false,
      report: (message) => this.#report('meta', message),
    });
    this.#sender = new Sender({
      outbox: this.#outbox,
      publish: (payload) => this.#connection?.publish('batch', payload) ?? false,
      log,
      onRenumbered: (isCopy) => {
        this.#report('outbox', isCopy ? COPIED : RENUMBERED);
        this.#sendStatus();
      },
      onNewListener: () => {
        this.#meta.sendMissed();
      },
    });
    this.#commands = new Commands(
      (reply) => this.#connection?.publish('reply', JSON.stringify(reply)),
      root.at('/var/cache/albedo/outputs'),
    );
    this.#services = new Services(root, log, this.#wayBack);
    this.#schedules = new ScheduleKeeper({
      stateFolder: join(root.stateDirectory, 'schedules'),
      schedules: () => join(controlFolder(root), 'schedules'),
      log,
      tell: (message) => this.#report('schedules', message),
    });
    this.#asks = new Asks({
      handlers: deviceAskHandlers(
        root,
        {
          ...upgradable,
          version: VERSION,
          trust: () => ({
            caFile: root.at(this.#config.mqtt.cacertfile),
            certFile: root.at(this.#config.mqtt.certfile),
          }),
        },
        () => this.#config.remote,
        this.#services,
        this.#taskLog,
        this.#photos,
        {
          files: () => this.#identity,
          current: () => this.#connection?.identity ?? null,
          waiting: () => this.#outbox.facts.events + this.#photos.facts.count,
          reconnect: () => void this.#reconnect(),
        },
        this.#wayBack,
        this.#schedules,
      ),
      demand: (kind) => demandAllowed(this.#config.remote, kind),
      publish: (frame) => this.#connection?.publish('answer', frame) ?? false,
      backlogBytes: () => this.#connection?.backlogBytes ?? 0,
      log,
    });
    this.#lives = new Lives(root.stateDirectory, log);
    this.#clock = new ClockWatch((message) => this.#report('clock', message));
    this.#watch = new ConfigWatch(root.configFile, () => void this.#reread());
    this.#outbox.onDamaged = (reason) => {
      this.#sender.reset();
      this.#report('outbox', reason);
    };
    this.#outbox.onReplaced = (reason) => {
      this.#sender.reset();
      this.#report('outbox', reason);
      if (this.#captures) this.#startCaptures();
    };
  }

  start(): void {
    this.#outbox.start();
    this.#lives.begin();
    this.#schedules.start();
    this.#sender.start();
    this.#faults.start();
    this.#photos.start();
    this.#clock.start(this.#outbox.facts.previousWallAt);
    this.#reportConfig();
    if (this.#resumed.trouble !== null) this.#report('restore', this.#resumed.trouble);
    this.#startCaptures();
    this.#connect();
    this.#wayBack.start();
    this.#watch.start();
    this.#asks.start();
    this.#services.start(this.#resumed.paths);
    if (this.#backAtStart) this.#tellBack(...this.#backAtStart);
    this.#timers.push(setInterval(() => this.#ticks++, TICK_MS));
    this.#timers.push(setInterval(() => this.#sendStatus(), STATUS_MS));
    this.#log.info(`albedo agent ${VERSION} runs below ${this.#root.prefix}`);
  }

  /** Ends everything; what was captured is on disk when it resolves. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#meta.stop();
    this.#wayBack.stop();
    this.#schedules.stop();
    this.#watch.stop();
    this.#clock.stop();
    this.#captures?.stop();
    this.#commands.stop();
    this.#asks.stop();
    this.#faults.stop();
    this.#outbox.flush();
    this.#sendStatus();
    await Promise.all([this.#connection?.stop(), this.#services.stop()]);
    this.#sender.stop();
    this.#outbox.stop();
    this.#lives.end();
  }

  #firstConfig(): { config: AgentConfig; faults: ConfigFault[] } {
    const { configFile } = this.#root;
    try {
      const text = this.#readText();
      const read = parseConfig(text, configFile);
      keepGood(this.#root, text, this.#log);
      return read;
    } catch (error) {
      if (!(error instanceof ConfigError) || !existsSync(goodFile(this.#root))) throw error;
      this.#fallbackError = error.message;
      this.#log.error(`${error.message}. The agent goes on with the last good configuration.`);
      const file = goodFile(this.#root);
      const read = parseConfig(readConfigText(file), file);
      return { ...read, faults: [{ table: null, source: null, message: error.message }, ...read.faults] };
    }
  }

  #readText(): string {
    const text = readConfigText(this.#root.configFile);
    this.#configHash = createHash('sha256').update(text).digest('hex');
    return text;
  }

  /** Takes up a changed configuration; a bad one is reported and the old one stays. */
  async #reread(): Promise<void> {
    const before = this.#config;
    try {
      const text = this.#readText();
      const { config, faults } = parseConfig(text, this.#root.configFile);
      keepGood(this.#root, text, this.#log);
      this.#config = config;
      this.#configFaults = faults;
      this.#fallbackError = null;
    } catch (error) {
      this.#fallbackError = messageOf(error);
      this.#report('config', `${messageOf(error)}. The configuration before stays in force.`);
      this.#sendStatus();
      return;
    }
    this.#log.info('The configuration has changed and is taken up.');
    this.#reportConfig();
    this.#sendStatus();
    const { limitBytes, limitAgeMs } = limitsOf(this.#config);
    this.#outbox.limit(limitBytes, limitAgeMs);
    this.#photos.limit(this.#config.photos.limit_mb * MB);
    this.#captures?.update(this.#config);
    this.#meta.changed();
    if (JSON.stringify(before.mqtt) === JSON.stringify(this.#config.mqtt)) return;
    await this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    await this.#connection?.stop();
    this.#connect();
  }

  /** The files are as they were. Before the start there is nothing yet that could take them up, nor anybody to tell. */
  #wentBack(...back: Parameters<WayBackOptions['onBack']>): void {
    if (!this.#connection) this.#backAtStart = back;
    else {
      this.#tellBack(...back);
      void this.#reread();
    }
  }

  #tellBack(...[told, { putAside, resume }]: Parameters<WayBackOptions['onBack']>): void {
    this.#report('way back', `${told.kind} ${told.name}: ${told.why}. It was put back as it was before.`);
    for (const plugin of putAside)
      void this.#services.putAside(plugin).catch((error) => this.#log.error(`services: ${messageOf(error)}`));
    for (const plugin of resume)
      void this.#services.resume(plugin).catch((error) => this.#log.error(`services: ${messageOf(error)}`));
    this.#sendStatus();
  }

  get #identity(): IdentityFiles {
    return new IdentityFiles(this.#root, this.#config.mqtt);
  }

  #startCaptures(): void {
    this.#captures?.stop();
    this.#outbox.flush();
    this.#captures = new Captures({
      config: this.#config,
      root: this.#root,
      sink: this.#sink,
      report: (fault) => this.#faults.report(fault),
      photos: this.#photos,
      vitals: () => this.#vitals(),
      taskLog: this.#taskLog,
      launcher: new TaskLauncher(this.#root),
      onChange: () => this.#meta.changed(),
    });
    this.#captures.start();
    this.#meta.changed();
  }

  #connect(): void {
    const link = JSON.stringify(this.#config.mqtt);
    this.#connection = new Connection({
      mqtt: this.#config.mqtt,
      identity: this.#identity,
      log: this.#log,
      onOnline: (device) => {
        if (this.#outbox.belongTo(device)) this.#sender.reset();
        this.#sendStatus();
        this.#meta.send();
        this.#sender.online();
      },
      onHeard: () => this.#wayBack.heard(link),
      onRefused: (message) => {
        this.#report('certificate', message);
        this.#wayBack.tell({ kind: 'certificate', name: this.#config.mqtt.certfile, why: message });
      },
      onOffline: () => {
        this.#feeds.clear();
        this.#asks.offline();
        this.#sender.offline();
      },
      onMessage: (channel, payload) => {
        if (channel === 'ack') this.#sender.acknowledged(payload);
        else if (channel === 'ask') this.#asks.receive(payload);
        else this.#request(payload);
      },
    });
    this.#connection.start();
  }

  #request(payload: Buffer): void {
    let request: ReturnType<typeof requestMessage.parse>;
    try {
      request = requestMessage.parse(JSON.parse(payload.toString()));
    } catch (error) {
      this.#log.error(`link: a request cannot be read: ${messageOf(error)}`);
      return;
    }
    if (request.action === 'feed') {
      this.#feeds.start(request.feedId, request.table, request.source, request.ttlS);
    } else if (request.action === 'feedStop') this.#feeds.stop(request.feedId);
    else if (request.action === 'cmd') this.#runCommand(request);
    else {
      this.#meta.send();
      const { correlationId } = request;
      const none = { stdout: '', stderr: '', returnCode: 0, error: null, killed: false, pid: null };
      this.#connection?.publish('reply', JSON.stringify({ correlationId, complete: true, ...none }));
    }
  }

  #runCommand(request: CommandRequest): void {
    if (this.#config.remote.commands) void this.#commands.run(request);
    else this.#commands.refuse(request.correlationId, refusalOf('commands'));
  }

  #sendFeed(message: string): void {
    const connection = this.#connection;
    if (!connection || connection.backlogBytes > FEED_BACKLOG) return;
    connection.publish('live', message, { qos: 0 });
  }

  #sendStatus(): void {
    const status = statusOf({
      outbox: this.#outbox,
      lives: this.#lives,
      photos: this.#photos.facts,
      configHash: this.#configHash,
      fallbackError: this.#fallbackError,
      wentBack: this.#wayBack.last,
      unreadBytes: this.#captures?.unreadBytes ?? 0,
    });
    if (this.#connection?.publish('status', JSON.stringify(status))) this.#statusTicks++;
  }

  #vitals(): AgentVitals {
    const { events } = this.#outbox.facts;
    const { hostname, port } = this.#config.mqtt;
    return {
      isOnline: this.#connection?.isOnline ?? false,
      canKeep: this.#outbox.failure === null,
      captured: this.#outbox.counters().reduce((sum, [, , captured]) => sum + captured, 0),
      pending: events,
      coreTicks: this.#ticks,
      statusTicks: this.#statusTicks,
      brokerHost: hostname,
      brokerPort: port,
    };
  }

  #reportConfig(): void {
    this.#configFaults.forEach(({ table, source, message }, at) => {
      const place = { table: table ?? '', source: source ?? '' };
      this.#faults.report({ ...place, scenario: 'config', column: `config ${at + 1}`, message, line: '' });
    });
  }

  #report(scenario: string, message: string): void {
    this.#faults.report({ table: '', source: '', scenario, column: scenario, message, line: '' });
  }
}

const limitsOf = ({ outbox }: AgentConfig) => ({
  limitBytes: outbox.limit_mb * MB,
  limitAgeMs: outbox.limit_days * DAY_MS,
});
