import { type AlertKind, type NewAlert, newAlert } from '@albedo/contract/alerts/alerts.schema';

/** Parts of an alert that only some kinds have. */
export type KindPart =
  | 'table'
  | 'conditions'
  | 'aggregate'
  | 'clearConditions'
  | 'field'
  | 'percent'
  | 'findings'
  | 'forMinutes'
  | 'clearMinutes'
  | 'delaySeconds';

/** What each kind is made of. */
const PARTS: Readonly<Record<AlertKind, readonly KindPart[]>> = {
  query: [
    'table',
    'conditions',
    'aggregate',
    'clearConditions',
    'forMinutes',
    'clearMinutes',
    'delaySeconds',
  ],
  absent: ['table', 'forMinutes', 'clearMinutes'],
  offline: ['forMinutes', 'clearMinutes'],
  deviation: ['table', 'field', 'percent', 'forMinutes', 'clearMinutes', 'delaySeconds'],
  stuck: ['table', 'field', 'forMinutes', 'clearMinutes'],
  event: ['table', 'conditions', 'clearMinutes'],
  finding: ['findings', 'forMinutes', 'clearMinutes'],
  network: [],
  control: ['findings'],
};

/** The kinds in the order in which they are offered. */
export const KINDS = Object.keys(PARTS) as AlertKind[];

export const hasPart = (kind: AlertKind, part: KindPart): boolean => PARTS[kind].includes(part);

/** What a part is where its kind has no use for it. */
const IDLE = {
  table: null,
  conditions: [],
  aggregate: null,
  clearConditions: [],
  field: null,
  percent: null,
  findings: [],
  forMinutes: 0,
  clearMinutes: 0,
  delaySeconds: 0,
} as const satisfies Record<KindPart, unknown>;

/** What a part begins with, where its kind cannot do without it. */
const FIRST: Partial<Record<AlertKind, Partial<NewAlert>>> = {
  offline: { forMinutes: 10 },
  query: { forMinutes: 5, clearMinutes: 5 },
  absent: { forMinutes: 15 },
  deviation: { percent: 80, forMinutes: 15, clearMinutes: 5 },
  stuck: { forMinutes: 60 },
  finding: { findings: ['below', 'standing', 'fault', 'silent'] },
  control: { findings: ['notFollowed', 'foreignWrite'] },
};

/** A new alert, of which only its name and what it asks is missing. */
export const blankAlert = (): NewAlert =>
  ({ ...newAlert.parse({ name: '-', kind: 'offline' }), name: '', ...FIRST.offline }) as NewAlert;

/** What changes with the kind: what the new one has no use for goes, what it needs comes. */
export function withKind(kind: AlertKind, draft: NewAlert): Partial<NewAlert> {
  const idle = Object.entries(IDLE).filter(([part]) => !hasPart(kind, part as KindPart));
  const first = Object.entries(FIRST[kind] ?? {}).filter(([part]) => {
    const value = draft[part as keyof NewAlert];
    return value === null || value === 0 || (Array.isArray(value) && value.length === 0);
  });
  return { kind, ...Object.fromEntries(idle), ...Object.fromEntries(first) };
}
