import { join } from 'node:path';
import { demoApi } from '@albedo/contract/demo/demo.api';
import { DEMO_WORKGROUP } from '@albedo/contract/demo/demo.names';
import { demoEvents } from '@albedo/contract/demo/demo.socket';
import { hear } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Health } from '../health/health.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { eventsLate } from '../ingest/ingest.topics.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { DemoFilling } from './demo.filling.ts';

/** Shows people how far the history of the demo has arrived. */
export function openDemo(of: {
  config: Pick<Config, 'isDemo'>;
  dataDir: string;
  health: Health;
  sockets: Sockets;
}): Feature<DemoFilling> {
  const { config, dataDir, health, sockets } = of;
  const teller = sockets.teller(demoEvents, { 'demo:filling': 'everyone' });
  const filling = new DemoFilling({
    file: config.isDemo ? join(dataDir, 'demo/history.json') : null,
    unsent: (devices) =>
      devices.reduce<number | null>((sum, id) => {
        const { pendingEvents } = health.of(id);
        return sum === null || pendingEvents === null ? null : sum + pendingEvents;
      }, 0),
    tell: (filling) => teller.emit(DEMO_WORKGROUP.name, 'demo:filling', { filling }),
  });
  return {
    name: 'demo',
    service: filling,
    hears: [hear(eventsLate, ({ device, oldestAt }) => filling.late(device, oldestAt))],
    routes: (app) => bind(app, demoApi, { filling: (call) => ({ filling: filling.of(call.workgroup) }) }),
    start: () => filling.start(),
    stop: () => filling.stop(),
  };
}
