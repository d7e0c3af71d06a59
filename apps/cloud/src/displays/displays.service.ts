import { createHash, randomBytes } from 'node:crypto';
import { isBound } from '@albedo/contract/access/access';
import { holds } from '@albedo/contract/access/permissions';
import type { BoardAnswer, BoardQuestion } from '@albedo/contract/boards/answers.schema';
import { streamKey } from '@albedo/contract/boards/asked-streams';
import type { StoredBoard } from '@albedo/contract/boards/boards.schema';
import {
  DISPLAY_LIMITS,
  DISPLAY_TOKEN,
  type Display,
  type DisplayPage,
  type NewDisplay,
  type ShownDisplay,
  type ShownKpiQuestion,
  type ShownKpiRowsQuestion,
} from '@albedo/contract/displays/displays.schema';
import { labelsOf } from '@albedo/contract/entities/labels';
import type { SeriesKey } from '@albedo/contract/telemetry/telemetry.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.ts';
import type { DisplayCaller } from '../access/guard.ts';
import type { Manager } from '../access/manager.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { Answers } from '../boards/answers.service.ts';
import type { Boards } from '../boards/boards.service.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { EntityStreams } from '../entities/entity-streams.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { Kpis } from '../kpis/kpis.service.ts';
import type { LatestValues } from '../latest-values/latest-values.service.ts';
import type { LookupTables } from '../lookup-tables/lookup-tables.service.ts';
import type { Machines } from '../machines/machines.service.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { type AskedKpis, answerShown, rowsShown, shownKpis } from './display-kpis.ts';
import { type AllowedTimes, isWithinTimes } from './display-times.ts';
import type { DisplayRow, DisplaysStore } from './displays.store.ts';
import { entitiesOfPage, hasTooManyChoices, sightOfDisplay, variablesOf, withVariables } from './shown.ts';

const DAY_MS = 86_400_000;
/** How long a display may go on asking by what it was shown last, ms. */
const SHOWN_MS = 15_000;
const SEEN_MS = 60_000;
/** Displays of which it is remembered what they may ask. */
const REMEMBERED = 500;

export interface DisplaysOptions {
  store: DisplaysStore;
  boards: Boards;
  answers: Answers;
  latestValues: LatestValues;
  kpis: Pick<Kpis, 'list' | 'ask' | 'rows'>;
  entities: Entities;
  entityStreams: EntityStreams;
  machines: Pick<Machines, 'list'>;
  lookupTables: Pick<LookupTables, 'list'>;
  deviceGroups: Pick<DeviceGroups, 'scopeOf'>;
  workgroups: Pick<Workgroups, 'get' | 'isSuspended' | 'hasAddon'>;
  sessions: Pick<Sessions, 'scopeNow'>;
  audit: Audit;
  log: Logger;
}

/** What a display shows, with the streams and values of KPIs that it may ask for. */
interface Shown {
  display: ShownDisplay;
  streams: ReadonlySet<string>;
  times: ReadonlyMap<string, AllowedTimes>;
  kpis: AskedKpis;
}

/**
 * Links with which a screen shows dashboards without a sign-in. A link sees what its maker sees at this moment, and of that
 * only what its dashboards ask; it ends with the right of its maker to show them.
 */
export class Displays {
  readonly #options: DisplaysOptions;
  /** The links of those who are asking. */
  readonly #rows = new WeakMap<DisplayCaller, DisplayRow>();
  readonly #shown = new Map<string, { at: number; of: string; shown: Promise<Shown> }>();
  readonly #seen = new Map<string, number>();

  constructor(options: DisplaysOptions) {
    this.#options = options;
  }

