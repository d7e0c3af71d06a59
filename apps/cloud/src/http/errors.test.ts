import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { handleError } from './errors.ts';

/** What is logged of a failure, by level. */
function loggedOf(failure: Error, hasLeft: boolean): string[] {
  const logged: string[] = [];
  const log = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((level) => [level, () => logged.push(level)]),
  );
  const reply: object = { status: () => reply, type: () => reply, send: vi.fn(() => reply) };
  const request = { raw: { socket: { destroyed: hasLeft } }, routeOptions: {}, log };
  handleError(failure, request as unknown as FastifyRequest, reply as FastifyReply);
  return logged;
}

test('a read that ends because its reader left is no failure; one that ends otherwise is', () => {
  const aborted = new Error('The user aborted a request.');
  expect(loggedOf(aborted, true)).toEqual(['debug']);
  expect(loggedOf(new DOMException('This operation was aborted', 'AbortError'), true)).toEqual(['debug']);
  expect(loggedOf(new Error('Premature close'), true)).toEqual(['debug']);
  expect(loggedOf(aborted, false)).toEqual(['error']);
  expect(loggedOf(new TypeError('x is not a function'), true)).toEqual(['error']);
});
