import { KEPT_SECRET, type TaskArguments } from '@albedo/contract/plugins/plugins.schema';
import { type Cell, type CellRow, quotedCell, rowsOf, withCells } from '../parsing/service-cells.ts';
import type { SecretOption } from './plugin-spec.ts';

/** What an activity had as a password before; of a service in the row with this name, or else at this place. */
export type Kept = (option: string, row: RowPlace) => string | undefined;

interface RowPlace {
  name: string;
  at: number;
  of: number;
}

/** What stands for the name of an option where a row cannot be read: all of it is a password then. */
const ROW = 'row';

/** A service file without its passwords: all that is told of it outside this device. */
export const hiddenFile = (text: string, secret: SecretOption): string =>
  withCells(
    text,
    secretsIn(text, secret)
      .filter(({ cell }) => cell.value !== '')
      .map(({ cell }) => ({ cell, value: KEPT_SECRET })),
  );

export const hiddenTask = (given: TaskArguments, secret: SecretOption): TaskArguments => ({
  ...given,
  optional: mapped(given.optional, (value, option) => (secret(option) ? KEPT_SECRET : value)),
  secrets: mapped(given.secrets, () => KEPT_SECRET),
});

/** A service file that comes back with the passwords that it had. Throws for one that is not known. */
export const filledFile = (text: string, secret: SecretOption, kept: Kept): string =>
  withCells(
    text,
    secretsIn(text, secret)
      .filter(({ cell }) => cell.value === KEPT_SECRET)
      .map(({ cell, option, row }) => {
        const value = demand(kept(option, row), option);
        return { cell, value: option === ROW ? value : quotedCell(value) };
      }),
  );

export function filledTask(given: TaskArguments, kept: Kept): TaskArguments {
  const fill = (value: string, option: string): string =>
    value === KEPT_SECRET ? demand(kept(option, { name: '', at: 0, of: 1 }), option) : value;
  return { ...given, optional: mapped(given.optional, fill), secrets: mapped(given.secrets, fill) };
}

export const keptOfTask =
  ({ secrets, optional }: TaskArguments): Kept =>
  (option) =>
    new Map([...Object.entries(optional), ...Object.entries(secrets)]).get(option);

/** A row is known by its name where one row alone has it, and by its place where there are as many as before. */
export function keptOfFile(text: string, secret: SecretOption): Kept {
  const found = secretsIn(text, secret);
  return (wanted, { name, at, of }) => {
    const mine = found.filter(({ option }) => option === wanted);
    const named = name === '' ? [] : mine.filter(({ row }) => row.name === name);
    const placed = mine.find(({ row }) => row.at === at && row.of === of);
    return (named.length === 1 ? named[0] : placed)?.cell.value;
  };
}

function demand(value: string | undefined, option: string): string {
  if (value !== undefined && value !== '') return value;
  throw new Error(`what ${option} was is not known on this device: enter it again`);
}

function secretsIn(text: string, secret: SecretOption): { option: string; cell: Cell; row: RowPlace }[] {
  return rowsOf(text).flatMap((row) => {
    const { at, of, cells, whole } = row;
    if (cells === null || whole.value === KEPT_SECRET)
      return [{ option: ROW, cell: whole, row: { name: '', at, of } }];
    const name = cells.get('_name')?.value ?? '';
    return optionsIn(row, secret).map((one) => ({ ...one, row: { name, at, of } }));
  });
}

const optionsIn = ({ cells }: CellRow, secret: SecretOption): { option: string; cell: Cell }[] =>
  [...(cells ?? [])].flatMap(([column, cell]) => {
    const option = secret(column);
    return option === null ? [] : [{ option, cell }];
  });

const mapped = (
  record: Readonly<Record<string, string>>,
  change: (value: string, name: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
