import { FLOW_ROLES } from '@albedo/contract/boards/widgets/energy-parts';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import type { FieldRole } from '@albedo/contract/field-roles/field-roles';
import type { Reading } from '@albedo/contract/plants/plant-reading';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Flow } from '../../../../ui/energy-flow/flow.tsx';
import { useBoard } from '../../board-context.ts';
import { namedData } from '../../figure-data.ts';
import { type Line, linesOf, NoLine } from '../../lines.ts';
import { type Figure, useFigures } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { useWidgetData } from '../../widget-data.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import { OriginButton } from '../number/origin.tsx';
import classes from './flow.module.css';
import { Sankey } from './sankey.tsx';

/** What is not added up over several places. */
const MEANS: readonly FieldRole[] = ['irradiancePoa', 'irradianceGhi', 'stateOfCharge'];

export function FlowView({ settings, title }: WidgetProps<SettingsOf<'flow'>>) {
  const props = { ...settings, title };
  return settings.of === 'power' ? <Power {...props} /> : <Energy {...props} />;
}

/** The lines of roles, by role; those that the entity does not have are missing. */
function useRoleLines(roles: readonly FieldRole[], over: string): Map<FieldRole, Line> {
  const { world, entityId } = useBoard();
  return useMemo(() => {
    const lines = new Map<FieldRole, Line>();
    for (const role of roles) {
      const combine = MEANS.includes(role) ? 'mean' : 'sum';
      try {
        const [line] = linesOf(world, entityId, { over, role, combine });
        if (line) lines.set(role, line);
      } catch (error) {
        if (!(error instanceof NoLine) || error.reason !== 'missing') throw error;
      }
    }
    return lines;
  }, [world, entityId, roles, over]);
}

function useByRole(lines: ReadonlyMap<FieldRole, Line>, figures: readonly Figure[]) {
  useWidgetData(
    namedData(figures.map(({ line, value, at }) => ({ name: line.label, value, units: line.units, at }))),
  );
  const byKey = new Map(figures.map((one) => [one.line.key, one]));
  return (role: FieldRole) => byKey.get(lines.get(role)?.key ?? '');
}

type Props = SettingsOf<'flow'> & { title: string };

/** Where power comes from and goes to now. */
function Power({ over, title }: Props) {
  const { t } = useTranslation();
  const lines = useRoleLines(FLOW_ROLES.power, over);
  const all = useMemo(() => [...lines.values()], [lines]);
  const { figures, isPending } = useFigures({ lines: all, fn: 'latest' });
  const of = useByRole(lines, figures);
  if (all.length === 0) return <WidgetNote text={t('boards.noFlow')} />;
  if (isPending) return <WidgetSkeleton />;
  const reading = (role: FieldRole): Reading => {
    const figure = of(role);
    if (!figure) return { value: null, at: null, missing: 'noSource' };
    const { value, at, isStale } = figure;
    return typeof value !== 'number' || at === null || isStale
      ? { value: null, at, missing: 'silent' }
      : { value, at, missing: null };
  };
  const [power, grid, battery] = [reading('acPower'), reading('gridPower'), reading('batteryPower')];
  const measured = reading('loadPower');
  const isKnown = power.value !== null && grid.value !== null;
  const load: Reading =
    measured.value === null && isKnown
      ? { value: power.value + grid.value + (battery.value ?? 0), at: power.at, missing: null }
      : measured;
  return (
    <div className={classes.flow}>
      <Flow
        reading={{
          ...{ power, grid, battery, load },
          poa: reading('irradiancePoa'),
          ghi: reading('irradianceGhi'),
          stateOfCharge: reading('stateOfCharge'),
        }}
      />
      <OriginButton lines={all} fn="latest" range={undefined} title={title} />
    </div>
  );
}

/** Where the energy of the range came from and went. */
function Energy({ over, range, title }: Props) {
  const { t } = useTranslation();
  const lines = useRoleLines(FLOW_ROLES.energy, over);
  const all = useMemo(() => [...lines.values()], [lines]);
  const { figures, isPending, error, retry } = useFigures({ lines: all, fn: 'difference', range });
  const of = useByRole(lines, figures);
  if (all.length === 0) return <WidgetNote text={t('boards.noFlow')} />;
  if (error) return <WidgetFailure error={error} onRetry={retry} />;
  if (isPending) return <WidgetSkeleton />;
  const wh = (role: FieldRole) => {
    const value = of(role)?.value;
    return typeof value === 'number' ? Math.max(0, value) : null;
  };
  return (
    <div className={classes.flow}>
      <Sankey
        generatedWh={wh('energyTotal') ?? 0}
        importedWh={wh('gridEnergyImported') ?? 0}
        dischargedWh={wh('batteryEnergyDischarged') ?? 0}
        exportedWh={wh('gridEnergyExported') ?? 0}
        chargedWh={wh('batteryEnergyCharged') ?? 0}
        usedWh={wh('loadEnergyTotal')}
      />
      <OriginButton lines={all} fn="difference" range={range} title={title} />
    </div>
  );
}
