import type { MachineReading } from '@albedo/contract/commissioning/machines.schema';

/** What plugins show in the place of a value that there is none of. */
const NOT_MEASURED = 'not measured';

/**
 * What `discover` of a plugin shows: blocks of lines with a name and a text at a column that each block has of its own, a
 * line such as `AC Power(decimal:W)  1203.4` for each value. What is no block of a machine is left out.
 */
export function readingsOf(shown: string): MachineReading[] {
  return shown
    .split(/\n{2,}/)
    .flatMap((block) => readingOf(block.split('\n')) ?? [])
    .slice(0, 250);
}

function readingOf(lines: readonly string[]): MachineReading | null {
  const at = /^Table\s+(?=\S)/.exec(lines[0] ?? '')?.[0].length;
  if (at === undefined || !lines[1]?.startsWith('Source')) return null;
  const rows = lines.map((line) => ({ name: line.slice(0, at).trim(), text: plain(line.slice(at)) }));
  const unit = /\/(\d{1,3})$/.exec(rows[1]?.text ?? '')?.[1];
  if (unit === undefined || Number(unit) > 255) return null;
  const about: MachineReading['about'] = [];
  const values: MachineReading['values'] = [];
  for (const { name, text } of rows.slice(2)) {
    const column = /^(.+)\(([a-z]+)(?::(.*))?\)$/.exec(name);
    if (!column) about.push({ name: plain(name).slice(0, 200), text });
    else {
      const [, of = '', , units = ''] = column;
      const said = text === NOT_MEASURED ? '' : text;
      values.push({ name: plain(of).slice(0, 200), units: plain(units).slice(0, 40), text: said });
    }
  }
  const table = (rows[0]?.text ?? '').slice(0, 200);
  return { unit: Number(unit), table, about: about.slice(0, 50), values: values.slice(0, 2000) };
}

const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 500);
