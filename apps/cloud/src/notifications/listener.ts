import type { IncidentStep, StepListener } from '../incidents/steps.topics.ts';
import type { ToldRow, ToldStore } from './told.store.ts';
import { NOBODY, type Told, toldOf } from './told.ts';

/** What is to be told of an incident. */
export interface Happening {
  incident: string;
  what: 'firing' | 'resolved' | 'acknowledged';
}

/** One incident is announced so often within an hour; more is flapping, of which its count tells. */
const TELLINGS = 3;
const TELLINGS_MS = 3_600_000;

/**
 * Writes down what follows from steps of incidents, in the transaction that writes the steps, and hands over what is to be
 * told. That somebody answered is known here at once, so that no later step of an escalation goes out.
 */
export const stepListener =
  (of: {
    store: Pick<ToldStore, 'rows' | 'keep'>;
    /** Hands over a job inside the transaction. */
    hand: (
      workgroup: string,
      happenings: Happening[],
      inside: Parameters<StepListener>[2],
    ) => Promise<unknown>;
    /** Whether somebody follows something of the workgroup. */
    hasFollowers: (workgroup: string, inside: Parameters<StepListener>[2]) => Promise<boolean>;
  }): StepListener =>
  async (workgroup, steps, inside) => {
    const ids = steps.map(({ incident }) => incident._id);
    const rows = new Map((await of.store.rows(workgroup, ids, inside)).map((row) => [row.incident, row]));
    const isHeard = steps.some(isAddressed) || (await of.hasFollowers(workgroup, inside));
    const changed = new Map<string, ToldRow>();
    const happenings: Happening[] = [];
    for (const step of steps) {
      const before = rows.get(step.incident._id);
      if (!before && !(isHeard && announces(step))) continue;
      const { row, what } = follow(workgroup, step, before);
      rows.set(row.incident, row);
      changed.set(row.incident, row);
      if (what) happenings.push({ incident: row.incident, what });
    }
    if (changed.size > 0) await of.store.keep([...changed.values()], inside);
    if (happenings.length > 0) await of.hand(workgroup, happenings, inside);
  };

/** Its last beginning was not told, and is due when the hour is over that its tellings are counted in. */
export const isHeldBack = ({ countedAt, repeatAt, tellings }: ToldRow): boolean =>
  tellings >= TELLINGS && countedAt !== null && repeatAt?.getTime() === countedAt.getTime() + TELLINGS_MS;

const isAddressed = ({ alert }: IncidentStep): boolean => {
  const { users = [], emails = [], channels = [], escalation = null } = alert?.notify ?? {};
  return users.length + emails.length + channels.length > 0 || escalation !== null;
};

const BEGINS = new Set(['opened', 'reopened', 'unshelved', 'unsuppressed']);
/** Told whatever was told before: while it was silent, nobody could know that it still holds. */
const SPEAKS_AGAIN = new Set(['unshelved', 'unsuppressed']);

/** It holds, and waits for somebody who answers. */
const waits = ({ incident, isSilent }: IncidentStep): boolean =>
  !isSilent &&
  incident.state === 'unacknowledged' &&
  incident.closedAt === null &&
  incident.condition !== 'clear';

const announces = (step: IncidentStep): boolean => BEGINS.has(step.action) && waits(step);

const isEnd = ({ action }: IncidentStep): boolean => action === 'returned' || action === 'closed';

function follow(
  workgroup: string,
  step: IncidentStep,
  before: ToldRow | undefined,
): { row: ToldRow; what: Happening['what'] | null } {
  const at = new Date(step.at);
  const row: ToldRow = {
    ...(before ?? {
      workgroup,
      incident: step.incident._id,
      notify: { users: [], emails: [], channels: [], escalation: null, onResolve: true, repeatHours: null },
      told: null,
      toldAt: null,
      toldTo: NOBODY,
      countedAt: null,
      tellings: 0,
      openedAt: at,
      step: 0,
      round: 0,
      dueAt: null,
      repeatAt: null,
    }),
    content: toldOf(step, before?.content as Told | undefined),
    isOver: !waits(step),
    changedAt: at,
  };
  if (step.alert) row.notify = step.alert.notify;
  if (row.isOver) Object.assign(row, { dueAt: null, repeatAt: null });
  if (announces(step)) return begun(row, step, at);
  if (isEnd(step) && row.told === 'firing') {
    row.told = 'resolved';
    // Closing what was acknowledged after it cleared, and the end of what is silent, is news to nobody.
    const isNews = !step.isSilent && row.notify.onResolve;
    return { row, what: isNews ? 'resolved' : null };
  }
  return { row, what: step.action === 'acknowledged' && row.told === 'firing' ? 'acknowledged' : null };
}

function begun(row: ToldRow, { action }: IncidentStep, at: Date): { row: ToldRow; what: 'firing' | null } {
  if (row.told === 'firing' && !SPEAKS_AGAIN.has(action)) return { row, what: null };
  const isCounted = row.countedAt !== null && at.getTime() - row.countedAt.getTime() < TELLINGS_MS;
  if (row.countedAt !== null && isCounted && row.tellings >= TELLINGS) {
    // Where it holds by then, it is told all the same.
    Object.assign(row, {
      step: 0,
      round: 0,
      dueAt: null,
      repeatAt: new Date(row.countedAt.getTime() + TELLINGS_MS),
    });
    return { row, what: null };
  }
  Object.assign(row, {
    told: 'firing',
    openedAt: at,
    step: 0,
    round: 0,
    dueAt: null,
    repeatAt: null,
    countedAt: isCounted ? row.countedAt : at,
    tellings: isCounted ? row.tellings + 1 : 1,
  });
  return { row, what: 'firing' };
}
