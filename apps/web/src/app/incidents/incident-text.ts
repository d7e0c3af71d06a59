import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import type { TFunction } from 'i18next';
import { formatDecimal } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import { fieldName } from '../series/field-name.ts';

type Told = Pick<Incident, 'kind' | 'finding' | 'name' | 'subject' | 'reading' | 'condition'>;

/** A value as it was read: a number with its units, a text as it is. */
export function readingText(value: number | string | null, units: string | null): string {
  return typeof value === 'string' ? value : formatValue(value, units);
}

/**
 * What is wrong, as a sentence: `Inverter 3: AC Power is 2 W, the limit is 10 W`. Where nothing was read, the name of the
 * alert says it.
 */
export function incidentText(t: TFunction, incident: Told): string {
  const { subject, name, condition, reading } = incident;
  if (condition === 'failed') {
    const why = typeof reading.value === 'string' ? reading.value : null;
    return why === null
      ? t('incidents.says.failed', { subject, name })
      : t('incidents.says.failedBy', { subject, name, why });
  }
  return sentenceOf(t, incident);
}

function sentenceOf(t: TFunction, { kind, finding, subject, name, reading }: Told): string {
  const { field, value, limit, units } = reading;
  const facts = {
    subject,
    name,
    field: field === null ? '' : fieldName(field),
    value: readingText(value, units),
    limit: readingText(limit, units),
  };
  const isRead = field !== null && value !== null;
  switch (kind) {
    case 'finding':
      if (finding === 'below' && typeof value === 'number')
        return t('incidents.says.finding.belowBy', {
          subject,
          value: `${formatDecimal(Math.round(value), 0)} %`,
        });
      return t(`incidents.says.finding.${finding ?? 'fault'}`, { subject });
    case 'offline':
    case 'absent':
      return t(`incidents.says.${kind}`, facts);
    case 'stuck':
      return isRead ? t('incidents.says.stuck', facts) : t('incidents.says.named', facts);
    case 'network':
      return value === null ? t('incidents.says.named', facts) : t('incidents.says.network', facts);
    case 'control':
      return t(`incidents.says.control.${finding ?? 'notFollowed'}`, facts);
    case 'deviation':
      if (isRead && limit !== null) return t('incidents.says.deviation', facts);
      break;
    case 'event':
      if (value !== null) return t('incidents.says.event', facts);
      break;
    default:
      if (isRead && limit !== null) return t('incidents.says.limit', facts);
  }
  return isRead ? t('incidents.says.read', facts) : t('incidents.says.named', facts);
}

/** How fast energy is lost: `1.2 kWh/h`. */
export const rateText = (powerW: number): string => `${formatValue(powerW, 'Wh')}/h`;
