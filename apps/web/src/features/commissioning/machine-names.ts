import type { PlantMachine, PlantPreview } from '@albedo/contract/commissioning/commissioning.schema';

/** What a machine is called by the table that its values go into. */
const STEMS: Readonly<Record<string, string>> = {
  solar: 'inv',
  inverter: 'inv',
  meter: 'meter',
  weather: 'station',
  battery: 'battery',
};

/** Names for the machines that nobody has named yet, by what they turned out to be: `inv-01`, `meter`. */
export function namedByKind(
  machines: readonly PlantMachine[],
  preview: PlantPreview['machines'],
): PlantMachine[] {
  const tables = new Map(preview.map((one) => [keyOf(one), one.reading?.table ?? null]));
  const stems = machines.map((one) =>
    /^machine-\d+(-\d+)?$/.test(one.name) ? (STEMS[tables.get(keyOf(one)) ?? ''] ?? null) : null,
  );
  const taken = new Set(machines.filter((_, at) => stems[at] === null).map(({ name }) => name));
  return machines.map((one, at) => {
    const stem = stems[at];
    if (!stem) return one;
    const isOnlyOne = stem !== 'inv' && stems.filter((other) => other === stem).length === 1;
    const name = freeOf(stem, isOnlyOne, taken);
    taken.add(name);
    return { ...one, name };
  });
}

function freeOf(stem: string, isOnlyOne: boolean, taken: ReadonlySet<string>): string {
  if (isOnlyOne && !taken.has(stem)) return stem;
  for (let at = 1; ; at++) {
    const name = `${stem}-${String(at).padStart(2, '0')}`;
    if (!taken.has(name)) return name;
  }
}

export const keyOf = ({ host, port, unit }: Pick<PlantMachine, 'host' | 'port' | 'unit'>): string =>
  `${host} ${port} ${unit}`;
