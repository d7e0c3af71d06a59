import { SETPOINT_KINDS, type SetpointKind } from './setpoints.ts';

export const SCHEDULE_LIMITS = {
  /** Entries of one schedule. */
  entries: 10_000,
  /** Shared schedules of a workgroup, and schedules of one device. */
  schedules: 1000,
  ofDevice: 500,
  /** Devices that one shared schedule is handed to at once. */
  devices: 200,
  /** Entries that a rehearsal answers with their registers; it judges all of them. */
  rehearsed: 200,
} as const;

/** What was asked for and not approved by then is a draft again, ms. */
export const APPROVAL_WAIT_MS = 24 * 3_600_000;
/** A manual override ends so long after the cloud was last heard of, ms. */
export const OVERRIDE_LEASE_MS = 15 * 60_000;
/** A trial goes back by itself so long after it began, unless somebody confirms it, minutes. */
export const TRIAL_MINUTES = [5, 15, 60] as const;

/** The word that a lone owner types to approve their own work. */
export const LONE_PHRASE = 'I APPROVE THIS ALONE';

/** Draft (grey), Pending (warning), Applied (positive). Source: specification 2, section 4. */
export const SCHEDULE_STATES = ['draft', 'pending', 'applied'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];
/** What a pending one waits for. */
export const SCHEDULE_STEPS = ['approval', 'sending', 'confirming'] as const;
export type ScheduleStep = (typeof SCHEDULE_STEPS)[number];

/** What a look at an inverter found, for one setpoint. */
export const FOLLOW_RESULTS = ['followed', 'notFollowed', 'notTestable'] as const;
export type FollowResult = (typeof FOLLOW_RESULTS)[number];

/**
 * What became of a version. `refused`: by the second person; `failed`: it never held; `reverted`: it held, and what was before
 * came back by itself; `released`: somebody ended it; `replaced`: by a later version; `over`: its end came.
 */
export const VERSION_OUTCOMES = [
  'pending',
  'applied',
  'refused',
  'failed',
  'reverted',
  'released',
  'replaced',
  'over',
] as const;
export type VersionOutcome = (typeof VERSION_OUTCOMES)[number];

const PATH = new RegExp(`^[A-Za-z0-9][A-Za-z0-9_-]{0,59}/(?:${SETPOINT_KINDS.join('|')})$`);
export const isSetpointPath = (path: string): boolean => PATH.test(path);
/** The kind of the path of a setpoint, `<provider>/<kind>`. */
export const kindOfPath = (path: string): SetpointKind => path.slice(path.indexOf('/') + 1) as SetpointKind;
export const providerOfPath = (path: string): string => path.slice(0, path.indexOf('/'));
