import { createHash, X509Certificate } from 'node:crypto';
import { scheduleFile } from '@albedo/contract/schedules/schedule-file';
import {
  CONTROL_SIGNER,
  CONTROL_SIGNING,
  type ControlOrder,
  controlOrder,
} from '@albedo/contract/schedules/schedules.order';
import type { InverterFollows, RehearsalOnDevice } from '@albedo/contract/schedules/schedules.schema';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { connectAgent, type FakeAgent } from './fake-agent.ts';
import type { TestCloud } from './test-cloud.ts';

export const PATH = 'operator/setpoint_activepower';

/** A device with a control plugin that obeys orders as an agent does, and what it heard. */
export interface ControlDevice {
  agent: FakeAgent;
  id: string;
  /** Orders that were taken, oldest first. */
  orders: ControlOrder[];
  /** What each inverter makes of it; changed by tests. */
  inverters: InverterFollows[];
  rehearsed: RehearsalOnDevice['inverters'];
  /** What lies in the file; null for none. */
  file: { datetime: string; value: string }[] | null;
  version: number | null;
  /** Why it cannot read its file. */
  fault: string | null;
  /** Of orders that the cloud has forgotten. */
  newest: number | null;
  /** Asked before it answers an order; throws where it refuses. */
  onOrder: (order: ControlOrder) => void;
}

export const follows = (result: InverterFollows['result'], more: Partial<InverterFollows> = {}) => ({
  ...{ name: 'Inverter 1', register: 'WMaxLimPct', wanted: '60%', readBack: '60%', powerW: 100, result },
  ...{ why: result === 'followed' ? '' : 'it says 100 %', isForeign: false, at: Date.now(), ...more },
});

export async function connectControl(
  cloud: TestCloud,
  workgroup = 'main',
  name = 'Plant',
): Promise<ControlDevice> {
  const { caPem } = cloud.cloud.features.certificates;
  const device = {
    orders: [] as ControlOrder[],
    inverters: [follows('followed')],
    rehearsed: [] as RehearsalOnDevice['inverters'],
    file: null,
    version: null,
    fault: null,
    newest: null,
    onOrder: () => {},
  } as unknown as ControlDevice;
  const take = (jws: string) => {
    const order = read(jws, caPem);
    device.onOrder(order);
    const isSame = order.version === device.version;
    if (order.action === 'confirm' || (isSame && order.action !== 'renew'))
      return { version: order.version, sha256: hash(device.file) };
    if (!isSame && order.version < (device.version ?? 0)) throw new Error('an older version');
    device.orders.push(order);
    device.version = order.version;
    const text = scheduleFile(order);
    device.file =
      order.action === 'release'
        ? null
        : text
            .trim()
            .split('\n')
            .slice(1)
            .map((line) => ({ datetime: line.split(',')[0] ?? '', value: line.split(',')[1] ?? '' }));
    return { version: order.version, sha256: hash(device.file) };
  };
  device.agent = await connectAgent(cloud, workgroup, name, {
    answers: (kind, input: never) => {
      const asked = input as { order: string; version: number };
      if (kind === 'schedules.order') return take(asked.order);
      if (kind === 'schedules.watch')
        return { value: null, version: device.version, inverters: device.inverters };
      if (kind === 'schedules.rehearse') return { entries: [], inverters: device.rehearsed };
      if (kind === 'schedules.read') return { setpoints: [setpointOf(device)] };
      return {};
    },
  });
  device.id = device.agent.id;
  return device;
}

const setpointOf = ({ file, version, fault, newest }: ControlDevice) => ({
  ...{ path: PATH, kind: 'setpoint_activepower', type: 'schedule', isEnabled: true },
  ...{ value: null, fault, entries: file, version, newest },
});

const hash = (file: ControlDevice['file']): string | null =>
  file &&
  createHash('sha256')
    .update(scheduleFile({ entries: file, endsAt: null }))
    .digest('hex');

const payloads = new Map<string, ControlOrder>();

/** Checks an order as an agent does, but for its signature, which `verified` checks. */
function read(jws: string, caPem: string): ControlOrder {
  const { x5c } = decodeProtectedHeader(jws) as { x5c?: string[] };
  const signer = new X509Certificate(Buffer.from(x5c?.[0] ?? '', 'base64'));
  if (!signer.verify(new X509Certificate(caPem).publicKey)) throw new Error('another authority');
  if (!signer.subject.includes(`CN=${CONTROL_SIGNER}`)) throw new Error('another signer');
  if (!signer.keyUsage.includes(CONTROL_SIGNING)) throw new Error('not for control');
  const payload = jws.split('.')[1] ?? '';
  const order = controlOrder.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  payloads.set(jws, order);
  return order;
}

/** Throws where any order so far was not signed by the key of its certificate. */
export async function verified(): Promise<number> {
  for (const jws of payloads.keys()) {
    const { x5c } = decodeProtectedHeader(jws) as { x5c?: string[] };
    const signer = new X509Certificate(Buffer.from(x5c?.[0] ?? '', 'base64'));
    await compactVerify(jws, signer.publicKey);
  }
  return payloads.size;
}
