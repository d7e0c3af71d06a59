import type { Unit } from './outbox.events.ts';
import type { Outbox } from './outbox.ts';

/** Where captured events go. Captures call nothing else of the agent. */
export interface Sink {
  append(unit: Unit): void;
  /** Whether a file may be read on; the file itself is the buffer until then. */
  hasRoom: Outbox['hasRoom'];
  position: Outbox['position'];
  positionKeys: Outbox['positionKeys'];
}

/** One running capture: a scenario, or a folder of them. */
export interface RunningCapture {
  start(): void;
  stop(): void;
  /** Bytes known to be in followed files and not read yet. */
  unreadBytes?(): number;
}
