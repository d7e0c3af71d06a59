import { beforeEach, expect, test, vi } from 'vitest';
import { signOut } from '../../app/session.ts';
import { signInAs } from '../../app/test-screen.tsx';
import { endSession } from './sessions.queries.ts';

const KEYS = {
  'albedo.recent.zoe.demo': '[]',
  'albedo.board-clipboard': '{}',
  'albedo.plants.demo': '3',
  'albedo.board-draft.zoe.demo.1': '{}',
  'albedo.language': 'de',
  'albedo.table': '{}',
};
const left = () => Object.keys(KEYS).filter((key) => localStorage.getItem(key) !== null);

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  signInAs();
  for (const [key, value] of Object.entries(KEYS)) localStorage.setItem(key, value);
});

const KEPT = ['albedo.board-draft.zoe.demo.1', 'albedo.language', 'albedo.table'];

test('whoever signs out leaves unsaved work for themselves, and nothing else of theirs, also without a network', async () => {
  await endSession();
  expect(left()).toEqual(KEPT);
});

test('a session that ends by itself leaves the same', () => {
  signOut('expired');
  expect(left()).toEqual(KEPT);
});
