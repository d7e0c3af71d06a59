import { randomUUID } from 'node:crypto';
import type { NewAlert } from '@albedo/contract/alerts/alerts.schema';
import type { CloseReason, Incident } from '@albedo/contract/incidents/incidents.schema';
import type { IncidentRow } from './incident-state.ts';
import type { IncidentPatch, NewIncidentRow, StepAction } from './incidents.store.ts';

const MINUTE_MS = 60_000;
/** What comes back within this after it returned is the same incident once more. */
export const FLAP_MS = 5 * MINUTE_MS;
/** So long after its cause is over a consequence is told on its own: most are over by then too. */
const CAUSE_OVER_MS = 2 * MINUTE_MS;

/** What an alert says of the incidents that it makes. */
export interface IncidentAlert
  extends Pick<
    NewAlert,
    'name' | 'kind' | 'severity' | 'category' | 'latched' | 'notify' | 'cause' | 'consequence' | 'response'
  > {
  id: string;
}

/** What an incident is about. */
export interface Subject {
  /** Within the alert. */
  key: string;
  device: string | null;
  table: string | null;
  source: string | null;
  /** Its one name. */
  name: string;
}

export interface Opening {
  alert: IncidentAlert;
  subject: Subject;
  at: number;
  since: number;
  reading: Incident['reading'];
  finding?: string | null;
  condition?: Incident['condition'];
  /** It begins within a planned suppression. */
  silenced?: 'design' | 'outOfService' | null | undefined;
}

/** A change of the condition of an open incident. */
export interface Turn {
  id: string;
  to: 'active' | 'clear' | 'unknown' | 'failed';
  at: number;
  value?: string | number | null;
  text?: string | null;
}

export interface Change {
  row: IncidentRow;
  patch: IncidentPatch;
  action: StepAction;
  at: number;
  by?: string | null;
  value?: string | number | null;
  text?: string | null;
}

export const OFF_SHELF: IncidentPatch = { shelvedUntil: null, shelvedReason: null };

/** A device that is away explains all else that is wrong with it. */
export const isCause = (kind: IncidentRow['kind']): boolean => kind === 'offline';

/** It returned, has been quiet for a while, and needs nobody's answer. */
export const isOver = (row: IncidentRow, now: number): boolean =>
  row.condition === 'clear' &&
  row.clearedAt !== null &&
  row.clearedAt.getTime() + FLAP_MS <= now &&
  !(row.shelvedUntil && row.shelvedUntil.getTime() > now) &&
  (!row.isLatched || row.acknowledged.length > 0);

export const isCauseOver = (cause: IncidentRow | undefined, now: number): boolean =>
  !cause || (cause.condition === 'clear' && (cause.clearedAt?.getTime() ?? 0) + CAUSE_OVER_MS <= now);

export function closing(row: IncidentRow, reason: CloseReason, at: number): Change {
  const patch = { closedAt: new Date(at), closeReason: reason };
  return { row, patch, action: 'closed', at, text: reason };
}

const ACTIONS = { active: 'known', clear: 'returned', unknown: 'unknown', failed: 'failed' } as const;

export function turnOf(row: IncidentRow, { to, at, value, text }: Turn): Change {
  const patch: IncidentPatch = { condition: to, clearedAt: to === 'clear' ? new Date(at) : null };
  return { row, patch, action: ACTIONS[to], at, value: value ?? null, text: text ?? null };
}

export function rowOf(workgroup: string, opening: Opening): NewIncidentRow {
  const {
    alert,
    subject,
    at,
    since,
    reading,
    finding = null,
    condition = 'active',
    silenced = null,
  } = opening;
  return {
    id: randomUUID(),
    workgroup,
    alert: alert.id,
    subjectKey: subject.key,
    name: alert.name,
    kind: alert.kind,
    finding,
    severity: alert.severity,
    category: alert.category,
    device: subject.device,
    table: subject.table,
    source: subject.source,
    subject: subject.name,
    condition,
    isLatched: alert.latched,
    since: new Date(since),
    createdAt: new Date(at),
    changedAt: new Date(at),
    reading,
    silenced,
  };
}
