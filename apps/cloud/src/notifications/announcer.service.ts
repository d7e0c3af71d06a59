import { randomUUID } from 'node:crypto';
import type { Transaction } from '@albedo/postgres/postgres';
import { z } from 'zod';
import type { Attempts, Limit } from '../attempts/attempts.ts';
import { defineJob, type Run } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { Mail, Mailer } from '../mail/mail.service.ts';
import type { Watches } from '../watches/watches.service.ts';
import type { Deliveries } from './deliveries.service.ts';
import { type Happening, isHeldBack } from './listener.ts';
import { nextDigest, nextStep, quietUntil } from './moments.ts';
import { digestMail, incidentMail, pushText, type Reader } from './notifications.mails.ts';
import type { Notice, Push } from './push.service.ts';
import { Recipients, type RecipientsOptions } from './recipients.ts';
import type { ChannelRow, SetupStore } from './setup.store.ts';
import type { DigestLine, IncidentMessage, Message } from './templates.ts';
import type { HeldRow, NewHeld, Step, ToldRow, ToldStore } from './told.store.ts';
import { NOBODY, type Told, type ToldOf } from './told.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** More announcements of a workgroup within the time are a flood, until there are fewer. Source: ISA-18.2, EEMUA 191. */
export const FLOOD = { above: 10, below: 5, withinMs: 10 * MINUTE_MS } as const;
/** The first digest of a flood gathers so long, the next ones come at least so far apart. */
const FLOOD_DIGEST_MS = { first: 5_000, next: 10 * MINUTE_MS } as const;
/** In a flood the gravest still come singly, but not more of them to one person within the same time. */
const SINGLES: Limit = { name: 'incidents told singly', limit: 8, windowMs: FLOOD.withinMs };
/** An alert in a digest names so many of what it is about. */
const SUBJECTS = 5;
/** Alerts that one digest names. */
const LINES = 40;
/** Templates that programs read, which sort out floods by themselves. */
const FOR_PROGRAMS = new Set(['json', 'alertmanager', 'pagerduty']);
/** Happenings of one job. */
const AT_ONCE = 1000;

const waiting = z.object({
  workgroup: z.string(),
  happenings: z.array(z.object({ incident: z.uuid(), what: z.enum(['firing', 'resolved', 'acknowledged']) })),
});

export interface AnnouncerOptions extends RecipientsOptions {
  setup: Pick<SetupStore, 'list'>;
  store: ToldStore;
  jobs: Jobs;
  mailer: Pick<Mailer, 'hand' | 'wake'>;
  attempts: Pick<Attempts, 'count'>;
  deliveries: Deliveries;
  push: Push;
  watches: Pick<Watches, 'followers'>;
  publicUrl: () => string;
  now: () => number;
}

/** One message to one recipient, before it is decided how it goes out. */
interface Send {
  to: { kind: 'user' | 'email' | 'channel'; id: string };
  message: IncidentMessage;
  /** Of a person: by which ways. */
  ways?: ReadonlySet<'mail' | 'push'>;
  /** A person on duty, whom neither quiet hours nor a daily digest hold back. */
  isOnDuty?: boolean;
}

/** What goes out about an incident, written in one transaction. */
interface Outgoing {
  incident: string | null;
  hand: (inside: Transaction) => Promise<void>;
}

/** Tells people and programs what happened to incidents: singly, in digests, and again as long as nobody answers. */
export class Announcer {
  readonly #options: AnnouncerOptions;

  readonly announcing = defineJob({
    name: 'notify',
    payload: waiting,
    limitS: 300,
    retry: { times: 20, afterS: 5, atMostS: 600 },
    // What happened first is told first.
    oneAtATime: { key: ({ workgroup }) => workgroup, waiting: 'all' },
    sideBySide: 2,
    about: ({ workgroup, happenings }) => `${happenings.length} of ${workgroup}`,
    run: (run) => this.#announce(run),
  });

