import type { BoardQuestionInput } from '@albedo/contract/boards/answers.schema';
import type { BoardItem } from '@albedo/contract/boards/board-items';
import type { Bindings, ChoiceWorld } from '@albedo/contract/boards/variables';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { KnownWorld } from '../../app/entity-world-query.ts';
import type { Label } from '../../app/labels.ts';
import { withLastState } from '../../app/last-state.ts';
import type { Zoom } from '../../app/series/use-span.ts';
import type { Span, TimeRange } from '../../ui/time-range/time-range.ts';
import type { Words } from '../lookup-tables/lookup-tables.queries.ts';
import type { Ask } from './asker.ts';
import type { DisplayKpis } from './displays/display-kpis.ts';
import type { LiveSource } from './live-values.ts';
import type { Widget } from './widget.ts';

/** Where the values of a board come from. */
export interface BoardSource {
  ask: Ask;
  live: LiveSource;
  /** What stored codes mean. */
  words: Words;
  /** The labels of the workgroup, for variables; a display has none to choose. */
  labels: readonly Label[];
  /** On a display, what can be chosen of variables. */
  offered?: ChoiceWorld['offered'];
  /** A screen with a display link: nothing else of the workgroup is there to be asked for. */
  isDisplay: boolean;
  /** How a display asks for KPIs; without it the board asks as its reader does. */
  kpis?: DisplayKpis;
}

/** What all widgets of a board have in common. */
export interface BoardContext extends KnownWorld, BoardSource {
  wg: string;
  /** The entity that the board shows. */
  entityId: string;
  span: Span;
  /** What was chosen; `span` is what it means now. */
  range: TimeRange;
  /** IANA name. */
  zone: string;
  /** Days are those of each site, by its own clock. */
  isSiteTime: boolean;
  /** The range follows the clock. */
  isLive: boolean;
  zooming: Zoom;
  /** Nothing can be followed or opened while somebody edits. */
  isEditing: boolean;
  /** What draws a widget; undefined for one that is not known here. */
  widgetOf: (kind: string) => Widget | undefined;
  /** Settings of a widget with their defaults; null where it is not known here, or not as it should be. */
  settingsOf: (item: BoardItem) => unknown;
  /** Columns and rows of a widget without a place. */
  sizeOf: (item: BoardItem) => { w: number; h: number };
  /** What variables are here; `{{name}}` stands for them. */
  bindings: Bindings;
  /** What was chosen of variables, and how to choose; those of a widget are called by its id, a full stop and their name. */
  choices: VariableChoices;
  /** Opens another entity in this board, where it can. */
  openEntity: (id: string) => void;
}

export interface VariableChoices {
  chosen: Readonly<Record<string, string>>;
  choose: (key: string, value: string) => void;
}

export const BoardRoom = createContext<BoardContext | null>(null);

export function useBoard(): BoardContext {
  const board = useContext(BoardRoom);
  if (!board) throw new Error('A widget stands outside of a board.');
  return board;
}

/** Whether the widget is in sight; what is not asks for nothing and draws nothing. */
export const InSight = createContext(true);

/** The answer to a question; nothing is asked while there is none, or while the widget is out of sight. */
export function useAnswer(question: BoardQuestionInput | null) {
  const board = useBoard();
  const { wg, ask } = board;
  const isInSight = useContext(InSight);
  return useQuery({
    queryKey: ['board-answer', wg, question],
    queryFn: ({ signal }) => {
      const asked = question as BoardQuestionInput;
      return board.isDisplay
        ? ask(asked, signal)
        : withLastState(nameOf(board, asked), () => ask(asked, signal));
    },
    enabled: question !== null && isInSight,
    structuralSharing: false,
    gcTime: 2 * 60_000,
    staleTime: 10_000,
    retry: false,
    // The points of the last range stay while new ones come, but never under the names of other streams.
    placeholderData: (previous, last) =>
      isAbout(last?.queryKey[2]) === isAbout(question) ? previous : undefined,
  });
}

/**
 * Under this name the answer is kept for a time without a network. Instants move on with the clock, so that the range is
 * named by what was chosen, or about by its length where a widget has its own.
 */
function nameOf({ wg, range, span }: BoardContext, question: BoardQuestionInput): string {
  const { from, to } = 'from' in question ? question : span;
  const isOwn = from !== span.from || to !== span.to;
  const length = isOwn ? Math.round(Math.log2((to - from) / 60_000)) : '';
  const isMoving = ['from', 'to', 'span'];
  const what = JSON.stringify(question, (key, value) => (isMoving.includes(key) ? undefined : value));
  return `board-answer ${wg} ${JSON.stringify(range)} ${length} ${what}`;
}

/** What a question is about, whatever its range. */
function isAbout(question: BoardQuestionInput | null | undefined | string): string {
  if (!question || typeof question === 'string') return '';
  if (question.kind === 'search') return `search ${question.table}`;
  if (question.kind === 'last' || question.kind === 'states')
    return JSON.stringify([question.kind, question.streams]);
  return JSON.stringify([question.series, question.function, question.interval]);
}
