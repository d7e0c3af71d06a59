import { type Bus, hear } from '../bus/bus.ts';
import type { DeviceLink } from '../device-link/device-link.service.ts';
import { devicePresence } from '../device-link/device-link.topics.ts';
import type { Feature } from '../house/feature.ts';
import { eventsArrived, liveSaid, replySaid } from '../ingest/ingest.topics.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { Feeds } from './feeds.ts';
import type { LiveFeeds } from './live-feeds.service.ts';
import { devicesWatched, latestChanged, latestTold } from './live-feeds.topics.ts';
import { Requests } from './requests.ts';
import { WatchedElsewhere } from './watched-elsewhere.ts';
import { Watches } from './watches.ts';

/** What people see of devices as it happens. */
export function openLiveFeeds(of: {
  deviceLink: DeviceLink;
  registry: DeviceRegistry;
  bus: Bus;
}): Feature<LiveFeeds> {
  const { deviceLink, registry, bus } = of;
  const feeds = new Feeds((...asked) => deviceLink.ask(...asked));
  const requests = new Requests((...asked) => deviceLink.ask(...asked));
  const tell = (device: string, sources: Parameters<Watches['merge']>[1]) =>
    void bus.publish(latestChanged, { device, sources });
  const watches = new Watches(tell, bus);
  const elsewhere = new WatchedElsewhere({ watches, bus });
  return {
    name: 'live-feeds',
    service: { feeds, requests, watches },
    hears: [
      hear(eventsArrived, (arrival) => {
        watches.take(arrival.device, arrival.streams);
        elsewhere.tell(arrival);
      }),
      hear(liveSaid, ({ device, message }) => feeds.take(device, message)),
      hear(replySaid, ({ device, message }) => requests.takeReply(device, message)),
      hear(latestTold, ({ device, sources }, { isOwn }) => {
        if (!isOwn) for (const source of sources) watches.takeSource(device, source);
      }),
      hear(devicesWatched, (devices, { isOwn }) => {
        if (!isOwn) elsewhere.note(devices);
      }),
      hear(devicePresence, async ({ device, online }) => {
        if (online && (await registry.find(device))) feeds.renew(device);
      }),
    ],
    metrics: (metrics) =>
      metrics.gauge('albedo_live_feeds', 'Live feeds that run on devices.', () => feeds.size),
    start: () => elsewhere.start(),
    stop: () => {
      elsewhere.stop();
      feeds.stop();
      watches.stop();
    },
  };
}
