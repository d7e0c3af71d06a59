import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './call.ts';
import { useLastStateAt, withLastState } from './last-state.ts';
import { signOut } from './session.ts';
import { signInAs } from './test-screen.tsx';

const kept = vi.hoisted(() => new Map<string, unknown>());
vi.mock('idb-keyval', () => ({
  createStore: () => 'store',
  get: async (key: string) => kept.get(key),
  set: async (key: string, value: unknown) => void kept.set(key, value),
  del: async (key: string) => void kept.delete(key),
  entries: async () => [...kept],
}));

const answered = (value: unknown) => () => Promise.resolve(value);
const unreachable = () => Promise.reject(new ApiError(-1, 'The server cannot be reached.'));
const NOON = Date.UTC(2026, 10, 22, 12);

beforeEach(() => {
  kept.clear();
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
  return () => void vi.useRealTimers();
});

test('without a network the last reply is answered, with its age, until the server answers again', async () => {
  signInAs();
  const { result } = renderHook(useLastStateAt);
  expect(await withLastState('devices demo', answered(['Roof']))).toEqual(['Roof']);
  expect(result.current).toBeNull();
  vi.setSystemTime(NOON + 600_000);
  await act(async () => expect(await withLastState('devices demo', unreachable)).toEqual(['Roof']));
  expect(result.current).toBe(NOON);
  await act(async () => void (await withLastState('devices demo', answered([]))));
  expect(result.current).toBeNull();
});

test('what gives up while the server answers others is asked once more, and fails by itself rather than call the server away', async () => {
  signInAs();
  const { result } = renderHook(useLastStateAt);
  await withLastState('devices demo', answered(['Roof']));
  const givesUpLate = async () => {
    await new Promise((done) => setTimeout(done, 5));
    await withLastState('latest demo', answered([]));
    throw new ApiError(-1, 'Request timed out');
  };
  const ask = vi.fn<() => Promise<string[]>>().mockImplementationOnce(givesUpLate);
  ask.mockResolvedValueOnce(['Mast']);
  await act(async () => expect(await withLastState('devices demo', ask)).toEqual(['Mast']));
  expect(result.current).toBeNull();
  await expect(withLastState('devices demo', givesUpLate)).rejects.toThrow('timed out');
  expect(result.current).toBeNull();
});

test('what the server refuses is refused, and what was never kept fails as it did', async () => {
  signInAs();
  await withLastState('devices demo', answered(['Roof']));
  const refused = new ApiError(403, 'Forbidden');
  await expect(withLastState('devices demo', () => Promise.reject(refused))).rejects.toBe(refused);
  await expect(withLastState('devices other', unreachable)).rejects.toThrow('cannot be reached');
});

test('nothing is kept of who signed out, and nobody reads what another person was shown', async () => {
  signInAs();
  await withLastState('devices demo', answered(['Roof']));
  signInAs({ _id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff' });
  await expect(withLastState('devices demo', unreachable)).rejects.toThrow();
  await withLastState('devices demo', answered(['Mast']));
  signOut('asked');
  await vi.waitFor(() => expect(kept.size).toBe(0));
});

test('a state of a week ago tells nothing any more', async () => {
  signInAs();
  await withLastState('devices demo', answered(['Roof']));
  vi.setSystemTime(NOON + 8 * 86_400_000);
  await expect(withLastState('devices demo', unreachable)).rejects.toThrow();
});

test('what another release kept goes a minute after this one started, and not before', async () => {
  signInAs();
  const started = vi.spyOn(performance, 'now').mockReturnValue(5000);
  kept.set('somebody 0.0.1 devices demo', { value: ['Roof'], at: NOON, version: '0.0.1' });
  await withLastState('devices demo', answered(['Mast']));
  await vi.waitFor(() => expect(kept.size).toBe(2));
  started.mockReturnValue(61_000);
  await withLastState('devices demo', answered(['Mast']));
  await vi.waitFor(() => expect(kept.size).toBe(1));
  started.mockRestore();
});
