import type { PlantMachine } from '@albedo/contract/commissioning/commissioning.schema';

/** All bus addresses behind one port that one plugin reads. */
export interface Line extends Pick<PlantMachine, 'reader' | 'host' | 'port'> {
  units: number[];
}

export function linesOf(machines: readonly PlantMachine[]): Line[] {
  const groups = Map.groupBy(machines, ({ reader, host, port }) => `${reader} ${host} ${port}`);
  return [...groups.values()].flatMap((those) => {
    const [first] = those;
    if (!first) return [];
    const { reader, host, port } = first;
    return [{ reader, host, port, units: those.map(({ unit }) => unit).toSorted((a, b) => a - b) }];
  });
}

/** What the plugins call each machine instead of its address. */
export const sourceMapOf = (machines: readonly PlantMachine[]): string =>
  machines.map(({ host, port, unit, name }) => `${escaped(`${host}/${port}/${unit}`)}$,${name}\n`).join('');

/** A pattern that means the text itself. */
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
