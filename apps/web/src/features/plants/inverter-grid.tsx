import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import type { InverterReading, InverterState } from '@albedo/contract/plants/plant-reading';
import type { PlantDetail, PlantFinding, PlantSource } from '@albedo/contract/plants/plants.schema';
import { useTranslation } from 'react-i18next';
import { isTold } from '../../app/incidents/gravity.ts';
import { IncidentLink } from '../../app/incidents/incident-link.tsx';
import { useMayOpenIncidents } from '../../app/incidents/incidents-query.ts';
import { Section } from '../../ui/section.tsx';
import { LevelIcon, type Mark } from '../../ui/status/level-icon.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { formatDecimal } from '../../ui/units/numbers.ts';
import { formatAlike, formatValue } from '../../ui/units/units.ts';
import classes from './plant.module.css';
import { ShareBar } from './share-bar.tsx';

const MARKS: Record<InverterState, Mark> = {
  producing: 'online',
  idle: 'offline',
  standing: 'danger',
  fault: 'danger',
  silent: 'unknown',
};

interface InverterGridProps {
  plant: PlantDetail;
  inverters: readonly InverterReading[];
  /** What is open of the device. */
  incidents: readonly Incident[];
  /** What a source is called. */
  nameOf: (source: string) => string;
  now: number;
}

/** Every inverter with its state, its power and its part of what it could give. */
export function InverterGrid({ plant, inverters, incidents, nameOf, now }: InverterGridProps) {
  const { t } = useTranslation();
  const mayOpen = useMayOpenIncidents();
  const strongest = Math.max(0, ...inverters.map(({ power }) => power.value ?? 0));
  // Nobody wrote down what each of them can give: they are taken to be alike.
  const ratedW = plant.ratedPowerW === null || plant.isPartial ? null : plant.ratedPowerW / inverters.length;
  const full = ratedW ?? strongest;
  const days = inverters.map(({ table, source }) =>
    plant.sources.find((today) => today.table === table && today.source === source),
  );
  // Side by side, all powers share one unit prefix, and so do all energies.
  const powers = formatAlike(
    inverters.map(({ power }) => power.value),
    'W',
    full,
  );
  const energies = formatAlike(
    days.map((day) => day?.energyTodayWh),
    'Wh',
  );
  const working = inverters.filter(({ state }) => state === 'producing').length;
  return (
    <Section
      title={t('plants.inverters.title')}
      context={t('plants.inverters.working', { count: inverters.length, working })}
    >
      <ul className={classes.inverters}>
        {inverters.map((one, i) => (
          <Inverter
            key={`${one.table} ${one.source}`}
            inverter={one}
            power={powers[i]}
            energy={energies[i]}
            full={full}
            isRated={ratedW !== null}
            day={days[i]}
            finding={plant.findings.find(({ source, kind }) => source === one.source && kind === 'below')}
            incident={incidents.find((open) => open.source === one.source && isTold(open))}
            mayOpen={mayOpen}
            name={nameOf(one.source)}
            now={now}
          />
        ))}
      </ul>
    </Section>
  );
}

interface InverterProps {
  inverter: InverterReading;
  /** Its power now and its energy today, as texts. */
  power: string | undefined;
  energy: string | undefined;
  /** W; what the bar is full at. */
  full: number;
  isRated: boolean;
  day: Pick<PlantSource, 'energyTodayWh' | 'doubtedWh'> | undefined;
  finding: PlantFinding | undefined;
  incident: Incident | undefined;
  mayOpen: boolean;
  name: string;
  now: number;
}

function Inverter(props: InverterProps) {
  const { inverter, power, energy, full, isRated, day, finding, incident, mayOpen, name, now } = props;
  const { t } = useTranslation();
  const { source, state, ownState, power: reading } = inverter;
  const mark = finding && state === 'producing' ? 'warning' : MARKS[state];
  const share = reading.value === null || full <= 0 ? 0 : reading.value / full;
  const word =
    state === 'silent' && reading.at !== null
      ? t('plants.inverters.silentFor', { ago: agoText(reading.at, now) })
      : t(`plants.inverters.states.${state}`);
  return (
    <li className={classes.inverter} data-mark={mark}>
      <div className={classes.inverterHead}>
        {incident ? (
          <IncidentLink isSign incident={incident} mayOpen={mayOpen} />
        ) : (
          <LevelIcon mark={mark} size={12} />
        )}
        <b title={source}>{name}</b>
        <span>{power}</span>
      </div>
      <ShareBar share={share} label={t(isRated ? 'plants.ofRated' : 'plants.ofStrongest')} />
      <div className={classes.inverterFoot}>
        <span title={ownState ?? undefined}>
          {finding
            ? t('plants.inverters.less', { share: `${formatDecimal(Math.round(finding.percent ?? 0), 0)} %` })
            : word}
        </span>
        <span>{energy}</span>
      </div>
      {day && day.doubtedWh > 0 ? (
        <div className={classes.inverterFoot} data-mark="warning">
          {t('plants.doubted', { energy: formatValue(day.doubtedWh, 'Wh') })}
        </div>
      ) : null}
    </li>
  );
}
