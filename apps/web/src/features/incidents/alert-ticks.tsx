import type { Alert } from '@albedo/contract/alerts/alerts.schema';
import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { Button, Checkbox, Skeleton, TextInput } from '@mantine/core';
import {
  IconCopy,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSearch,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { RowMenu } from '../../app/list/row-menu.tsx';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { messageOf } from '../../ui/message-of.ts';
import { plain } from '../../ui/plain.ts';
import { SeverityIcon } from '../../ui/status/severity-mark.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import {
  alertsQuery,
  definitionOf,
  removeAlert,
  saveAlert,
  useMayEditAlerts,
  useSeverities,
} from '../alerts/alerts.queries.ts';
import classes from './incidents.module.css';

/** So many alerts are found by looking. */
const FEW = 12;

interface AlertTicksProps {
  /** Ids of the alerts that are ticked; none is all. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** What is open. */
  incidents: readonly Incident[];
}

/** The alerts of the workgroup, those with something open first; ticks say which of them the page shows. */
export function AlertTicks({ chosen, onChange, incidents }: AlertTicksProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(alertsQuery(wg));
  const [wanted, setWanted] = useState('');
  const counts = useMemo(() => {
    const open = new Map<string, number>();
    for (const { alert } of incidents) open.set(alert, (open.get(alert) ?? 0) + 1);
    return open;
  }, [incidents]);
  const severities = useSeverities();
  if (error && !data) {
    return (
      <div className={classes.sideNote} role="alert">
        {t('incidents.alertsFailed')} {messageOf(error)}
        <Button size="compact-xs" variant="default" mt={8} onClick={() => void refetch()}>
          {t('actions.tryAgain')}
        </Button>
      </div>
    );
  }
  if (!data) {
    return (
      <div role="status" aria-label={t('incidents.alerts')}>
        {Array.from({ length: 8 }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a skeleton are all alike.
          <Skeleton key={at} height={14} mb={16} />
        ))}
      </div>
    );
  }
  if (data.length === 0) return <p className={classes.sideNote}>{t('incidents.noAlerts')}</p>;
  const found = data.filter(({ name }) => plain(name).includes(plain(wanted.trim())));
  const sorted = found.toSorted(
    (a, b) =>
      Number((counts.get(b._id) ?? 0) > 0) - Number((counts.get(a._id) ?? 0) > 0) ||
      severities.rankOf(a.severity) - severities.rankOf(b.severity) ||
      a.name.localeCompare(b.name),
  );
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <>
      <div className={classes.sideHead}>
        <h2>{t('incidents.alerts')}</h2>
        {chosen.length > 0 ? (
          <Button size="compact-xs" variant="default" onClick={() => onChange([])}>
            {t('incidents.showAll')}
          </Button>
        ) : (
          <span>{formatWhole(data.length)}</span>
        )}
      </div>
      {data.length > FEW ? (
        <TextInput
          size="xs"
          mb={8}
          type="search"
          aria-label={t('incidents.findAlert')}
          placeholder={t('incidents.findAlert')}
          leftSection={<IconSearch size={14} />}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      ) : null}
      <ul className={classes.alerts}>
        {sorted.map((alert) => (
          <AlertTick
            key={alert._id}
            alert={alert}
            severity={severities.of(alert.severity)}
            open={counts.get(alert._id) ?? 0}
            isTicked={chosen.includes(alert._id)}
            onTick={() => toggle(alert._id)}
          />
        ))}
      </ul>
      {sorted.length === 0 ? <p className={classes.sideNote}>{t('incidents.noAlertFound')}</p> : null}
    </>
  );
}

interface AlertTickProps {
  alert: Alert;
  severity: ReturnType<ReturnType<typeof useSeverities>['of']>;
  open: number;
  isTicked: boolean;
  onTick: () => void;
}

function AlertTick({ alert, severity, open, isTicked, onTick }: AlertTickProps) {
  const { t } = useTranslation();
  const { name, enabled } = alert;
  return (
    <li className={classes.alert} data-off={!enabled}>
      <Checkbox
        size="xs"
        checked={isTicked}
        onChange={onTick}
        classNames={{ labelWrapper: classes.tickLabel ?? '' }}
        label={
          <span className={classes.alertName}>
            <SeverityIcon severity={severity} size={13} />
            <span title={name}>
              {name}
              <small>
                {severity.name}
                {enabled ? '' : ` · ${t('incidents.off')}`}
              </small>
            </span>
          </span>
        }
      />
      {open > 0 ? (
        <span className={classes.open} title={t('incidents.openOf', { count: open })}>
          {formatWhole(open)}
        </span>
      ) : null}
      <AlertMenu alert={alert} />
    </li>
  );
}

/** What may be done with the alert; nothing for those who may not. */
function AlertMenu({ alert }: { alert: Alert }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const mayEdit = useMayEditAlerts();
  const [isAsking, setAsking] = useState(false);
  if (!mayEdit) return null;
  const { _id, name, enabled } = alert;
  const turn = async () => {
    try {
      await saveAlert(wg, alert, { ...definitionOf(alert), enabled: !enabled });
      notifyDone(t(enabled ? 'incidents.turnedOff' : 'incidents.turnedOn', { name }));
    } catch (error) {
      notifyFailure(t(enabled ? 'incidents.turnOff' : 'incidents.turnOn'), error);
    }
  };
  return (
    <>
      <RowMenu
        label={t('incidents.alertMenu', { name })}
        actions={[
          {
            title: t('incidents.edit'),
            icon: <IconPencil size={16} />,
            onClick: () => void navigate({ to: '/alerts/$alert', params: { alert: _id } }),
          },
          {
            title: t('incidents.duplicate'),
            icon: <IconCopy size={16} />,
            onClick: () =>
              void navigate({ to: '/alerts/$alert', params: { alert: 'new' }, search: { of: _id } as never }),
          },
          {
            title: t(enabled ? 'incidents.turnOff' : 'incidents.turnOn'),
            icon: enabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
            onClick: () => void turn(),
          },
          {
            title: t('incidents.removeAlert'),
            icon: <IconTrash size={16} />,
            isDangerous: true,
            onClick: () => setAsking(true),
          },
        ]}
      />
      {isAsking ? (
        <ConfirmDialog
          confirm={confirmText(t('incidents.removeAlert'), name)}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await removeAlert(wg, _id);
            notifyDone(t('incidents.alertRemoved', { name }));
          }}
        >
          {t('incidents.removeAlertText', { name })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
