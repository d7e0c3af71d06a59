import type { Incident, IncidentDetail } from '@albedo/contract/incidents/incidents.schema';
import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconCheck, IconMoonOff, IconMoonStars } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { canAcknowledge } from '../../app/incidents/gravity.ts';
import { incidentText } from '../../app/incidents/incident-text.ts';
import { acknowledge, incidentQuery, unshelve, useIncidents } from '../../app/incidents/incidents-query.ts';
import { useNow } from '../../app/now.ts';
import { useSession, useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { SeverityIcon, SeverityMark } from '../../ui/status/severity-mark.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant, zoneLabel } from '../../ui/time-range/zoned-time.ts';
import { agoText } from '../../ui/units/durations.ts';
import { formatFixed } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import { IncidentSignal } from './incident-signal.tsx';
import classes from './incidents.module.css';
import { NoteForm } from './note-form.tsx';
import { ShelveDialog } from './shelve-dialog.tsx';
import { StateText } from './state-text.tsx';
import { Timeline } from './timeline.tsx';
import { useMayAnswer } from './use-may-answer.ts';

interface IncidentDrawerProps {
  id: string;
  /** Opens another one in its place. */
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** All of one incident: what is wrong, what to do, what it costs, its signal, and what happened since. */
export function IncidentDrawer({ id, onOpen, onClose }: IncidentDrawerProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(incidentQuery(wg, id));
  // The list knows of a change first.
  const listed = useIncidents().byId.get(id);
  const shown = data && { ...data, ...(listed && listed.changedAt >= data.changedAt ? listed : {}) };
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(100vw, 680px)"
      title={shown ? <SeverityMark severity={shown.severity} size={16} /> : t('incidents.one')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {shown ? (
        <Detail incident={shown} onOpen={onOpen} />
      ) : error instanceof ApiError && [400, 404].includes(error.code) ? (
        <EmptyState title={t('incidents.gone')} text={t('incidents.goneText')} />
      ) : error ? (
        <ErrorState title={t('incidents.oneFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label={t('incidents.one')}>
          <Skeleton height={28} width="80%" mb={12} />
          <Skeleton height={36} width={260} mb={16} />
          <Skeleton height={90} mb={16} />
          <Skeleton height={240} />
        </div>
      )}
    </Drawer>
  );
}

function Detail({ incident, onOpen }: { incident: IncidentDetail; onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const { name, createdAt, device, deviceName, category, response, cause, consequence, energy } = incident;
  return (
    <article className={classes.detail} aria-label={t('incidents.one')}>
      <h2 className={classes.says}>{incidentText(t, incident)}</h2>
      <p className={classes.facts}>
        <StateText incident={incident} />
        <span title={formatInstant(createdAt, userZone())}>
          {t('incidents.begun', { ago: agoText(createdAt, Math.max(now, createdAt)) })}
        </span>
        {device === null ? null : (
          <Link to="/devices/$deviceId/$tab" params={{ deviceId: device, tab: 'general' }}>
            {deviceName ?? device}
          </Link>
        )}
        <span>{name}</span>
        {category === null ? null : <span>{category}</span>}
        {incident.count > 1 ? <span>{t('incidents.cameBack', { count: incident.count })}</span> : null}
      </p>
      <Answers incident={incident} />
      <Relatives incident={incident} onOpen={onOpen} />
      {energy && energy.energyWh > 0 ? <AtRisk energy={energy} /> : null}
      <Words title={t('incidents.response')} text={response} isMain />
      <Words title={t('incidents.cause')} text={cause} />
      <Words title={t('incidents.consequence')} text={consequence} />
      {incident.signal ? <IncidentSignal incident={incident} signal={incident.signal} /> : null}
      <Part title={t('incidents.timeline')} context={zoneLabel(userZone(), createdAt)}>
        <Timeline incident={incident} />
      </Part>
    </article>
  );
}

/** What can be done about it; nothing for those who only read. */
function Answers({ incident }: { incident: IncidentDetail }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const own = useSession()?.user._id ?? '';
  const mayAnswer = useMayAnswer();
  const [isShelving, setShelving] = useState(false);
  const { attempt, isWorking, failure } = useAttempt();
  if (!mayAnswer || incident.state === 'closed') return null;
  const isMine = incident.acknowledged.includes(own);
  return (
    <>
      <div className={classes.answers}>
        <Button
          leftSection={<IconCheck size={16} />}
          loading={isWorking}
          disabled={isMine || !canAcknowledge(incident)}
          title={isMine ? t('incidents.isMine') : undefined}
          variant={isMine ? 'default' : 'filled'}
          onClick={() => void attempt(() => acknowledge(wg, [incident._id]))}
        >
          {t(isMine ? 'incidents.acknowledgedByYou' : 'incidents.acknowledge')}
        </Button>
        {incident.state === 'shelved' ? (
          <Button
            variant="default"
            leftSection={<IconMoonOff size={16} />}
            onClick={() => void attempt(() => unshelve(wg, incident._id))}
          >
            {t('incidents.unshelve')}
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<IconMoonStars size={16} />}
            onClick={() => setShelving(true)}
          >
            {t('incidents.shelve')}
          </Button>
        )}
      </div>
      {incident.state === 'shelved' && incident.shelvedReason ? (
        <p className={classes.dim}>{t('incidents.shelf.because', { reason: incident.shelvedReason })}</p>
      ) : null}
      <Failure text={failure} />
      <NoteForm incident={incident._id} />
      {isShelving ? <ShelveDialog incidents={[incident]} onClose={() => setShelving(false)} /> : null}
    </>
  );
}

/** Its cause above it, what comes of it below. */
function Relatives({ incident, onOpen }: { incident: Incident; onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  const { all, byId } = useIncidents();
  const cause = incident.causedBy === null ? undefined : byId.get(incident.causedBy);
  const below = all?.filter(({ causedBy }) => causedBy === incident._id) ?? [];
  if (!cause && below.length === 0) return null;
  return (
    <>
      {cause ? (
        <Part title={t('incidents.causedBy')}>
          <ul className={classes.relatives}>
            <Relative incident={cause} onOpen={onOpen} />
          </ul>
        </Part>
      ) : null}
      {below.length > 0 ? (
        <details className={classes.below}>
          <summary>{t('incidents.consequences', { count: below.length })}</summary>
          <ul className={classes.relatives}>
            {below.map((one) => (
              <Relative key={one._id} incident={one} onOpen={onOpen} />
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

function Relative({ incident, onOpen }: { incident: Incident; onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  return (
    <li>
      <button type="button" className={classes.relative} onClick={() => onOpen(incident._id)}>
        <SeverityIcon severity={incident.severity} size={13} />
        {incidentText(t, incident)}
      </button>
    </li>
  );
}

/** What is lost, and what that is measured by. */
function AtRisk({ energy }: { energy: NonNullable<Incident['energy']> }) {
  const { t } = useTranslation();
  const { energyWh, powerW, basis, money } = energy;
  return (
    <div className={classes.atRisk}>
      <b>{formatValue(energyWh, 'Wh')}</b>
      <span>
        {[
          t('incidents.energy.title'),
          powerW !== null && powerW > 0
            ? t('incidents.energy.more', { energy: formatValue(powerW, 'Wh') })
            : '',
          money
            ? t('incidents.energy.money', {
                value: formatFixed(money.value, 2),
                currency: money.currency,
              })
            : '',
        ]
          .filter(Boolean)
          .join(', ')}
        <small>{t(`incidents.energy.basis.${basis}`)}</small>
      </span>
    </div>
  );
}

function Words({ title, text, isMain = false }: { title: string; text: string; isMain?: boolean }) {
  if (text.trim() === '') return null;
  return (
    <Part title={title}>
      <p className={classes.words} data-main={isMain}>
        {text}
      </p>
    </Part>
  );
}

interface PartProps {
  title: string;
  /** Beside the title. */
  context?: string;
  children: ReactNode;
}

function Part({ title, context, children }: PartProps) {
  return (
    <section className={classes.part} aria-label={title}>
      <h3>
        {title}
        {context ? <small className={classes.zone}>{` · ${context}`}</small> : null}
      </h3>
      {children}
    </section>
  );
}
