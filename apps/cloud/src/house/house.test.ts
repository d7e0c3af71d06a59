import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Bus, hear } from '../bus/bus.ts';
import { topic } from '../bus/topic.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Feature } from './feature.ts';
import { House } from './house.ts';
import { Shutdown } from './shutdown.ts';

const said = topic<string>('test:house');

function build() {
  const log = pino({ level: 'silent' });
  const bus = new Bus({ log });
  const shutdown = new Shutdown(log);
  const steps: string[] = [];
  const feature = (name: string, more: Partial<Feature<string>> = {}): Feature<string> => ({
    name,
    service: `service of ${name}`,
    start: () => steps.push(`start ${name}`),
    stop: () => steps.push(`stop ${name}`),
    ...more,
  });
  return {
    bus,
    shutdown,
    steps,
    feature,
    house: new House({ bus, jobs: { add: () => {} }, metrics: new Metrics(), shutdown }),
  };
}

test('features start in the order in which they are opened, and stop in reverse', async () => {
  const { house, shutdown, steps, feature } = build();
  expect(await house.open(feature('a'))).toBe('service of a');
  await house.open(Promise.resolve(feature('b')));
  await shutdown.run();
  expect(steps).toEqual(['start a', 'start b', 'stop b', 'stop a']);
});

test('a feature that stopped hears nothing any more, and one that could not start neither', async () => {
  const { house, bus, shutdown, steps, feature } = build();
  const hears = [hear(said, (message) => steps.push(`heard ${message}`))];
  const start = () => Promise.reject(new Error('no room'));
  await expect(house.open(feature('broken', { hears, start }))).rejects.toThrow('no room');
  await bus.publish(said, 'nobody is in');
  await house.open(feature('a', { hears }));
  await bus.publish(said, 'hello');
  await shutdown.run();
  await bus.publish(said, 'too late');
  // What did not start is not stopped.
  expect(steps).toEqual(['start a', 'heard hello', 'stop a']);
});

test('what has to work is asked of all features', async () => {
  const { house, feature } = build();
  await house.open(feature('a', { checks: { engine: () => 1 } }));
  await house.open(feature('b', { checks: { other: () => 2 } }));
  expect(Object.keys(house.checks)).toEqual(['engine', 'other']);
});

test('a feature is opened once', async () => {
  const { house, feature } = build();
  await house.open(feature('a'));
  await expect(house.open(feature('a'))).rejects.toThrow('a is opened twice');
});

test('a part that never ends holds up nobody', async () => {
  const shutdown = new Shutdown(pino({ level: 'silent' }), { patienceMs: 20 });
  const stopped: string[] = [];
  shutdown.add('engine', () => stopped.push('engine'));
  shutdown.add('stuck', () => new Promise(() => {}));
  await shutdown.run();
  expect(stopped).toEqual(['engine']);
});
