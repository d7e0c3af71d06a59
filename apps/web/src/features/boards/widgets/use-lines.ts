import type { BoardStream } from '@albedo/contract/boards/streams.schema';
import { useMemo } from 'react';
import { useBoard } from '../board-context.ts';
import { type Line, linesOfAll } from '../lines.ts';

const NONE: Line[] = [];

/** The lines of streams, seen from the entity of the board. Throws what `linesOfAll` throws; the frame of the widget says it. */
export function useLines(streams: readonly (BoardStream | undefined)[]): Line[] {
  const { world, entityId } = useBoard();
  const key = JSON.stringify(streams);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the streams are named by their text.
  return useMemo(() => {
    const given = streams.filter((one) => one !== undefined);
    return given.length === 0 ? NONE : linesOfAll(world, entityId, given);
  }, [world, entityId, key]);
}
