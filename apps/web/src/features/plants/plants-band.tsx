import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import type { PlantFinding, PlantSummary } from '@albedo/contract/plants/plants.schema';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useDeferredValue, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isArriving, useFilling, useIsArriving } from '../../app/filling.ts';
import { isCovered } from '../../app/incidents/covered.ts';
import { isTold } from '../../app/incidents/gravity.ts';
import { IncidentLink } from '../../app/incidents/incident-link.tsx';
import {
  type KnownIncidents,
  useIncidents,
  useMayOpenIncidents,
} from '../../app/incidents/incidents-query.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { messageOf } from '../../ui/message-of.ts';
import { LevelIcon, type Mark } from '../../ui/status/level-icon.tsx';
import { rangeLabel } from '../../ui/time-range/time-range.ts';
import { formatClock } from '../../ui/time-range/zoned-time.ts';
import { agoText } from '../../ui/units/durations.ts';
import { formatDecimal, NO_VALUE } from '../../ui/units/numbers.ts';
import { formatValue, shownValue } from '../../ui/units/units.ts';
import { findingText } from './finding-text.ts';
import { areaPath, linePath, niceTop } from './paths.ts';
import { followRemovals, plantListQuery } from './plants.queries.ts';
import classes from './plants-band.module.css';
import { ShareBar } from './share-bar.tsx';

/** Plants that have a card of their own; the list below has all. */
const CARDS = 8;

/** Cards to keep room for where nothing is remembered: most workgroups have plants, and a list that jumps is worse. */
const EXPECTED = 3;

/** Remembers in this browser how many cards there were, so that the list below does not jump at the next visit. */
const rememberedKey = (wg: string) => `albedo.plants.${wg}`;

/** The plants of the workgroup at one glance; nothing where there are none. */
export function PlantsBand() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: newest, error, refetch } = useQuery(plantListQuery(wg));
  // Drawn in pieces, between which the browser answers; cards of plants that did not change are not drawn again.
  const data = useDeferredValue(newest);
  const known = useIncidents();
  const mayOpen = useMayOpenIncidents();
  useEffect(() => followRemovals(wg), [wg]);
  const count = data?.plants.length;
  useEffect(() => {
    if (count !== undefined) localStorage.setItem(rememberedKey(wg), String(Math.min(CARDS, count)));
  }, [wg, count]);
  if (!data && error) {
    return (
      <div className={classes.failed} role="alert">
        <LevelIcon mark="danger" /> {t('plants.band.failed')} {messageOf(error)}
        <Button size="compact-xs" variant="default" onClick={() => void refetch()}>
          {t('actions.tryAgain')}
        </Button>
      </div>
    );
  }
  if (!data) return <BandSkeleton cards={Number(localStorage.getItem(rememberedKey(wg)) ?? EXPECTED)} />;
  if (data.plants.length === 0) return null;
  const troubles = data.plants.map((plant): Trouble => ({ plant, ...troubleOf(plant, known) }));
  const cards = troubles.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, CARDS);
  return (
    <section className={classes.band} aria-label={t('plants.band.title')}>
      <Totals plants={data.plants} looks={troubles.filter((one) => rankOf(one) < NO_TROUBLE).length} />
      <ul className={classes.cards}>
        {cards.map(({ plant, incidents, findings }) => (
          <PlantCard
            key={plant.device}
            plant={plant}
            incident={incidents[0]}
            finding={findings[0]}
            more={incidents.length + findings.length - 1}
            mayOpen={mayOpen}
          />
        ))}
      </ul>
    </section>
  );
}

/** What is wrong with a plant: incidents, and what the plant found that no incident tells. */
interface Trouble {
  plant: PlantSummary;
  incidents: readonly Incident[];
  findings: readonly PlantFinding[];
}

function troubleOf({ device, findings }: PlantSummary, known: KnownIncidents): Omit<Trouble, 'plant'> {
  const open = known.ofDevice(device);
  return {
    incidents: open.filter(isTold),
    findings: findings.filter((one) => !isCovered(one, open)),
  };
}

const NO_TROUBLE = 100;

/** Where many plants do not fit, those that need a look come first; else the order of the list stays. */
const rankOf = ({ incidents, findings }: Trouble): number => {
  const [gravest] = incidents;
  if (gravest) return gravest.severity.rank;
  if (findings.length === 0) return NO_TROUBLE;
  return findings.some(({ kind }) => kind !== 'below') ? 0 : 1;
};

const Totals = memo(({ plants, looks }: { plants: readonly PlantSummary[]; looks: number }) => {
  const { t } = useTranslation();
  const filling = useFilling();
  const isOnItsWay = filling !== null && plants.some(({ day }) => isArriving(filling, day.from));
  const sum = (pick: (plant: PlantSummary) => number | null) => {
    const known = plants.flatMap((plant) => pick(plant) ?? []);
    return known.length === 0 ? null : known.reduce((total, one) => total + one, 0);
  };
  return (
    <p className={classes.totals}>
      <b>{t('plants.band.count', { count: plants.length })}</b>
      <span>
        {t('plants.band.now', {
          power: formatValue(
            sum(({ power }) => power.value),
            'W',
          ),
        })}
      </span>
      <span>
        {isOnItsWay
          ? t('demo.arriving')
          : t('plants.band.today', {
              energy: formatValue(
                sum(({ energyTodayWh }) => energyTodayWh),
                'Wh',
              ),
            })}
      </span>
      {looks > 0 ? (
        <span data-mark="warning">
          <LevelIcon mark="warning" size={12} /> {t('plants.band.looks', { count: looks })}
        </span>
      ) : null}
    </p>
  );
});

