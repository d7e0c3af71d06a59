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

/** What is said in words, with a level in every case. */
interface Said {
  word: string;
  level: NonNullable<State['level']>;
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
      const own = saidBy(states, value);
      const level = levelOf(value, thresholds);
      if (own) return { ...own, level: level ?? own.level };
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
    (field: string, value: number | string | null, states: Machine['states'] = []): Said | null => {
      if (value === null || NO_EVENT.has(String(value).trim().toLowerCase())) return null;
      const own = saidBy(states, value);
      if (own) return own;
      const word = words(field, value) ?? (typeof value === 'string' ? value : null);
      return { word: word ?? t('boards.event', { code: value }), level: 'warning' };
    },
    [words, t],
  );
}

/** What a machine itself says of a code; undefined where it has no word for it. */
function saidBy(states: Machine['states'], code: number | string | null): Said | undefined {
  const own = states.find((one) => one.code === String(code));
  return own && { word: own.word, level: own.level === 'idle' ? 'ok' : own.level };
}

const isState = (field: string): boolean =>
  /^(st|state|status|operating state|operating_state)$/i.test(field.trim());