  readonly looking = defineJob({
    name: 'notify-look',
    payload: z.object({}),
    limitS: 300,
    retry: { times: 0, afterS: 1, atMostS: 1 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: () => this.look(),
  });

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /** Hands over what is to be told, inside the transaction that writes what happened. */
  async hand(workgroup: string, happenings: readonly Happening[], inside: Transaction): Promise<void> {
    const { jobs } = this.#options;
    for (let from = 0; from < happenings.length; from += AT_ONCE)
      await jobs.send(
        this.announcing,
        { workgroup, happenings: happenings.slice(from, from + AT_ONCE) },
        { inside },
      );
    // Told once the transaction holds, where it is one that spans features.
    jobs.wake(this.announcing);
  }

  /** What is due by the clock: steps of escalations, repetitions, digests, the end of floods. */
  async look(): Promise<void> {
    const { store } = this.#options;
    const now = this.#now();
    await this.#escalate(now);
    for (const { workgroup } of await store.floods()) {
      const told = await store.toldSince(workgroup, new Date(now.getTime() - FLOOD.withinMs));
      if (told < FLOOD.below) await store.endFlood(workgroup, now);
    }
    await this.#release(now);
    await store.tidy(now);
  }

  async #announce({ payload, finish }: Run<z.output<typeof waiting>>): Promise<void> {
    const { store } = this.#options;
    const { workgroup, happenings } = payload;
    const recipients = await Recipients.of(this.#options, workgroup);
    if (!recipients) return;
    const now = this.#now();
    const rows = new Map(
      (
        await store.rows(
          workgroup,
          happenings.map(({ incident }) => incident),
        )
      ).map((row) => [row.incident, row]),
    );
    const fired: { row: ToldRow; to: ToldOf; next: Step & { repeatAt: Date | null } }[] = [];
    const sends: Send[] = [];
    const followers = await this.#options.watches.followers(
      workgroup,
      [...rows.values()].map(({ content }) => content),
    );
    for (const { incident, what } of happenings) {
      const row = rows.get(incident);
      // It went on meanwhile: somebody answered, or it is over, or it is there again.
      if (!row || (what === 'acknowledged' ? row.told !== 'firing' : row.told !== what)) continue;
      if (what === 'firing' && row.isOver) continue;
      if (what !== 'firing') {
        const channels = what === 'acknowledged' ? programs(recipients, row.toldTo.channels) : null;
        const to = channels ? { ...NOBODY, channels } : row.toldTo;
        sends.push(...sendsTo(to, { what, isEscalated: false, told: row.content }));
        continue;
      }
      const { to, onDuty, next } = begin(row, recipients, now);
      const message: IncidentMessage = { what, isEscalated: false, told: row.content };
      const named = sendsTo(to, message).map((send) =>
        send.to.kind === 'user' ? { ...send, isOnDuty: onDuty.has(send.to.id) } : send,
      );
      const known = new Set(to.users);
      const others = (followers.get(incident) ?? []).filter(({ userId }) => !known.has(userId));
      sends.push(
        ...named,
        ...others.map(
          ({ userId, channels }): Send => ({
            to: { kind: 'user', id: userId },
            message,
            ways: new Set(channels),
          }),
        ),
      );
      const users = [...to.users, ...others.map(({ userId }) => userId)];
      fired.push({ row, to: { ...to, users }, next });
    }
    const { outgoing, held, isFlood } = await this.#plan(recipients, sends, fired.length, now);
    await finish(async (inside) => {
      const told = fired.map(({ row, to, next }) => ({ incident: row.incident, toldTo: to, ...next }));
      await store.noteTold(workgroup, now, told, inside);
      if (isFlood) await store.beginFlood(workgroup, now, inside);
      await store.hold(held, inside);
      for (const one of outgoing) await one.hand(inside);
    });
    this.#wake();
    await this.#lookSoon(held);
  }

