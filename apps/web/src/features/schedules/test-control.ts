import type {
  ControlPolicy,
  DeviceSchedule,
  DeviceSetpoint,
  InverterFollows,
  Rehearsal,
  Schedule,
  ScheduleVersion,
} from '@albedo/contract/schedules/schedules.schema';
import { buildDevice } from '../../app/test-device.ts';
import type { Exchange } from '../../app/test-screen.tsx';

export const HOUR = 3_600_000;
export const PATH = 'operator/setpoint_activepower';
/** Its site is in Rome. */
export const device = {
  ...buildDevice('Hilltop'),
  settings: { info: { Timezone: 'Europe/Rome' } },
};
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
export const SCHEDULE_ID = id(1);
export const SHARED_ID = id(2);

export const buildSetpoint = (more: Partial<DeviceSetpoint> = {}): DeviceSetpoint => ({
  deviceId: device.id,
  path: PATH,
  kind: 'setpoint_activepower',
  provider: 'operator',
  type: 'schedule',
  isEnabled: true,
  value: null,
  fault: null,
  currentDeviceSchedule: null,
  pendingDeviceSchedule: null,
  bounds: {
    ...{ least: null, most: null, step: null, rampPerMinute: null },
    ...{ dwellMinutes: null, persistentWritesADay: null, whenLost: null },
  },
  discoveredAt: Date.now(),
  ...more,
});

export const entry = (at: number, value: string) => ({
  path: PATH,
  datetime: new Date(at).toISOString(),
  value,
});

export const buildDeviceSchedule = (more: Partial<DeviceSchedule> = {}): DeviceSchedule => ({
  _id: SCHEDULE_ID,
  deviceId: device.id,
  setpoint: PATH,
  schedule: null,
  entries: [entry(Date.now() - HOUR, '60%'), entry(Date.now() + 2 * HOUR, '')],
  name: 'Grid works',
  description: '',
  until: null,
  origin: 'schedule',
  state: 'draft',
  step: null,
  asks: null,
  askedBy: null,
  reason: null,
  version: null,
  author: 'max@example.org',
  editors: ['max@example.org'],
  approver: null,
  changedAt: Date.now() - 60_000,
  approvableUntil: null,
  trialUntil: null,
  appliedAt: null,
  inverters: [],
  ...more,
});

export const buildInverter = (
  number: number,
  result: InverterFollows['result'] = 'followed',
  why = '',
): InverterFollows => ({
  name: `Inverter ${number}`,
  register: 'WMaxLimPct',
  wanted: '60 %',
  readBack: result === 'notFollowed' ? '100 %' : '60 %',
  powerW: 30_000,
  result,
  why,
  isForeign: false,
  at: Date.now(),
});

export const buildVersion = (version: number, more: Partial<ScheduleVersion> = {}): ScheduleVersion => ({
  deviceScheduleId: SCHEDULE_ID,
  deviceId: device.id,
  setpoint: PATH,
  version,
  name: 'Grid works',
  origin: 'schedule',
  entries: [entry(Date.UTC(2026, 5, 1, 10), '60%'), entry(Date.UTC(2026, 5, 1, 13), '')],
  until: null,
  author: 'max@example.org',
  approver: 'ida@example.org',
  reason: null,
  outcome: 'over',
  why: null,
  sentAt: Date.UTC(2026, 5, 1, 9),
  endedAt: null,
  ...more,
});

export const buildRehearsal = (more: Partial<Rehearsal> = {}): Rehearsal => ({
  zone: 'Europe/Rome',
  entries: [
    {
      datetime: '2026-12-01T11:00:00.000Z',
      siteTime: '2026-12-01T12:00:00+01:00',
      value: '60%',
      inverters: [{ name: 'Inverter 1', register: 'WMaxLimPct 6000 (SF -2)', kw: 30 }],
    },
  ],
  entryCount: 1,
  inverters: [
    {
      ...{ name: 'Inverter 1', isReached: true, model: 123, ratedKw: 50, mayWrite: 'yes', why: '' },
      ...{ whenLost: 'release', fallback: null, timerS: 60, isPersistent: false, persistentWritesToday: 0 },
    },
  ],
  curtailedKwh: 84,
  curtailedWhy: null,
  problems: [],
  isStop: false,
  needs: 'secondPerson',
  ...more,
});

export const buildShared = (more: Partial<Schedule> = {}): Schedule => ({
  _id: SHARED_ID,
  name: 'Midday limit',
  description: '',
  entries: [entry(Date.UTC(2026, 11, 1, 11), '60%'), entry(Date.UTC(2026, 11, 1, 14), '')],
  devices: [],
  author: 'zoe@example.org',
  changedAt: Date.now() - 60_000,
  ...more,
});

const POLICY: ControlPolicy = {
  twoPeople: 'auto',
  holders: 2,
  needs: 'secondPerson',
  changedBy: null,
  changedAt: null,
};

export interface World {
  setpoints?: DeviceSetpoint[];
  schedules?: DeviceSchedule[];
  versions?: ScheduleVersion[];
  shared?: Schedule[];
  policy?: Partial<ControlPolicy>;
  isOnline?: boolean;
}

/** What the server answers to questions; what is changed is answered by each test. */
export function answerOf(world: World, { path, method }: Exchange): { body: unknown } | null {
  if (method !== 'GET') return null;
  const facts = { ...device.facts, online: world.isOnline ?? true };
  if (path.endsWith('/setpoints')) return { body: world.setpoints ?? [] };
  if (path.endsWith('/versions')) return { body: world.versions ?? [] };
  if (path.endsWith('/policy')) return { body: { ...POLICY, ...world.policy } };
  if (/\/schedules\/[^/]+\/device$/.test(path)) return { body: world.schedules ?? [] };
  if (/\/schedules\/[^/]+$/.test(path)) return { body: world.shared ?? [] };
  if (/\/devices\/[^/]+$/.test(path)) return { body: [{ ...device, facts }] };
  if (path.endsWith(device.id)) return { body: { ...device, facts } };
  return { body: [] };
}
