import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Player } from './player.ts';

const part = (atMs: number, text: string) => ({ atMs, output: btoa(text), size: null });
const PARTS = [part(0, 'a'), part(100, 'b'), part(60_000, 'c'), part(60_100, 'd')];

let seen = '';
const told = vi.fn<(atMs: number, isPlaying: boolean) => void>();
const screen = {
  show: (bytes: Uint8Array) => {
    seen += new TextDecoder().decode(bytes);
  },
  resize: () => {},
  reset: () => {
    seen = '';
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  seen = '';
  told.mockClear();
});
afterEach(() => vi.useRealTimers());

test('a recording is played in its time, long pauses shortened, and again from the start', () => {
  const player = new Player(PARTS, screen, told);
  player.play();
  expect(seen).toBe('a');
  vi.advanceTimersByTime(100);
  expect(seen).toBe('ab');
  vi.advanceTimersByTime(1500);
  expect(seen).toBe('abc');
  vi.advanceTimersByTime(100);
  expect([seen, told.mock.lastCall]).toEqual(['abcd', [60_100, false]]);
  player.play();
  expect([seen, told.mock.lastCall]).toEqual(['a', [0, true]]);
});

test('one may stop, and look at any moment of it', () => {
  const player = new Player(PARTS, screen, told);
  player.play();
  player.pause();
  vi.advanceTimersByTime(10_000);
  expect([seen, told.mock.lastCall]).toEqual(['a', [0, false]]);
  player.goTo(60_050);
  expect([seen, told.mock.lastCall]).toEqual(['abc', [60_000, true]]);
  player.goTo(100);
  player.pause();
  player.play();
  expect(seen).toBe('abc');
});