  /** The first digest of a flood does not wait for the next minute. */
  async #lookSoon(held: readonly NewHeld[]): Promise<void> {
    if (held.some(({ reason }) => reason === 'flood'))
      await this.#options.jobs.send(
        this.looking,
        {},
        { after: new Date(Date.now() + FLOOD_DIGEST_MS.first) },
      );
  }

  /** Decides for each message whether it goes out by itself or waits. */
  async #plan(recipients: Recipients, all: readonly Send[], announced: number, now: Date) {
    const { store } = this.#options;
    const { workgroup } = recipients;
    const since = new Date(now.getTime() - FLOOD.withinMs);
    const [wasFlood, before] = await Promise.all([
      store.isFlooded(workgroup),
      store.toldSince(workgroup, since),
    ]);
    const isFlood = wasFlood || before + announced > FLOOD.above;
    const sends = all.filter(
      ({ to, message: { told } }) => to.kind !== 'user' || recipients.mayHear(to.id, told),
    );
    const waits = await store.waits(
      workgroup,
      sends.map(({ message }) => message.told.incident),
    );
    const floodDue = isFlood ? await store.floodDue(workgroup) : new Map<string, Date>();
    const outgoing: Outgoing[] = [];
    const held: NewHeld[] = [];
    const flood = isFlood ? { hadMany: new Set<string>() } : null;
    for (const send of sends) {
      const recipient = `${send.to.kind}:${send.to.id}`;
      const { incident } = send.message.told;
      const hold = (reason: HeldRow['reason'], dueAt: Date) => {
        const what = send.message.what === 'resolved' ? 'resolved' : 'firing';
        const tellAt = floodDue.get(recipient) ?? dueAt;
        const due = reason === 'flood' ? tellAt : dueAt;
        held.push({ workgroup, recipient, incident, reason, what, since: now, dueAt: due });
      };
      const wait = await this.#waitOf(recipients, send, { flood, now });
      // Whoever waits for the message that it fires gets both in one.
      const isHeldAlready = waits.has(`${recipient} ${incident}`) && send.message.what === 'resolved';
      if (isHeldAlready) hold(wait?.reason ?? 'flood', wait?.dueAt ?? now);
      else if (wait) hold(wait.reason, wait.dueAt);
      else outgoing.push(...(await this.#outgoing(recipients, send)));
    }
    return { outgoing, held: unique(held), isFlood };
  }

  /** Why a message waits and until when; null where it goes out. */
  async #waitOf(
    recipients: Recipients,
    { to, message, isOnDuty }: Send,
    { flood, now }: { flood: { hadMany: Set<string> } | null; now: Date },
  ): Promise<{ reason: HeldRow['reason']; dueAt: Date } | null> {
    const { rank } = message.told.severity;
    const isForPrograms = to.kind === 'channel' && isForProgram(recipients.channels.get(to.id));
    if (isForPrograms || message.what === 'acknowledged') return null;
    if (flood && (rank > 0 || message.what === 'resolved' || (await this.#hadMany(to, flood))))
      return { reason: 'flood', dueAt: new Date(now.getTime() + FLOOD_DIGEST_MS.first) };
    if (to.kind !== 'user' || isOnDuty || message.isEscalated) return null;
    const { quietHours, digest } = await recipients.wishesOf(to.id);
    const until =
      quietHours && rank >= quietHours.throughRanks ? quietUntil(quietHours, now.getTime()) : null;
    if (until !== null) return { reason: 'quiet', dueAt: new Date(until) };
    if (digest && rank >= digest.fromRank)
      return { reason: 'digest', dueAt: new Date(nextDigest(digest, now.getTime())) };
    return null;
  }

  /** In a flood: whether they got as many single messages as they get at most. */
  async #hadMany({ kind, id }: Send['to'], { hadMany }: { hadMany: Set<string> }): Promise<boolean> {
    const key = `${kind}:${id}`;
    if (!hadMany.has(key) && (await this.#options.attempts.count([SINGLES, key])) > 0) hadMany.add(key);
    return hadMany.has(key);
  }

  async #outgoing(recipients: Recipients, { to, message, ways }: Send): Promise<Outgoing[]> {
    const { incident } = message.told;
    if (to.kind === 'channel') return this.#toChannel(recipients, to.id, message, incident);
    const reader =
      to.kind === 'user' ? await this.#readerOf(recipients, to.id) : await this.#addressee(recipients, to.id);
    if (!reader) return [];
    const outgoing: Outgoing[] = [];
    if (!ways || ways.has('mail'))
      outgoing.push(this.#mail(recipients, incidentMail(message, reader), incident));
    if (to.kind === 'user' && (!ways || ways.has('push')))
      outgoing.push(...(await this.#pushTo(recipients, to.id, message, reader)));
    return outgoing;
  }

  async #toChannel(
    recipients: Recipients,
    id: string,
    message: Message,
    incident: string | null,
  ): Promise<Outgoing[]> {
    const channel = recipients.channels.get(id);
    if (!channel) return [];
    if (channel.kind === 'webhook') {
      const { deliveries } = this.#options;
      const of = { id: randomUUID(), channel: id, incident, message };
      return [{ incident, hand: (inside) => deliveries.hand(recipients.workgroup, of, inside) }];
    }
    return Promise.all(
      channel.emails.map(async (to) => {
        const reader = await this.#addressee(recipients, to);
        const mail =
          message.what === 'digest'
            ? digestMail(message.lines, message.count, reader)
            : incidentMail(message as IncidentMessage, reader);
        return this.#mail(recipients, mail, incident);
      }),
    );
  }

  #mail({ workgroup }: Recipients, mail: Mail, incident: string | null): Outgoing {
    const { mailer } = this.#options;
    const reference = incident === null ? {} : { reference: JSON.stringify({ incident, to: mail.to }) };
    return { incident, hand: (inside) => mailer.hand({ ...mail, workgroup, ...reference }, inside) };
  }

  async #pushTo(
    { workgroup }: Recipients,
    userId: string,
    message: Message,
    { language }: Reader,
  ): Promise<Outgoing[]> {
    const { push } = this.#options;
    if (!(await push.reached([userId])).has(userId)) return [];
    const notice = noticeOf(workgroup, message, language);
    return [
      {
        incident: notice.acknowledge?.incident ?? null,
        hand: (inside) => push.hand({ workgroup, userId, notice }, inside),
      },
    ];
  }

  async #readerOf(recipients: Recipients, userId: string): Promise<Reader | null> {
    const to = recipients.emailOf(userId);
    if (to === undefined) return null;
    const { language, zone } = await recipients.wishesOf(userId);
    return { to, language, zone, workgroup: recipients.displayName, publicUrl: this.#options.publicUrl() };
  }

  async #addressee(recipients: Recipients, to: string): Promise<Reader> {
    const language = await recipients.languageOfAddress(to);
    const { displayName: workgroup } = recipients;
    return { to, language, zone: 'UTC', workgroup, publicUrl: this.#options.publicUrl() };
  }

  /** Tells the steps of escalations and the repetitions that are due, unless somebody answers before they are written. */
  async #escalate(now: Date): Promise<void> {
    const { store } = this.#options;
    const due = Map.groupBy(await store.due(now), ({ workgroup }) => workgroup);
    for (const [workgroup, all] of due) {
      const recipients = await Recipients.of(this.#options, workgroup);
      if (!recipients) continue;
      await this.#beginLate(all.filter(isHeldBack), now);
      const rows = all.filter((row) => !isHeldBack(row));
      const steps = rows.map((row) => ({ row, ...again(row, recipients, now) }));
      const sends = steps.flatMap(({ row, to }) =>
        sendsTo(to, { what: 'firing', isEscalated: true, told: row.content }),
      );
      // Those that were told a moment ago are counted already.
      const since = now.getTime() - FLOOD.withinMs;
      const announced = rows.filter(({ toldAt }) => toldAt === null || toldAt.getTime() <= since).length;
      const { outgoing, held, isFlood } = await this.#plan(recipients, sends, announced, now);
      if (isFlood) await store.transaction((inside) => store.beginFlood(workgroup, now, inside));
      const outgoingOf = Map.groupBy(outgoing, ({ incident }) => incident);
      const heldOf = Map.groupBy(held, ({ incident }) => incident);
      for (const { row, next } of steps)
        await store.transaction(async (inside) => {
          if (!(await store.moveOn(row, { ...next, toldAt: now }, inside))) return;
          await store.hold(heldOf.get(row.incident) ?? [], inside, { isAgain: true });
          for (const one of outgoingOf.get(row.incident) ?? []) await one.hand(inside);
        });
      await this.#lookSoon(held);
    }
    if (due.size > 0) this.#wake();
  }

  /** Announces what holds still after it came and went too often; its escalation begins with it. */
  async #beginLate(rows: readonly ToldRow[], now: Date): Promise<void> {
    const { store } = this.#options;
    const begun = { ...NO_STEP, repeatAt: null, openedAt: now };
    for (const row of rows)
      await store.transaction(async (inside) => {
        if (!(await store.moveOn(row, begun, inside))) return;
        await this.hand(row.workgroup, [{ incident: row.incident, what: 'firing' }], inside);
      });
    if (rows.length > 0) this.#options.jobs.wake(this.announcing);
  }

  /** Sends the digests that are due. */
  async #release(now: Date): Promise<void> {
    const { store } = this.#options;
    const due = Map.groupBy(await store.dueRecipients(now), ({ workgroup }) => workgroup);
    for (const [workgroup, all] of due) {
      const recipients = await Recipients.of(this.#options, workgroup);
      for (const { recipient } of all) {
        const rows = await store.heldFor(workgroup, recipient, now);
        const outgoing = recipients ? await this.#digest(recipients, recipient, rows) : [];
        await store.transaction(async (inside) => {
          const next = new Date(now.getTime() + FLOOD_DIGEST_MS.next);
          const said = rows.map(({ held }) => held);
          await store.toldDigest(workgroup, recipient, { said, next }, inside);
          for (const one of outgoing) await one.hand(inside);
        });
      }
    }
    if (due.size > 0) this.#wake();
  }

  async #digest(
    recipients: Recipients,
    recipient: string,
    rows: readonly { held: HeldRow; content: Told | null }[],
  ): Promise<Outgoing[]> {
    const at = recipient.indexOf(':');
    const [kind, id] = [recipient.slice(0, at), recipient.slice(at + 1)];
    const told = rows.flatMap(({ held, content }) => (content ? [{ what: held.what, content }] : []));
    const seen = told.filter(({ content }) => kind !== 'user' || recipients.mayHear(id, content));
    if (seen.length === 0) return [];
    const message = { what: 'digest' as const, lines: linesOf(seen), count: seen.length };
    if (kind === 'channel') return this.#toChannel(recipients, id, message, null);
    const reader =
      kind === 'user' ? await this.#readerOf(recipients, id) : await this.#addressee(recipients, id);
    if (!reader) return [];
    const mail = this.#mail(recipients, digestMail(message.lines, message.count, reader), null);
    return kind === 'user' ? [mail, ...(await this.#pushTo(recipients, id, message, reader))] : [mail];
  }

  #wake(): void {
    const { mailer, deliveries, push } = this.#options;
    mailer.wake();
    deliveries.wake();
    push.wake();
  }

  #now(): Date {
    return new Date(this.#options.now());
  }
}

/** What a browser shows of a message. */
export function noticeOf(workgroup: string, message: Message, language: Reader['language']): Notice {
  const { title, body, incident } = pushText(message, language);
  const isOpen = 'told' in message && message.what === 'firing';
  return {
    title,
    body,
    url: incident === null ? '/alerts' : `/alerts?incident=${incident}`,
    tag: incident ?? message.what,
    acknowledge: isOpen && incident !== null ? { workgroup, incident } : null,
    action: { en: 'Acknowledge', de: 'Quittieren', es: 'Reconocer' }[language],
  };
}

function sendsTo({ users, emails, channels }: ToldOf, message: IncidentMessage): Send[] {
  const of = (kind: Send['to']['kind'], ids: readonly string[]) =>
    [...new Set(ids)].map((id): Send => ({ to: { kind, id }, message }));
  return [...of('user', users), ...of('email', emails), ...of('channel', channels)];
}

const isForProgram = (channel: ChannelRow | undefined): boolean =>
  channel?.kind === 'webhook' && FOR_PROGRAMS.has(channel.template ?? 'json');

/** Those that are told that somebody answered, so that they wake nobody else. */
const programs = (recipients: Recipients, channels: readonly string[]): string[] =>
  channels.filter((id) => isForProgram(recipients.channels.get(id)));

/** Whom the beginning reaches, the steps of an escalation without a delay among them, who is on duty, and what comes next. */
function begin(row: ToldRow, recipients: Recipients, now: Date) {
  const { users, emails, channels, escalation, repeatHours } = row.notify;
  const policy = recipients.escalation(escalation);
  const steps = policy?.steps ?? [];
  const first = steps.findIndex(({ afterMinutes }) => afterMinutes > 0);
  const atOnce = steps.slice(0, first < 0 ? steps.length : first);
  const reached = atOnce.map((step) => recipients.ofStep(step, now.getTime()));
  const to: ToldOf = {
    users: [...users, ...reached.flatMap((one) => one.users)],
    emails: [...emails],
    channels: [...channels, ...reached.flatMap((one) => one.channels)],
  };
  const next = policy ? nextStep(policy, row.openedAt, { step: atOnce.length, round: 0 }) : null;
  return {
    to: distinct(to),
    onDuty: new Set(reached.flatMap((one) => one.users)),
    next: { ...(next ?? NO_STEP), repeatAt: repeatAfter(repeatHours, now) },
  };
}

const NO_STEP: Step = { step: 0, round: 0, dueAt: null };

const repeatAfter = (hours: number | null, now: Date): Date | null =>
  hours === null ? null : new Date(now.getTime() + hours * HOUR_MS);

/** Whom the step that is due reaches; a repetition reaches those who know of it. */
function again(row: ToldRow, recipients: Recipients, now: Date) {
  const { escalation, repeatHours } = row.notify;
  const policy = recipients.escalation(escalation);
  const step = row.dueAt !== null && row.dueAt <= now ? policy?.steps[row.step] : undefined;
  const isRepeated = row.repeatAt !== null && row.repeatAt <= now;
  const reached = step ? recipients.ofStep(step, now.getTime()) : NOBODY;
  const to = isRepeated ? merged(reached, row.toldTo) : reached;
  const following =
    policy && step ? nextStep(policy, row.openedAt, { step: row.step + 1, round: row.round }) : null;
  const stays = !step && row.dueAt !== null && row.dueAt > now ? row : null;
  return {
    to: distinct(to),
    next: {
      ...(following ?? (stays ? { step: stays.step, round: stays.round, dueAt: stays.dueAt } : NO_STEP)),
      repeatAt: isRepeated ? repeatAfter(repeatHours, now) : row.repeatAt,
      toldTo: distinct(merged(row.toldTo, reached)),
    },
  };
}

const merged = (a: ToldOf, b: ToldOf): ToldOf => ({
  users: [...a.users, ...b.users],
  emails: [...a.emails, ...b.emails],
  channels: [...a.channels, ...b.channels],
});

const distinct = ({ users, emails, channels }: ToldOf): ToldOf => ({
  users: [...new Set(users)],
  emails: [...new Set(emails)],
  channels: [...new Set(channels)],
});

/** One statement writes a row once: the last word of each counts. */
const unique = (held: readonly NewHeld[]): NewHeld[] => [
  ...new Map(held.map((one) => [`${one.recipient} ${one.incident}`, one])).values(),
];

const BY_NAME = new Intl.Collator('en', { numeric: true });

/** By alert, the gravest first, then those with the most. */
function linesOf(told: readonly { what: HeldRow['what']; content: Told }[]): DigestLine[] {
  const groups = Map.groupBy(told, ({ content }) => content.alert);
  const lines = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { name, severity } = first.content;
    const resolved = group.filter(({ what }) => what === 'resolved').length;
    const subjects = [...new Set(group.map(({ content }) => content.subject))].toSorted(BY_NAME.compare);
    return [
      {
        name,
        severity: severity.name,
        rank: severity.rank,
        firing: group.length - resolved,
        resolved,
        subjects: subjects.slice(0, SUBJECTS),
      },
    ];
  });
  return lines
    .toSorted((a, b) => a.rank - b.rank || b.firing + b.resolved - a.firing - a.resolved)
    .slice(0, LINES);
}
