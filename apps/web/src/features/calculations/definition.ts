import type { Calculation, NewCalculation } from '@albedo/contract/calculations/calculations.schema';

/** What is written of a calculation, without what the server knows of it. */
export const definitionOf = ({
  name,
  description,
  isActive,
  table,
  interval,
  target,
  values,
}: Calculation): NewCalculation => ({ name, description, isActive, table, interval, target, values });
