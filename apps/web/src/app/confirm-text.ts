import { t } from 'i18next';

/**
 * What a button does to what: 'Delete Hilltop' of the action 'Delete'. An action of several words says enough by itself, and
 * its name could stand anywhere among them.
 */
export function confirmText(action: string, name?: string): string {
  if (name === undefined || /\s/.test(action)) return action;
  const verb = action.toLowerCase();
  const text = t('confirm.of', { verb, name });
  return text.startsWith(verb) ? `${action}${text.slice(verb.length)}` : text;
}
