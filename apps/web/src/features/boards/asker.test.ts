import type { BoardQuestionInput } from '@albedo/contract/boards/answers.schema';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, signInAs } from '../../app/test-screen.tsx';
import { askAsMember } from './asker.ts';

const socket = vi.hoisted(() => ({ isLive: vi.fn(() => true), requestEach: vi.fn() }));
vi.mock('../../app/socket.ts', async (original) => ({ ...(await original<object>()), ...socket }));

const question = (table: string): BoardQuestionInput => ({ id: table, kind: 'search', table }) as never;
const answer = (id: string) => ({ id, search: { records: [], total: 0 } });

test('what the socket cuts off is asked once more by a call, without what was answered', async () => {
  signInAs();
  const asked = fakeNetwork(() => ({ body: [answer('1')] }));
  socket.requestEach.mockImplementation(async (_action, _body, take) => {
    take(answer('0'));
    socket.isLive.mockReturnValue(false);
    throw new Error('Socket disconnected');
  });
  const ask = askAsMember('demo');
  const { signal } = new AbortController();
  const answers = await Promise.all([ask(question('first'), signal), ask(question('second'), signal)]);
  expect(answers.map(({ id }) => id)).toEqual(['0', '1']);
  const calls = asked.filter(({ method }) => method === 'POST');
  expect(calls.map(({ body }) => body)).toMatchObject([{ questions: [{ table: 'second' }] }]);
});

test('what the server refuses over a socket that stands is told', async () => {
  socket.isLive.mockReturnValue(true);
  socket.requestEach.mockRejectedValue(new Error('Timeout on board:ask'));
  const asked = fakeNetwork(() => ({ body: [] }));
  const ask = askAsMember('demo');
  await expect(ask(question('first'), new AbortController().signal)).rejects.toThrow('Timeout on board:ask');
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
});
