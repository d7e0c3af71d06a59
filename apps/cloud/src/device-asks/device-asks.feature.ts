import { randomUUID } from 'node:crypto';
import { type Bus, hear } from '../bus/bus.ts';
import type { DeviceLink } from '../device-link/device-link.service.ts';
import { devicePresence } from '../device-link/device-link.topics.ts';
import type { Health } from '../health/health.service.ts';
import { factsChanged } from '../health/health.topics.ts';
import type { Feature } from '../house/feature.ts';
import { DeviceAsks } from './device-asks.service.ts';
import { frameAsked, frameSaid } from './device-asks.topics.ts';

/** What the cloud asks of devices, from any process, see docs/decisions/0030. */
export function openDeviceAsks(of: {
  deviceLink: DeviceLink;
  health: Health;
  bus: Bus;
}): Feature<DeviceAsks> {
  const { bus, health, deviceLink } = of;
  const { link } = deviceLink;
  const asks = new DeviceAsks({
    isOnline: (device) => health.of(device).online,
    send: async (device, frame) => {
      if (link) return link.publish(device, 'ask', frame);
      void bus.publish(frameAsked, { id: randomUUID(), device, frame: frame.toString('base64') });
      return true;
    },
  });
  link?.onMessage((device, channel, payload) => {
    if (channel !== 'answer' || asks.receive(device, payload) || !bus.isShared) return;
    void bus.publish(frameSaid, { device, frame: payload.toString('base64') });
  });
  return {
    name: 'device-asks',
    service: asks,
    hears: [
      hear(frameAsked, async ({ id, device, frame }, { isOwn }) => {
        if (isOwn || !link?.isConnected) return;
        if (link.reachesAll && !(await deviceLink.isFirst(id))) return;
        await link.publish(device, 'ask', Buffer.from(frame, 'base64'));
      }),
      hear(frameSaid, ({ device, frame }, { isOwn }) => {
        if (!isOwn) asks.receive(device, Buffer.from(frame, 'base64'));
      }),
      hear(devicePresence, ({ device, online }) => {
        if (online) asks.arrived(device);
        else asks.left(device);
      }),
      hear(factsChanged, (changes) => {
        for (const { deviceId, facts } of changes) if (facts.online === false) asks.left(deviceId);
      }),
    ],
    metrics: (metrics) =>
      metrics.gauge(
        'albedo_device_asks',
        'What devices are asked and have not answered yet.',
        () => asks.size,
      ),
    start: () => asks.start(),
    stop: () => asks.stop(),
  };
}
