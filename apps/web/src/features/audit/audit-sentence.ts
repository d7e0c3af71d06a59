import type { AuditRow } from '@albedo/contract/audit/audit.schema';
import type { TFunction } from 'i18next';

/**
 * What happened, as one would say it: 'Harbour came online'. What has no sentence of its own is said by what it was done to
 * and a verb; an action that nobody gave words stands as it is.
 */
export function sentenceOf(t: TFunction, row: AuditRow): string {
  const { controller, action, status } = row;
  const what = nameOf(row);
  const parts = {
    what,
    by: row.by ?? t('audit.system'),
    device: row.deviceName ?? what,
    attribute: row.attribute ?? '',
    value: row.newValue ?? row.oldValue ?? '',
  };
  // A setting may have words of its own for each of its values.
  const context = /^\w{1,20}$/.test(parts.value) ? parts.value : undefined;
  const ownOf = (of: string) =>
    t(`audit.sentences.${controller}.${keyOf(action)}.${of}`, { defaultValue: '', ...parts, context });
  const own = ownOf(status);
  if (own !== '') return own;
  const meant = status === 'failed' ? ownOf('success') : '';
  if (meant !== '') return t('audit.notDone', { text: meant });
  const noun = t(`audit.nouns.${keyOf(controller)}`, { defaultValue: '' });
  const named = [noun, what].filter(Boolean).join(' ');
  const verb = t(`audit.verbs.${keyOf(action)}`, { defaultValue: '', what: named });
  const text = verb === '' ? `${named}: ${action}` : verb;
  return status === 'failed' ? t('audit.notDone', { text }) : text;
}

/** Keys of the texts have no spaces, hyphens and full stops in them. */
const keyOf = (name: string): string => name.replace(/[\s.-]+/g, '_').toLowerCase();

/** What was acted on, without the id behind its name; what has nothing but an id is known by its device. */
function nameOf({ entity, deviceName, controller }: AuditRow): string {
  if (deviceName !== null && (entity === 'device' || controller === 'state_change')) return deviceName;
  const name = entity.replace(/ \([0-9a-f-]{36}\)$/, '');
  if (deviceName !== null && /^[0-9a-f-]{36}$/.test(name)) return deviceName;
  return deviceName === null ? name : `${name} · ${deviceName}`;
}
