import { useTranslation } from 'react-i18next';
import { formatValue } from '../../../../ui/units/units.ts';
import { WidgetNote } from '../../widget-error.tsx';
import classes from './flow.module.css';
import { HEIGHT, heightOf, scaleOf, stacked } from './sankey-parts.ts';

interface SankeyProps {
  generatedWh: number;
  importedWh: number;
  dischargedWh: number;
  exportedWh: number;
  chargedWh: number;
  /** What meters of consumption say; null where there is none, and all that is left was used. */
  usedWh: number | null;
}

const [WIDTH, BAR] = [400, 10];

/** Energy from where it came to where it went, Wh. What no meter saw is a flow of its own. */
export function Sankey({
  generatedWh,
  importedWh,
  dischargedWh,
  exportedWh,
  chargedWh,
  usedWh,
}: SankeyProps) {
  const { t } = useTranslation();
  const from = [
    { kind: 'generated', wh: generatedWh },
    { kind: 'imported', wh: importedWh },
    { kind: 'discharged', wh: dischargedWh },
  ].filter(({ wh }) => wh > 0);
  const total = from.reduce((sum, { wh }) => sum + wh, 0);
  const left = total - exportedWh - chargedWh;
  const to = [
    { kind: 'used', wh: usedWh === null ? Math.max(0, left) : usedWh },
    { kind: 'exported', wh: exportedWh },
    { kind: 'charged', wh: chargedWh },
    { kind: 'unmetered', wh: usedWh === null ? 0 : Math.max(0, left - usedWh) },
  ].filter(({ wh }) => wh > 0);
  if (total <= 0) return <WidgetNote text={t('boards.noEnergy')} />;
  const scale = Math.min(scaleOf(from), scaleOf(to));
  const sources = stacked(from, scale);
  const sinks = stacked(to, scale);
  const most = Math.max(heightOf(sources), heightOf(sinks));
  const taken = new Map(sinks.map(({ kind }) => [kind, 0]));
  const bands = sources.flatMap((source) => {
    let used = 0;
    return sinks.map((sink) => {
      // Every source goes to every sink in proportion: meters do not say which kilowatt-hour went where.
      const height = (source.height * sink.height) / most;
      const [y0, y1] = [source.y + used, sink.y + (taken.get(sink.kind) ?? 0)];
      used += height;
      taken.set(sink.kind, (taken.get(sink.kind) ?? 0) + height);
      const [x0, x1, mid] = [BAR, WIDTH - BAR, WIDTH / 2];
      const d = `M${x0} ${y0}C${mid} ${y0} ${mid} ${y1} ${x1} ${y1}V${y1 + height}C${mid} ${y1 + height} ${mid} ${y0 + height} ${x0} ${y0 + height}Z`;
      return { key: `${source.kind} ${sink.kind}`, kind: source.kind, d };
    });
  });
  const words = [...sources, ...sinks].map(
    ({ kind, wh }) => `${t(`boards.flows.${kind}`)} ${formatValue(wh, 'Wh')}`,
  );
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={classes.sankey}
      role="img"
      aria-label={words.join(', ')}
    >
      {bands.map(({ key, kind, d }) => (
        <path key={key} d={d} className={classes.band} data-kind={kind} />
      ))}
      {[
        ...sources.map((one) => ({ ...one, isLeft: true })),
        ...sinks.map((one) => ({ ...one, isLeft: false })),
      ].map(({ kind, wh, y, height, isLeft }) => (
        <g key={`${kind} ${isLeft}`}>
          <rect
            x={isLeft ? 0 : WIDTH - BAR}
            y={y}
            width={BAR}
            height={Math.max(1, height)}
            rx={2}
            className={classes.node}
            data-kind={kind}
          />
          <text
            x={isLeft ? BAR + 8 : WIDTH - BAR - 8}
            y={y + height / 2 - 2}
            className={`${classes.value} ${isLeft ? '' : classes.right}`}
          >
            {formatValue(wh, 'Wh')}
          </text>
          <text
            x={isLeft ? BAR + 8 : WIDTH - BAR - 8}
            y={y + height / 2 + 13}
            className={`${classes.name} ${isLeft ? '' : classes.right}`}
          >
            {t(`boards.flows.${kind}`)}
          </text>
        </g>
      ))}
    </svg>
  );
}
