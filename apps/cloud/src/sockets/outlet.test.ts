import { EventEmitter } from 'node:events';
import type { Socket } from 'socket.io';
import { expect, test } from 'vitest';
import { Outlet } from './outlet.ts';

/** The part of a connection that says how much waits for its reader. */
class Connection extends EventEmitter {
  writeBuffer: unknown[] = [];

  /** The reader has read everything. */
  catchUp(): void {
    this.writeBuffer = [];
    this.emit('drain');
  }
}

function reader(): {
  connection: Connection;
  outlet: Outlet;
  got: string[];
  offer(key: string, value: string): void;
} {
  const connection = new Connection();
  const outlet = new Outlet({ conn: connection } as unknown as Socket);
  const got: string[] = [];
  const offer = (key: string, value: string) =>
    outlet.offer(key, () => {
      got.push(value);
      connection.writeBuffer.push(value);
    });
  return { connection, outlet, got, offer };
}

test('a reader that keeps up gets every sample', () => {
  const { connection, got, offer } = reader();
  for (let i = 0; i < 100; i++) {
    offer('feed', `${i}`);
    connection.catchUp();
  }
  expect(got).toHaveLength(100);
});

test('a slow reader misses samples between, and gets the last one of every feed in order', () => {
  const { connection, got, offer } = reader();
  for (let i = 0; i < 1000; i++) {
    offer('one', `one ${i}`);
    offer('two', `two ${i}`);
  }
  expect(got.length).toBeLessThan(100);
  connection.catchUp();
  expect(got.slice(-2)).toEqual(['one 999', 'two 999']);
  offer('one', 'one 1000');
  expect(got.at(-1)).toBe('one 1000');
});