interface PlantCardProps {
  plant: PlantSummary;
  /** The gravest incident, else the first finding that no incident tells. */
  incident: Incident | undefined;
  finding: PlantFinding | undefined;
  /** How many there are beside it. */
  more: number;
  mayOpen: boolean;
}

const PlantCard = memo(({ plant, incident, finding, more, mayOpen }: PlantCardProps) => {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const { name, power, ratedPowerW, isPartial, energyTodayWh, zone } = plant;
  const isOnItsWay = useIsArriving(plant.day.from);
  const { number, unit } = shownValue(power.value, 'W');
  const share = ratedPowerW !== null && power.value !== null && !isPartial ? power.value / ratedPowerW : null;
  const { mark, text } = stateOf(plant, finding, t, now);
  const moreText = more > 0 ? ` ${t('plants.band.more', { count: more })}` : '';
  return (
    <li className={classes.item}>
      <div className={classes.card}>
        <span className={classes.head}>
          <b>
            <Link
              to="/devices/$deviceId/$tab"
              params={{ deviceId: plant.device, tab: 'general' }}
              className={classes.whole}
            >
              {name}
            </Link>
          </b>
          <span>{formatClock(now, zone)}</span>
        </span>
        <span className={classes.body}>
          <span className={classes.power}>
            {power.value === null ? NO_VALUE : number}
            <small>{unit}</small>
          </span>
          <Spark powersW={isOnItsWay ? [] : plant.powersW} day={plant.day} zone={zone} />
        </span>
        {share === null ? null : <ShareBar share={share} label={t('plants.ofRated')} />}
        <span className={classes.facts}>
          <span>
            {[
              share === null
                ? ''
                : t('plants.band.ofRated', { share: `${formatDecimal(Math.round(share * 100), 0)} %` }),
              power.value === null ? '' : agoText(power.at ?? now, now),
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
          <span>
            {isOnItsWay
              ? t('demo.arriving')
              : t('plants.band.todayThere', { energy: formatValue(energyTodayWh, 'Wh') })}
          </span>
        </span>
        {plant.doubtedWh > 0 ? (
          <span className={classes.facts}>
            <span data-mark="warning">
              {t('plants.doubted', { energy: formatValue(plant.doubtedWh, 'Wh') })}
            </span>
          </span>
        ) : null}
        {incident ? (
          <span className={classes.state} data-incident>
            <IncidentLink incident={incident} mayOpen={mayOpen}>
              {moreText}
            </IncidentLink>
          </span>
        ) : (
          <span className={classes.state} data-mark={mark} title={text}>
            <LevelIcon mark={mark} size={12} />
            <span>
              {text}
              {moreText}
            </span>
          </span>
        )}
      </div>
    </li>
  );
});

/** What is wrong in a sentence, or how it goes. */
function stateOf(
  plant: PlantSummary,
  first: PlantFinding | undefined,
  t: ReturnType<typeof useTranslation>['t'],
  now: number,
): { mark: Mark; text: string } {
  const { inverters, power, poa, name, zone } = plant;
  if (first) {
    return {
      mark: first.kind === 'below' ? 'warning' : 'danger',
      text: findingText(t, first, { plant: name, zone, now }),
    };
  }
  if (power.value === null)
    return {
      mark: 'unknown',
      text:
        power.at === null
          ? t('plants.missing.noSource')
          : t('plants.missing.silent', { ago: agoText(power.at, now) }),
    };
  if (inverters.producing > 0)
    return {
      mark: 'online',
      text: t('plants.band.working', { count: inverters.total, working: inverters.producing }),
    };
  return { mark: 'offline', text: t((poa.value ?? 0) < 20 ? 'plants.band.dark' : 'plants.band.idle') };
}

const SPARK = { width: 120, height: 34 };

/** Power of the day so far, the whole day wide. */
function Spark({ powersW, day, zone }: Pick<PlantSummary, 'powersW' | 'day' | 'zone'>) {
  const { t } = useTranslation();
  const most = formatValue(Math.max(0, ...powersW.map((one) => one ?? 0)), 'W');
  const span = rangeLabel({ kind: 'absolute', ...day }, zone);
  const isKnown = powersW.some((one) => one !== null);
  const label = `${t('plants.curve.label', { power: most })}, ${span}`;
  const steps = Math.max(1, Math.round((day.to - day.from) / (15 * 60_000)));
  const top = niceTop(Math.max(1, ...powersW.map((one) => one ?? 0)));
  const places = powersW.map((one, i) =>
    one === null
      ? null
      : ([
          ((i + 0.5) / steps) * SPARK.width,
          SPARK.height - (Math.max(0, one) / top) * (SPARK.height - 2),
        ] as const),
  );
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: without values there is nothing to say.
    <svg
      viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
      preserveAspectRatio="none"
      className={classes.spark}
      {...(isKnown ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {isKnown ? <title>{label}</title> : null}
      <path d={`M0 ${SPARK.height}H${SPARK.width}`} data-part="ground" />
      <path d={areaPath(places, SPARK.height)} data-part="area" />
      <path d={linePath(places)} data-part="line" />
    </svg>
  );
}

function BandSkeleton({ cards }: { cards: number }) {
  const { t } = useTranslation();
  if (!(cards > 0)) return null;
  return (
    <div className={classes.band} role="status" aria-label={t('plants.loading')}>
      <Skeleton height={14} width={280} />
      <div className={classes.cards}>
        {Array.from({ length: cards }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cards of a skeleton are all alike.
          <Skeleton key={i} className={classes.expected ?? ''} />
        ))}
      </div>
    </div>
  );
}
