import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { type Field, parseFieldFile } from '@albedo/plugin-kit/fields/field-file';

/** What is read where no configuration says otherwise. Source: RFC 3418 (system), RFC 2863 (interfaces). */
export const STANDARD_CONFIG = `
network, , Name,        1.3.6.1.2.1.1.5.0, keyword
network, , Description, 1.3.6.1.2.1.1.1.0, keyword
network, , Location,    1.3.6.1.2.1.1.6.0, keyword
network, , Uptime,      1.3.6.1.2.1.1.3.0, decimal, s, 0.01
interfaces, , Interface,   1.3.6.1.2.1.2.2.1.2.*, keyword
interfaces, , Status,      1.3.6.1.2.1.2.2.1.8.*, integer, , , 1:up;2:down;3:testing;4:unknown;5:dormant;6:not present;7:lower layer down
interfaces, , Speed,       1.3.6.1.2.1.2.2.1.5.*, integer, bit/s
interfaces, , Received,    1.3.6.1.2.1.2.2.1.10.*, integer, B
interfaces, , Sent,        1.3.6.1.2.1.2.2.1.16.*, integer, B
interfaces, , Received 64, 1.3.6.1.2.1.31.1.1.1.6.*, integer, B
interfaces, , Sent 64,     1.3.6.1.2.1.31.1.1.1.10.*, integer, B
`;

const OID = /^[012](\.\d{1,10}){1,127}$/;

export interface SnmpConfig {
  scalars: Field[];
  /** Fields of one table and source, whose OIDs are columns; each row becomes a source. */
  tables: Field[][];
}

/** Reads a configuration; an OID that ends in `.*` is a column of a table. Throws `InputError` with every fault. */
export function parseSnmpConfig(text: string, file: string): SnmpConfig {
  const fields = parseFieldFile(text, file, (address) => {
    if (!OID.test(oidOf(address)))
      throw new InputError(`OID: "${address}" is not of the form 1.3.6.1.2.1.1.5.0`);
  });
  const tables = new Map<string, Field[]>();
  for (const field of fields.filter(isColumn)) {
    const key = `${field.table}\n${field.source}`;
    tables.set(key, [...(tables.get(key) ?? []), field]);
  }
  const scalars = fields.filter((field) => !isColumn(field));
  const mixed = scalars.find(({ table, source }) => tables.has(`${table}\n${source}`));
  if (mixed) {
    throw new InputError(
      `${file}, line ${mixed.line}: ${mixed.column.name} is a single value among columns; give it another table or source`,
    );
  }
  return { scalars, tables: [...tables.values()] };
}

const isColumn = ({ address }: Field): boolean => address.endsWith('.*');

/** Without the leading full stop that some people write, and the mark of a column. */
export const oidOf = (address: string): string => address.replace(/^\./, '').replace(/\.\*$/, '');

/** OIDs of columns that the name of a source is made of. */
export const namingColumns = (source: string): string[] =>
  [...source.matchAll(/\{([\d.]+)\}/g)].map(([, oid = '']) => oid).filter((oid) => OID.test(oid));
