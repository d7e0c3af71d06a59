import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { incidentText, rateText } from '../../app/incidents/incident-text.ts';
import { useNow } from '../../app/now.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { SeverityIcon, SeverityMark } from '../../ui/status/severity-mark.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatAge, formatLongDuration } from '../../ui/units/durations.ts';
import { formatValue } from '../../ui/units/units.ts';
import classes from './incidents.module.css';
import { StateText, stateText } from './state-text.tsx';

/** An incident as it stands in the table. */
export interface IncidentRow {
  _id: string;
  incident: Incident;
  /** How many are folded under it. */
  consequences: number;
  /** It stands under its cause. */
  isBelow: boolean;
  isUnfolded: boolean;
}

/** The columns of what is open; those without a number stand where there is none. */
export function incidentColumns(t: TFunction, onFold: (id: string) => void): Column<IncidentRow>[] {
  return [
    {
      id: 'severity',
      title: t('incidents.columns.severity'),
      width: 100,
      importance: 100,
      value: ({ incident }) => incident.severity.rank,
      text: ({ incident }) => incident.severity.name,
      cell: ({ incident }) => <SeverityMark severity={incident.severity} />,
    },
    {
      id: 'what',
      title: t('incidents.columns.what'),
      width: 300,
      isFixed: true,
      value: ({ incident }) => incidentText(t, incident),
      cell: (row) => <What row={row} onFold={onFold} />,
    },
    {
      id: 'energy',
      title: t('incidents.columns.energy'),
      hint: t('incidents.energy.hint'),
      width: 140,
      importance: 60,
      align: 'right',
      isLive: true,
      value: ({ incident }) => incident.energy?.energyWh ?? null,
      units: 'Wh',
      text: ({ incident }) => formatValue(incident.energy?.energyWh, 'Wh'),
      cell: ({ incident }) => <Energy incident={incident} />,
    },
    {
      id: 'since',
      title: t('incidents.columns.since'),
      width: 76,
      importance: 90,
      value: ({ incident }) => -incident.createdAt,
      text: ({ incident }) => formatInstant(incident.createdAt, userZone()),
      cell: ({ incident }) => <Age at={incident.createdAt} />,
    },
    {
      id: 'state',
      title: t('incidents.columns.state'),
      width: 140,
      importance: 85,
      value: ({ incident }) => stateText(t, incident),
      cell: ({ incident }) => <StateText incident={incident} />,
    },
    {
      id: 'device',
      title: t('incidents.columns.device'),
      width: 110,
      importance: 82,
      value: ({ incident }) => incident.deviceName,
    },
    {
      id: 'alert',
      title: t('incidents.columns.alert'),
      width: 200,
      importance: 20,
      isHidden: true,
      value: ({ incident }) => incident.name,
    },
    {
      id: 'category',
      title: t('incidents.columns.category'),
      width: 130,
      importance: 10,
      isHidden: true,
      value: ({ incident }) => incident.category,
    },
    {
      id: 'count',
      title: t('incidents.columns.count'),
      hint: t('incidents.countHint'),
      width: 90,
      importance: 15,
      align: 'right',
      isHidden: true,
      value: ({ incident }) => incident.count,
    },
  ];
}

/** Incidents of a time: when each began and how long it held. */
export function historyColumns(t: TFunction, zone: string): Column<IncidentRow>[] {
  const [severity, what, energy, , state, ...rest] = incidentColumns(t, () => {});
  const begun: Column<IncidentRow> = {
    id: 'begun',
    title: t('incidents.columns.begun'),
    width: 170,
    importance: 95,
    value: ({ incident }) => incident.createdAt,
    isTime: true,
    text: ({ incident }) => formatInstant(incident.createdAt, zone),
  };
  const lasted: Column<IncidentRow> = {
    id: 'lasted',
    title: t('incidents.columns.lasted'),
    width: 110,
    importance: 88,
    align: 'right',
    value: ({ incident }) => lastedMs(incident),
    text: ({ incident }) => {
      const ms = lastedMs(incident);
      return ms === null ? t('incidents.stillOpen') : formatLongDuration(ms);
    },
  };
  return [begun, severity, what, lasted, energy, state, ...rest].filter((one) => one !== undefined);
}

/** How long what fired it held; null while it does. */
const lastedMs = ({ createdAt, clearedAt, closedAt }: Incident): number | null => {
  const end = clearedAt ?? closedAt;
  return end === null ? null : end - createdAt;
};

/** What is wrong, and what comes of it behind a sign that unfolds it. */
function What({ row, onFold }: { row: IncidentRow; onFold: (id: string) => void }) {
  const { t } = useTranslation();
  const { incident, consequences, isBelow, isUnfolded } = row;
  const text = incidentText(t, incident);
  return (
    <span className={classes.what} data-below={isBelow}>
      <span className={classes.sentence} title={text}>
        {text}
      </span>
      {incident.count > 1 ? (
        <span className={classes.times} title={t('incidents.countHint')}>
          {t('incidents.times', { count: incident.count })}
        </span>
      ) : null}
      {consequences > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          className={classes.fold}
          aria-expanded={isUnfolded}
          onClick={() => onFold(incident._id)}
        >
          {isUnfolded ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          {t('incidents.consequences', { count: consequences })}
        </button>
      ) : null}
    </span>
  );
}

function Energy({ incident: { energy } }: { incident: Incident }) {
  const { t } = useTranslation();
  // Of what begins just now, or in the dark, nothing is lost yet.
  if (!energy || energy.energyWh <= 0) return null;
  return (
    <span title={t(`incidents.energy.basis.${energy.basis}`)}>
      {formatValue(energy.energyWh, 'Wh')}
      {energy.powerW !== null && energy.powerW > 0 ? (
        <small className={classes.dim}>{` +${rateText(energy.powerW)}`}</small>
      ) : null}
    </span>
  );
}

function Age({ at }: { at: number }) {
  const now = useNow(30_000);
  return <span title={formatInstant(at, userZone())}>{formatAge(at, Math.max(now, at))}</span>;
}

/** The row of a narrow screen: what is wrong, then how bad, how long and how it stands. */
export function NarrowIncident({ row }: { row: IncidentRow }) {
  const { t } = useTranslation();
  const { incident, consequences, isBelow } = row;
  const { severity, energy } = incident;
  return (
    <div className={classes.narrow} data-below={isBelow}>
      <SeverityIcon severity={severity} size={16} />
      <span className={classes.narrowTitle}>{incidentText(t, incident)}</span>
      <span className={classes.narrowSecond}>
        {severity.name}
        {incident.deviceName && incident.deviceName !== incident.subject ? ` · ${incident.deviceName}` : ''}
        {' · '}
        <Age at={incident.createdAt} />
        {energy && energy.energyWh > 0 ? ` · ${formatValue(energy.energyWh, 'Wh')}` : ''}
        {consequences > 0 ? ` · ${t('incidents.consequences', { count: consequences })}` : ''}
        {' · '}
        {stateText(t, incident)}
      </span>
    </div>
  );
}
