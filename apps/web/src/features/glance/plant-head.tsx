import type { Device } from '@albedo/contract/devices/devices.schema';
import { energyScreens } from '@albedo/contract/energy/energy.screens';
import type { GlanceCause, PlantGlance } from '@albedo/contract/glance/glance.schema';
import { Button, Skeleton } from '@mantine/core';
import { IconArrowRight, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGlanceOf } from '../../app/glance/glance-query.ts';
import { causeText, type GlanceFacts, headlineOf, markOf } from '../../app/glance/glance-text.ts';
import { denialOf, visitorOf } from '../../app/guard.ts';
import { costText, moreText } from '../../app/incidents/cost-text.ts';
import { incidentQuery, useIncidents, useMayOpenIncidents } from '../../app/incidents/incidents-query.ts';
import { useNow } from '../../app/now.ts';
import { plantQuery } from '../../app/plant-query.ts';
import { useSession, useWorkgroup } from '../../app/session.ts';
import { useSourceNames } from '../../app/source-names.ts';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { formatClock } from '../../ui/time-range/zoned-time.ts';
import { agoText } from '../../ui/units/durations.ts';
import { formatValue } from '../../ui/units/units.ts';
import classes from './glance.module.css';

/** The head of a plant's page: one number with its sentence, the cost and what to do. Nothing for other devices. */
export function PlantHead({ device }: { device: Device }) {
  const { data: kind } = useQuery(plantQuery(useWorkgroup(), device.id));
  const { plant, isComing } = useGlanceOf(device.id);
  // If the glance fails, the head is empty and the page below stays.
  if (isComing && kind) return <Skeleton height={132} radius={8} />;
  return plant ? <Head plant={plant} /> : null;
}

function Head({ plant }: { plant: PlantGlance }) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const nameOf = useSourceNames(plant.device);
  const { byId } = useIncidents();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const facts: GlanceFacts = {
    ...{ now, nameOf, byId },
    whyOf: (reason) => t(`energy.reasons.${reason}`),
  };
  const { number, unit, text, tail } = headlineOf(t, plant, facts);
  const mark = markOf(plant);
  const [first, ...others] = plant.causes;
  return (
    <section className={classes.head} data-mark={mark} aria-label={t('glance.title', { name: plant.name })}>
      <p className={classes.headline}>
        <span className={classes.figure}>
          <LevelIcon mark={mark} size={22} />
          <b>
            {number}
            {unit ? <small>{`\u00a0${unit}`}</small> : null}
          </b>
        </span>{' '}
        <span className={classes.sentence}>
          {text}
          {first ? ': ' : tail ? '. ' : null}
          {tail ? <strong>{tail}</strong> : null}
        </span>
      </p>
      <div className={classes.facts}>
        <Cost plant={plant} />
        <button
          type="button"
          className={classes.true}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <IconInfoCircle size={16} aria-hidden />
          {t('glance.whence')}
        </button>
      </div>
      {isOpen ? <Whence id={id} plant={plant} now={now} /> : null}
      {first ? <Next cause={first} /> : null}
      {others.length > 0 ? (
        <ul className={classes.others}>
          {others.map((cause) => (
            <li key={`${cause.kind} ${cause.source} ${cause.incident}`}>
              <LevelIcon mark="warning" size={13} />
              <Cause cause={cause} text={causeText(t, cause, plant, facts)} />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** The cost so far, or that it is unknown. */
function Cost({ plant: { cost, causes } }: { plant: PlantGlance }) {
  const { t } = useTranslation();
  if (causes.length === 0) return null;
  const total = cost ? costText(t, cost) : '';
  const more = cost ? moreText(t, cost) : '';
  return (
    <span>
      {total === ''
        ? t('glance.costUnknown')
        : t('glance.costs', { what: [total, more].filter(Boolean).join(', ') })}
    </span>
  );
}

function Cause({ cause: { incident }, text }: { cause: GlanceCause; text: string }) {
  const mayOpen = useMayOpenIncidents();
  if (incident === null || !mayOpen) return <span>{text}</span>;
  return (
    <Link to="/alerts" search={{ incident } as never}>
      {text}
    </Link>
  );
}

/** What to do about the first cause: the response in its alert, and a link to the incident. */
function Next({ cause: { incident } }: { cause: GlanceCause }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayOpen = useMayOpenIncidents();
  const { data } = useQuery({ ...incidentQuery(wg, incident ?? ''), enabled: incident !== null && mayOpen });
  if (incident === null || !mayOpen) return null;
  return (
    <div className={classes.next}>
      <p>
        {data?.response ? (
          <>
            <b>{t('glance.next')}</b> {data.response}
          </>
        ) : null}
      </p>
      <Button
        variant="default"
        rightSection={<IconArrowRight size={16} />}
        renderRoot={(props) => <Link {...props} to="/alerts" search={{ incident } as never} />}
      >
        {t('glance.open')}
      </Button>
    </div>
  );
}

/** Where the number comes from: what was counted, against what, when, and a link to its rows. */
function Whence({ id, plant, now }: { id: string; plant: PlantGlance; now: number }) {
  const { t } = useTranslation();
  const session = useSession();
  const visitor = session && visitorOf(session);
  const mayOpen = visitor !== null && denialOf(energyScreens['/report/daily-energy'], visitor) === null;
  const { energy, power, zone, device } = plant;
  // With a ratio, show the two energies it was computed from.
  const [givenKWh, expectedKWh] = energy
    ? [energy.paired?.energyKWh ?? energy.energyKWh, energy.paired?.expectedKWh ?? energy.expectedKWh]
    : [null, null];
  return (
    <dl id={id} className={classes.whence}>
      {energy === null ? null : (
        <>
          <dt>{t('glance.counted')}</dt>
          <dd>
            {t('glance.countedText', {
              energy: formatValue(givenKWh === null ? null : givenKWh * 1000, 'Wh'),
              day: energy.day,
              counted: energy.inverters.counted,
              all: energy.inverters.all,
            })}
          </dd>
          <dt>{t('glance.against')}</dt>
          <dd>
            {t('glance.againstText', {
              energy: formatValue(expectedKWh === null ? null : expectedKWh * 1000, 'Wh'),
            })}{' '}
            {energy.reason ? t(`energy.reasons.${energy.reason}`) : t('glance.measured')}
          </dd>
          {energy.computedAt === null ? null : (
            <>
              <dt>{t('glance.age')}</dt>
              <dd>
                {t('glance.ageText', {
                  ago: agoText(energy.computedAt, Math.max(now, energy.computedAt)),
                  at: formatClock(energy.computedAt, zone),
                })}
              </dd>
            </>
          )}
        </>
      )}
      {power.at === null ? null : (
        <>
          <dt>{t('glance.newest')}</dt>
          <dd>
            {formatValue(power.value, 'W')}, {agoText(power.at, Math.max(now, power.at))}
          </dd>
        </>
      )}
      {energy !== null && mayOpen ? (
        <>
          <dt>{t('glance.rows')}</dt>
          <dd>
            <Link
              to="/report/daily-energy"
              search={{ range: `${energy.day}_${energy.day}`, scope: `device:${device}` } as never}
              style={{ textDecoration: 'underline' }}
            >
              {t('glance.report')}
            </Link>
          </dd>
        </>
      ) : null}
    </dl>
  );
}
