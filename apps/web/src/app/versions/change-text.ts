import type { VersionChange } from '@albedo/contract/history/history.schema';
import { useTranslation } from 'react-i18next';

/** Of what a change is (such as a widget), and what of that; `part` is null where the thing itself is meant. */
export type NameChange = (change: VersionChange) => { part: string | null; rest: readonly string[] };

const whole: NameChange = ({ path }) => ({ part: null, rest: path.map(String) });

/** A change in words: of which part, what of it, from what to what. */
export function useChangeText(nameChange: NameChange = whole): (change: VersionChange) => string {
  const { t } = useTranslation();
  return (change) => {
    const { part, rest } = nameChange(change);
    if (part !== null && rest.length === 0)
      return t(change.type === 'REMOVE' ? 'history.removed' : 'history.added', { part });
    const what = rest.join(' › ');
    const changed = t('history.changed', { what, old: text(change.old), now: text(change.now) });
    return part === null ? changed : `${part}: ${changed}`;
  };
}

function text(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 120);
}
