import type { BoardStream } from '../streams.schema.ts';

/** What machines report beside the state that a list shows: an inverter that lost a string still says that it produces. */
export function eventBeside(state: BoardStream | undefined): BoardStream | undefined {
  if (state?.role !== 'state') return undefined;
  const { name: _, ...stream } = state;
  return { ...stream, role: 'event' };
}
