import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { sinceText } from '../../../../app/glance/glance-text.ts';
import { costText, moreText } from '../../../../app/incidents/cost-text.ts';
import { countBySeverity, riskOf } from '../../../../app/incidents/gravity.ts';
import { IncidentLink } from '../../../../app/incidents/incident-link.tsx';
import { incidentText } from '../../../../app/incidents/incident-text.ts';
import { incidentsQuery, useMayOpenIncidents } from '../../../../app/incidents/incidents-query.ts';
import { useNow } from '../../../../app/now.ts';
import { LevelIcon } from '../../../../ui/status/level-icon.tsx';
import { SeverityIcon } from '../../../../ui/status/severity-mark.tsx';
import { useBoard } from '../../board-context.ts';
import { useIncidentsOf } from '../../use-incidents-of.ts';
import { usePlants } from '../../use-plants.ts';
import type { WidgetProps } from '../../widget.ts';
import { useWidgetData } from '../../widget-data.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import listClasses from '../list.module.css';
import { useRows } from '../rows.ts';
import classes from './incidents.module.css';

/** What is wrong with the entities and below them, the gravest and most costly first. */
export function IncidentsView({ settings }: WidgetProps<SettingsOf<'incidents'>>) {
  const { t } = useTranslation();
  const { wg, isDisplay, isEditing, entityId, zone, entities, byId } = useBoard();
  const { calmSince } = usePlants();
  const now = useNow(30_000);
  const mayOpen = useMayOpenIncidents();
  const rows = useRows(settings.rows, settings.label);
  const incidentsOf = useIncidentsOf();
  const { data, error, refetch } = useQuery({ ...incidentsQuery(wg), enabled: !isDisplay });
  const ids = settings.rows === 'descendants' ? [entityId] : rows.map(({ _id }) => _id);
  const meant = new Set(ids.flatMap((id) => incidentsOf(id)));
  // As the list of all has them: by severity, then by cost.
  const open = (data ?? []).filter((one) => meant.has(one));
  useWidgetData(
    data
      ? {
          head: [t('boards.incidents.severity'), t('boards.incidents.text')],
          rows: open.map((one) => [one.severity.name, incidentText(t, one)]),
        }
      : null,
  );
  if (isDisplay) return <WidgetNote text={t('boards.notOnDisplays')} />;
  if (error && !data) return <WidgetFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <WidgetSkeleton />;
  if (open.length === 0) {
    // `calmSince` is of the whole workgroup; for a part of it the time is unknown.
    const isAll =
      ids.includes(entityId) &&
      entities.every(({ _id, parent }) => _id === entityId || byId.has(parent ?? ''));
    return (
      <p className={classes.calm}>
        <LevelIcon mark="ok" size={16} />
        {calmSince === null || !isAll
          ? t('boards.incidents.nothing')
          : t('boards.incidents.calm', { since: sinceText(t, calmSince, zone, now) })}
      </p>
    );
  }
  const shown = open.slice(0, settings.most);
  const risk = riskOf(open);
  const cost = costText(t, risk);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={listClasses.scroll} tabIndex={0}>
      <div className={listClasses.sum}>
        {countBySeverity(open).map(({ severity, count }) => (
          <span key={severity.id}>
            <SeverityIcon severity={severity} size={13} />
            {`${count} ${severity.name}`}
          </span>
        ))}
        <b className={classes.cost}>
          {cost === '' ? t('incidents.cost.unknown') : [cost, moreText(t, risk)].filter(Boolean).join(', ')}
        </b>
      </div>
      <ul className={classes.incidents}>
        {shown.map((incident) => (
          <li key={incident._id} className={classes.incident}>
            <IncidentLink incident={incident} mayOpen={mayOpen && !isEditing} />
            <span className={classes.said}>
              {[
                // An inverter's number alone does not tell which plant it is in.
                incident.source === null ? null : incident.deviceName,
                sinceText(t, incident.since, zone, Math.max(now, incident.since)),
                costOf(t, incident),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {open.length > shown.length ? (
        <p className={listClasses.hint}>
          {t('boards.incidents.more', { count: open.length - shown.length })}
        </p>
      ) : null}
    </div>
  );
}

/** What an incident has cost so far, or that it is unknown. */
const costOf = (t: TFunction, { energy }: Incident): string =>
  (energy && costText(t, { ...energy, money: energy.money ? [energy.money] : [] })) ||
  t('incidents.cost.unknown');
