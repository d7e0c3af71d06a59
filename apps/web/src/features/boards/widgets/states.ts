import type { Threshold } from '@albedo/contract/boards/widgets/parts';
import type { Machine } from '@albedo/contract/machines/machines.schema';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../board-context.ts';
import { levelOf } from '../levels.ts';

export interface State {
  /** Null where nothing says it in words. */
  word: string | null;
  level: 'ok' | 'warning' | 'danger' | null;
}

/** SunSpec model 103, operating state. */
const SUNSPEC = new Map([
  [1, { word: 'off', level: 'ok' }],
  [2, { word: 'sleeping', level: 'ok' }],
  [3, { word: 'starting', level: 'ok' }],
  [4, { word: 'running', level: 'ok' }],
  [5, { word: 'throttled', level: 'warning' }],
  [6, { word: 'stopping', level: 'ok' }],
  [7, { word: 'fault', level: 'danger' }],
  [8, { word: 'standby', level: 'ok' }],
] as const);

/** What a value says as a state: by the words of the machine, then of the lookup tables, then of the standard. */
export function useStateOf() {
  const { t } = useTranslation();
  const { words } = useBoard();
  return useCallback(
    (
      field: string,
      value: number | string | null,
      thresholds: readonly Threshold[],
      states: Machine['states'] = [],
    ): State => {
      const own = states.find(({ code }) => code === String(value));
      const level = levelOf(value, thresholds);
      if (own) return { word: own.word, level: level ?? (own.level === 'idle' ? 'ok' : own.level) };
      const word = words(field, value);
      const standard = typeof value === 'number' && isState(field) ? SUNSPEC.get(value as 1) : undefined;
      if (word !== null) return { word, level: level ?? standard?.level ?? null };
      return standard
        ? { word: t(`boards.states.${standard.word}`), level: level ?? standard.level }
        : { word: null, level };
    },
    [words, t],
  );
}

const isState = (field: string): boolean =>
  /^(st|state|status|operating state|operating_state)$/i.test(field.trim());
