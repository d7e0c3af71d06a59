import type { NewCalculation } from '@albedo/contract/calculations/calculations.schema';
import { DESCENDANT_STRATEGIES } from '@albedo/contract/entities/streams.schema';
import type { Entities } from '../entities/entities.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import { checkKpi } from '../kpis/kpis.service.ts';
import type { Machines } from '../machines/machines.service.ts';
import { CalculationGraph, selectorsOf } from './calculation-graph.ts';
import type { CalculationRow } from './calculations.store.ts';

interface Known {
  entities: Pick<Entities, 'all'>;
  machines: Pick<Machines, 'ids'>;
}

/** Throws `request.invalid` with the part at fault: a formula, a target that is not there, a circle. */
export async function demandCalculation(
  known: Known,
  workgroup: string,
  rows: readonly CalculationRow[],
  wanted: NewCalculation & { id: string; writesTo: string },
): Promise<void> {
  checkKpi(wanted);
  for (const value of Object.values(wanted.values))
    if (value.kind === 'aggregate')
      for (const { over } of selectorsOf(value))
        if (!DESCENDANT_STRATEGIES.some((one) => one === over))
          throw new AppError('entity.strategy_unknown', { strategy: over });
  await demandTarget(known, workgroup, wanted.target);
  const graph = new CalculationGraph([...rows.filter(({ id }) => id !== wanted.id), wanted]);
  const cycle = graph.cycleThrough(wanted.id);
  if (cycle) throw invalid('issue.calculation_cycle', { path: cycle.join(' > ') }, 'values');
}

async function demandTarget(
  { entities, machines }: Known,
  workgroup: string,
  target: NewCalculation['target'],
): Promise<void> {
  if (target.kind === 'machine') {
    const ids = await machines.ids(workgroup);
    if (!ids.has(target.machine))
      throw invalid('issue.machine_unknown', { id: target.machine }, 'target.machine');
  }
  if (target.kind !== 'entities') return;
  const there = new Set((await entities.all(workgroup)).map(({ _id }) => _id));
  target.entities.forEach((id, at) => {
    if (!there.has(id)) throw invalid('issue.entity_unknown', { id }, `target.entities.${at}`);
  });
}
