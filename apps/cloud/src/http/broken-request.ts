import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors/app-error.ts';

/** Answers what the parser of HTTP refuses, in the shape of all other answers, and hangs up. */
export function refuseBroken(failure: NodeJS.ErrnoException, socket: Socket): void {
  if (failure.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, body } = answerTo(failure);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** Only what speaks broken HTTP reads this, so it has no name in the catalogue. */
const NOT_HTTP = 'This is not HTTP.';

function answerTo({ code }: NodeJS.ErrnoException): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('request.address_long');
  return new AppError('request.invalid', { what: NOT_HTTP });
}
