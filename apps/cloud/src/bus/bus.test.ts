import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Counter, Registry } from 'prom-client';
import type { Server } from 'socket.io';
import { beforeEach, expect, test } from 'vitest';
import { Bus, type Origin } from './bus.ts';
import { topic } from './topic.ts';

const told = topic<string>('test:told');
const here = topic<string>('test:here', { reach: 'process' });
const vital = topic<string>('test:vital', { reach: 'process', isVital: true });

let bus: Bus;
let lines: string[] = [];
let metrics: Registry;
beforeEach(() => {
  lines = [];
  metrics = new Registry();
  const failures = new Counter({
    name: 'failures',
    help: '-',
    labelNames: ['topic'],
    registers: [metrics],
  });
  const sink = new Writable({
    write: (line, _encoding, done) => done(void lines.push(String(line)) as never),
  });
  bus = new Bus({ log: pino(sink), failures });
});

/** Another process at the end of the wire: what it is sent, and how it sends. */
function connect(): { sent: unknown[][]; say: (name: string, message: unknown) => void } {
  const sent: unknown[][] = [];
  let say: (name: string, message: unknown) => void = () => {};
  const io = {
    serverSideEmit: (...args: unknown[]) => sent.push(args),
    on: (_event: string, listener: typeof say) => {
      say = listener;
    },
  };
  bus.connect(io as unknown as Server);
  return { sent, say: (name, message) => say(name, message) };
}

test('everybody who subscribed hears a message, in that order, before publish returns', () => {
  const heard: string[] = [];
  bus.subscribe(told, (message) => heard.push(`first ${message}`));
  bus.subscribe(told, (message) => heard.push(`second ${message}`));
  void bus.publish(told, 'a');
  expect(heard).toEqual(['first a', 'second a']);
});

test('publish waits for what the listeners began', async () => {
  let isDone = false;
  bus.subscribe(told, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    isDone = true;
  });
  await bus.publish(told, 'a');
  expect(isDone).toBe(true);
});

test('a handler that left hears nothing, and a bus that stopped calls no handler', () => {
  const heard: string[] = [];
  const leave = bus.subscribe(told, (message) => heard.push(message));
  bus.subscribe(told, (message) => heard.push(`other ${message}`));
  leave();
  void bus.publish(told, 'a');
  bus.stop();
  void bus.publish(told, 'b');
  expect(heard).toEqual(['other a']);
});

test('a listener that fails is logged and counted, and keeps the message from nobody', async () => {
  const heard: string[] = [];
  bus.subscribe(told, () => {
    throw new Error('broken');
  });
  bus.subscribe(told, () => Promise.reject(new Error('broken later')));
  bus.subscribe(told, (message) => heard.push(message));
  await bus.publish(told, 'a');
  expect(heard).toEqual(['a']);
  expect(lines).toHaveLength(2);
  expect(await metrics.metrics()).toContain('failures{topic="test:told"} 2');
});

test('a failure reaches the publisher of a vital topic, after all have heard', async () => {
  const heard: string[] = [];
  bus.subscribe(vital, () => Promise.reject(new Error('the tokens live on')));
  bus.subscribe(vital, async (message) => {
    await new Promise((resolve) => setImmediate(resolve));
    heard.push(message);
  });
  await expect(bus.publish(vital, 'a')).rejects.toThrow('the tokens live on');
  expect(heard).toEqual(['a']);
  expect(lines).toHaveLength(1);
});

test('one publish tells this process and the others, unless the topic is for this one alone', () => {
  const { sent, say } = connect();
  const heard: [string, Origin][] = [];
  bus.subscribe(told, (...all) => heard.push(all));
  bus.subscribe(here, (...all) => heard.push(all));
  void bus.publish(told, 'a');
  void bus.publish(here, 'b');
  say('test:told', 'c');
  expect(sent).toEqual([['bus', 'test:told', 'a']]);
  expect(heard).toEqual([
    ['a', { isOwn: true }],
    ['b', { isOwn: true }],
    ['c', { isOwn: false }],
  ]);
});

test('a failure over what another process told ends nothing', async () => {
  const { say } = connect();
  bus.subscribe(told, () => Promise.reject(new Error('broken')));
  say('test:told', 'a');
  say('test:nobody-knows', 'a');
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines).toHaveLength(1);
});

test('a name is declared once', () => {
  expect(() => topic('test:told')).toThrow('declared twice');
});
