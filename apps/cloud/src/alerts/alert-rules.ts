import type { AlertAggregate, NewAlert } from '@albedo/contract/alerts/alerts.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import type { IncidentAlert } from '../incidents/incidents.service.ts';
import { type HasLabel, type InScope, inScope } from './alert-scope.ts';
import { type Condition, conditionOf, fieldsIn } from './conditions.ts';
import type { Durations } from './judge.ts';

const MINUTE_MS = 60_000;
/** A series that says nothing for so long is unknown. Source: what counts as a gap in a chart. */
export const STALE_MS = 15 * MINUTE_MS;

/** An alert as it is evaluated. */
export interface Rule {
  /** Of the workgroup that it is of. */
  workgroup: string;
  alert: IncidentAlert;
  content: NewAlert;
  inScope: InScope;
  durations: Durations;
  delayMs: number;
  holds: Condition;
  /** Null: what does not fire it clears it. */
  clears: Condition | null;
  /** The field whose value stands for the incident; null where there is none. */
  field: string | null;
  /** What decides how it is evaluated: where that stays the same, what is pending goes on. */
  key: string;
}

export function ruleOf(
  workgroup: string,
  id: string,
  content: NewAlert,
  entities: ReadonlyMap<string, Entity>,
  hasLabel: HasLabel,
): Rule {
  const { conditions, clearConditions, operator, aggregate } = content;
  const { name, notify, cause, consequence, response, severity, category, ...judged } = content;
  return {
    workgroup,
    alert: { ...content, id },
    content,
    inScope: inScope(content.scope, entities, hasLabel),
    durations: {
      // The first half of the time of `stuck` is the span that is read.
      forMs: (content.kind === 'stuck' ? Math.floor(content.forMinutes / 2) : content.forMinutes) * MINUTE_MS,
      clearMs: content.clearMinutes * MINUTE_MS,
      // An event is no series.
      staleMs:
        content.kind === 'event'
          ? Number.POSITIVE_INFINITY
          : Math.max(STALE_MS, aggregate ? 2 * aggregate.overMinutes * MINUTE_MS : 0),
    },
    delayMs: content.delaySeconds * 1000,
    holds: conditionOf(operator, conditions),
    clears: clearConditions.length > 0 ? conditionOf('AND', clearConditions) : null,
    field: aggregate?.field ?? content.field ?? fieldsIn(conditions)[0] ?? null,
    key: JSON.stringify(judged),
  };
}

const COMPARISONS: Readonly<Record<AlertAggregate['operator'], (value: number, limit: number) => boolean>> = {
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '=': (value, limit) => value === limit,
  '!=': (value, limit) => value !== limit,
};

export const exceeds = ({ operator, value: limit }: AlertAggregate, value: number): boolean =>
  COMPARISONS[operator](value, limit);
