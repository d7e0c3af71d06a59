import type { BoardStream } from '@albedo/contract/boards/streams.schema';
import { useMemo } from 'react';
import { useBoard } from '../board-context.ts';
import { type Line, linesOf, linesOfAll, NoLine } from '../lines.ts';

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

/** One line in the place of each stream; null where there is none, or nothing that it could be. Several add up. */
export function useLineOfEach(streams: readonly (BoardStream | undefined)[]): (Line | null)[] {
  const { world, entityId } = useBoard();
  return useMemo(
    () =>
      streams.map((stream) => {
        if (!stream) return null;
        const combine = stream.combine === 'each' ? 'sum' : stream.combine;
        try {
          return linesOf(world, entityId, { ...stream, combine })[0] ?? null;
        } catch (error) {
          if (error instanceof NoLine) return null;
          throw error;
        }
      }),
    [world, entityId, streams],
  );
}
