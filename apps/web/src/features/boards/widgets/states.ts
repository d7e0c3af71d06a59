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

/** What sources write where they have nothing to report. */
const NO_EVENT = new Set(['', '0', '-', 'none', 'no event', 'ok']);

/** What a value says as an event of a machine; null where nothing is reported. An event is a warning unless the machine says more. */
export function useEventOf() {
  const { t } = useTranslation();
  const { words } = useBoard();
  return useCallback(
    (
      field: string,
      value: number | string | null,
      states: Machine['states'] = [],
    ): { word: string; level: 'ok' | 'warning' | 'danger' } | null => {
      if (value === null || NO_EVENT.has(String(value).trim().toLowerCase())) return null;
      const own = states.find(({ code }) => code === String(value));
      if (own) return { word: own.word, level: own.level === 'idle' ? 'ok' : own.level };
      const word = words(field, value) ?? (typeof value === 'string' ? value : null);
      return { word: word ?? t('boards.event', { code: value }), level: 'warning' };
    },
    [words, t],
  );
}

const isState = (field: string): boolean =>
  /^(st|state|status|operating state|operating_state)$/i.test(field.trim());
