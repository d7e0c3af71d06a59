import type { BoardAnswer, BoardQuestion } from '@albedo/contract/boards/answers.schema';
import { boardQuestions } from '@albedo/contract/boards/answers.schema';
import type { CombinedSeries } from '@albedo/contract/telemetry/telemetry.schema';
import { expect, test } from 'vitest';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { Answers } from './answers.service.ts';

const DEVICES: string[] = Array.from({ length: 24 }, () => crypto.randomUUID());
const questions: BoardQuestion[] = boardQuestions.parse({
  questions: DEVICES.map((device, n) => ({
    ...{ id: String(n), kind: 'series', from: 0, to: 1000 },
    series: [{ streams: [{ device, table: 'data', source: 'inv', field: 'power' }] }],
  })),
}).questions;

test('widgets whose data is slow, more than are asked at once, keep no other one waiting', async () => {
  const slow = new Set<string>(DEVICES.slice(0, 6));
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const series = async ({ combined: [one] }: { combined: CombinedSeries[] }) => {
    if (slow.has(one?.streams[0]?.device ?? '')) await released;
    return [{ times: [0], avg: [1] }];
  };
  const answers = new Answers({
    telemetry: { for: () => ({ series }) } as unknown as Telemetry,
    log: { error() {} } as never,
  });
  const told = new Set<string>();
  let others = () => {};
  const othersTold = new Promise<void>((resolve) => {
    others = resolve;
  });
  const done = answers.tell({} as never, questions, new AbortController().signal, (answer: BoardAnswer) => {
    told.add(answer.id);
    if (told.size === DEVICES.length - slow.size) others();
  });
  await othersTold;
  expect([...told].every((id) => Number(id) >= slow.size)).toBe(true);
  release();
  await done;
  expect(told.size).toBe(DEVICES.length);
});
