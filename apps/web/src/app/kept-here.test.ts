import { beforeEach, expect, test, vi } from 'vitest';
import { endSession } from '../features/sessions/sessions.queries.ts';
import { signOut } from './session.ts';
import { signInAs } from './test-screen.tsx';

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

test('whoever signs out leaves nothing of theirs in the browser, also without a network', async () => {
  await endSession();
  expect(left()).toEqual(['albedo.language', 'albedo.table']);
});

test('a session that ends by itself leaves unsaved work for its person, and nothing else of theirs', () => {
  signOut('expired');
  expect(left()).toEqual(['albedo.board-draft.zoe.demo.1', 'albedo.language', 'albedo.table']);
});
