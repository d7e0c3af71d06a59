import type { BoardVariable, VariableKind } from '@albedo/contract/boards/variables.schema';
import { createContext, useContext } from 'react';

/** The variables that a widget can name. */
export const VariablesAt = createContext<readonly BoardVariable[]>([]);

/** Variables of a kind as choices of a field. */
export function useVariableChoices(kind: VariableKind): { value: string; label: string }[] {
  return useContext(VariablesAt)
    .filter((one) => one.kind === kind)
    .map(({ name, title }) => ({
      value: `{{${name}}}`,
      label: title ? `${title} {{${name}}}` : `{{${name}}}`,
    }));
}