  async list(workgroup: string): Promise<Display[]> {
    const rows = await this.#options.store.list(workgroup);
    return Promise.all(rows.map((row) => this.#told(row)));
  }

  /** Throws `display.too_many`, and `request.invalid` for a page that the caller cannot see. */
  async create(caller: Caller, wanted: NewDisplay, by: Manager): Promise<Display & { token: string }> {
    const { store } = this.#options;
    const { workgroup } = caller;
    const { displays: count } = WORKGROUP_LIMITS;
    if ((await store.countLive(workgroup, new Date())) >= count)
      throw new AppError('display.too_many', { count });
    await this.#demandPages(caller, wanted);
    const token = DISPLAY_TOKEN + randomBytes(32).toString('base64url');
    const { days, ...rest } = wanted;
    const row = await store.add({
      ...rest,
      workgroup,
      tokenHash: hashOf(token),
      makerId: by.userId,
      madeBy: by.email,
      expiresAt: new Date(Date.now() + days * DAY_MS),
    });
    this.#changed(row, by, { action: 'create', newValue: textOf(row) });
    return { ...(await this.#told(row)), token };
  }

  /** Throws `display.not_found`. */
  async revoke(workgroup: string, id: string, by: Manager): Promise<void> {
    const row = await this.#options.store.revoke(workgroup, id, new Date());
    if (!row) throw new AppError('display.not_found');
    this.#shown.delete(id);
    this.#changed(row, by, { action: 'revoke', oldValue: textOf(row) });
  }

  /** Who stands behind a token. Throws `display.ended`, `display.elsewhere`, `workgroup.suspended`. */
  async caller(token: string, address: string): Promise<DisplayCaller> {
    const row = token.startsWith(DISPLAY_TOKEN)
      ? await this.#options.store.byToken(hashOf(token))
      : undefined;
    if (!row || isOver(row)) throw new AppError('display.ended');
    const caller = await this.#callerOf(row);
    if (!caller) throw new AppError('display.ended');
    if (!isWithin(address, row.networks)) throw new AppError('display.elsewhere');
    if (this.#options.workgroups.isSuspended(row.workgroup)) throw new AppError('workgroup.suspended');
    this.#noteSeen(row, address);
    const found = { ...caller, display: row.id };
    this.#rows.set(found, row);
    return found;
  }

  /** Throws `display.ended` where its maker may show none of its dashboards any more. */
  async show(caller: DisplayCaller): Promise<ShownDisplay> {
    return (await this.#now(caller)).display;
  }

  /** The answers in the order of the questions; one about anything else is refused by itself. */
  async answers(
    caller: DisplayCaller,
    questions: readonly BoardQuestion[],
    signal: AbortSignal,
  ): Promise<BoardAnswer[]> {
    const { streams, times } = await this.#now(caller);
    const now = Date.now();
    const isAsked = (question: BoardQuestion): boolean =>
      question.kind !== 'search' &&
      streamsIn(question).every(
        (one) => streams.has(keyOf(one)) && isWithinTimes(question, timesOf(times, keyOf(one)), now),
      );
    const good = questions.filter(isAsked);
    const answers = new Map(
      (await this.#options.answers.all(caller, good, signal)).map((one) => [one.id, one]),
    );
    const { message, error } = new AppError('display.not_asked').body;
    return questions.map(
      (one) => (isAsked(one) ? answers.get(one.id) : undefined) ?? { id: one.id, error: { message, error } },
    );
  }

  /** In the order of the streams; null where the display does not ask for one, or has nothing of it. */
  async latest(caller: DisplayCaller, wanted: readonly SeriesKey[], signal: AbortSignal) {
    const { streams } = await this.#now(caller);
    const good = wanted.filter((one) => streams.has(keyOf(one)));
    const values = await this.#options.latestValues.ofStreams(caller, good, signal);
    const found = new Map(good.map((one, at) => [keyOf(one), values[at] ?? null]));
    return wanted.map((one) => found.get(keyOf(one)) ?? null);
  }

  /** A value of a KPI. Throws `display.not_asked` for one that its widgets do not show, and what `Kpis.ask` throws. */
  async kpi(caller: DisplayCaller, question: ShownKpiQuestion, signal: AbortSignal) {
    const { kpis: asked } = await this.#now(caller);
    return answerShown(this.#options.kpis, { caller, asked }, question, signal);
  }

  /** The same of several entities, without intervals. */
  async kpiRows(caller: DisplayCaller, question: ShownKpiRowsQuestion, signal: AbortSignal) {
    const { kpis: asked } = await this.#now(caller);
    return rowsShown(this.#options.kpis, { caller, asked }, question, signal);
  }

  /** What the display shows at this moment, looked up again after some seconds. */
  async #now(caller: DisplayCaller): Promise<Shown> {
    const row = this.#rows.get(caller);
    if (!row) throw new AppError('display.ended');
    const of = JSON.stringify(caller.session.scopes);
    const kept = this.#shown.get(row.id);
    if (kept && kept.of === of && Date.now() - kept.at < SHOWN_MS) return kept.shown;
    const shown = this.#lookUp(caller, row);
    if (this.#shown.size >= REMEMBERED) this.#shown.clear();
    this.#shown.set(row.id, { at: Date.now(), of, shown });
    shown.catch(() => this.#shown.delete(row.id));
    return shown;
  }

  async #lookUp(caller: Caller, row: DisplayRow): Promise<Shown> {
    const { entities, entityStreams, machines, lookupTables, workgroups, kpis } = this.#options;
    const { workgroup } = caller;
    const { name, intervalS, order, free, expiresAt } = row;
    const hasKpis = workgroups.hasAddon(workgroup, 'calculations');
    const hasMachines = workgroups.hasAddon(workgroup, 'machines');
    const boards = await this.#boardsOf(caller, row.pages);
    const labels = labelsOf((await workgroups.get(workgroup)).settings);
    const [all, sources, types, words, figures] = await Promise.all([
      entities.list(caller),
      entityStreams.sources(caller),
      hasMachines ? machines.list(workgroup) : [],
      lookupTables.list(workgroup),
      hasKpis ? kpis.list(workgroup) : [],
    ]);
    const pages = row.pages.flatMap((page) => {
      const board = boards.get(page.board);
      if (!board) return [];
      const { may: _may, updatedBy: _by, ...whole } = board;
      const { board: shown, offered } = withVariables(whole, page, { entities: all, labels });
      const own = entitiesOfPage(page, board, all, free.includes('entity'));
      return own.entities.length === 0 ? [] : [{ board: shown as never, ...own, range: page.range, offered }];
    });
    const sight = { entities: all, sources, machines: types, lookupTables: words };
    const { streams, times, kpis: asked, ...rest } = sightOfDisplay({ pages, free }, sight);
    const shown = { ...rest, kpis: shownKpis(asked, figures) };
    return {
      display: { name, pages, intervalS, order, free, ...shown, expiresAt: expiresAt.getTime() },
      streams: new Set(streams.keys()),
      times,
      kpis: hasKpis ? asked : new Map(),
    };
  }

  /** Of the pages' dashboards those that the caller may view. */
  async #boardsOf(caller: Caller, pages: readonly DisplayPage[]): Promise<Map<string, StoredBoard>> {
    const found = new Map<string, StoredBoard>();
    for (const id of new Set(pages.map(({ board }) => board))) {
      const board = await this.#options.boards.get(caller, id).catch(noneIfGone);
      if (board?.may.includes('view')) found.set(id, board);
    }
    return found;
  }

  async #demandPages(caller: Caller, { pages, free }: Pick<NewDisplay, 'pages' | 'free'>): Promise<void> {
    const { entities, workgroups } = this.#options;
    const boards = await this.#boardsOf(caller, pages);
    const all = await entities.list(caller);
    const labels = labelsOf((await workgroups.get(caller.workgroup)).settings);
    const isEntityFree = free.includes('entity');
    for (const [at, page] of pages.entries()) {
      const board = boards.get(page.board);
      if (!board) throw invalid('issue.display_board', {}, `pages.${at}.board`);
      const isChosen = page.entity !== null && page.entity !== 'each';
      if (isChosen && entitiesOfPage(page, board, all, false).entities.length === 0)
        throw invalid('issue.display_entity', {}, `pages.${at}.entity`);
      const known = variablesOf(board.board);
      const unknown = page.free?.findIndex((key) => !known.has(key)) ?? -1;
      if (unknown >= 0)
        throw invalid(
          'issue.display_variable',
          { name: page.free?.[unknown] ?? '' },
          `pages.${at}.free.${unknown}`,
        );
      const { choices } = entitiesOfPage(page, board, all, isEntityFree);
      if (hasTooManyChoices(withVariables(board, page, { entities: all, labels }), choices.length))
        throw invalid('issue.display_choices', { max: String(DISPLAY_LIMITS.choices) }, `pages.${at}.free`);
    }
  }

  /** The maker as they are now; null where they may not make such a link any more. */
  async #callerOf({ id, workgroup, makerId, madeBy, expiresAt, pages }: DisplayRow): Promise<Caller | null> {
    const { sessions, deviceGroups } = this.#options;
    const scope = await sessions.scopeNow(makerId, workgroup);
    if (!scope || !holds(scope, 'coordinate') || isBound(scope)) return null;
    const session = {
      _id: makerId,
      name: madeBy,
      email: madeBy,
      iat: 0,
      exp: Math.floor(expiresAt.getTime() / 1000),
      jti: `display ${id}`,
      defaultWorkgroup: workgroup,
      memberOf: [workgroup],
      scopes: { [workgroup]: scope },
      staff: false,
    };
    const caller = { workgroup, session, devices: deviceGroups.scopeOf(session, workgroup) };
    return (await this.#boardsOf(caller, pages)).size > 0 ? caller : null;
  }

  async #told(row: DisplayRow): Promise<Display> {
    const { id: _id, name, pages, intervalS, order, free, networks, madeBy, seenFrom } = row;
    const over = row.revokedAt ? 'revoked' : isOver(row) ? 'expired' : null;
    return {
      ...{ _id, name, pages, intervalS, order, free, networks, madeBy, seenFrom },
      madeAt: row.madeAt.getTime(),
      expiresAt: row.expiresAt.getTime(),
      seenAt: row.seenAt?.getTime() ?? null,
      ended: over ?? ((await this.#callerOf(row)) ? null : 'maker'),
    };
  }

  /** Written once a minute at most, for a lost write loses nothing that matters. */
  #noteSeen({ workgroup, id }: DisplayRow, address: string): void {
    const now = Date.now();
    if (now - (this.#seen.get(id) ?? 0) < SEEN_MS) return;
    if (this.#seen.size >= REMEMBERED) this.#seen.clear();
    this.#seen.set(id, now);
    this.#options.store.touch(workgroup, id, new Date(now), address).catch((err) => {
      this.#options.log.warn({ err }, 'when a display was last open could not be written');
    });
  }

  #changed(
    { workgroup, id, name }: DisplayRow,
    { email, address }: Manager,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'display', entity: `${name} (${id})` };
    this.#options.audit.record({ ...entry, attribute: 'link', by: email, address, ...what });
  }
}

const streamsIn = (question: Exclude<BoardQuestion, { kind: 'search' }>): SeriesKey[] =>
  'streams' in question ? question.streams : question.series.flatMap((one) => one.streams);

/** Of a stream that no widget asks over a range, none. */
const timesOf = (times: Shown['times'], key: string): AllowedTimes => {
  const allowed = times.get(key);
  return allowed === undefined ? [] : allowed;
};

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const keyOf = ({ device, table, source, field }: SeriesKey): string =>
  streamKey({ deviceId: device, table, source, field });

const isOver = ({ revokedAt, expiresAt }: Pick<DisplayRow, 'revokedAt' | 'expiresAt'>): boolean =>
  revokedAt !== null || expiresAt.getTime() <= Date.now();

/** An address that is none is nowhere. */
function isWithin(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  return networks.some((network) => {
    const isKnown = network.includes('/') ? ipaddr.isValidCIDR(network) : ipaddr.isValid(network);
    if (!isKnown) return false;
    const [base, bits] = network.includes('/')
      ? ipaddr.parseCIDR(network)
      : ([ipaddr.process(network), null] as const);
    if (base.kind() !== plain.kind()) return false;
    return bits === null ? base.toString() === plain.toString() : plain.match(base, bits);
  });
}

function noneIfGone(error: unknown): null {
  if (error instanceof AppError && error.error === 'board.not_found') return null;
  throw error;
}

const textOf = ({ pages, networks, expiresAt, free }: DisplayRow): string =>
  JSON.stringify({ pages, networks, free, expiresAt: expiresAt.toISOString() });
