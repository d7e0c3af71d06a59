import { z } from 'zod';
import { generalIssues } from './issues.ts';

/** Names that every object of the language has: as keys of plain objects they would be found where nobody set them. */
const RESERVED: ReadonlySet<string> = new Set(['prototype', ...Object.getOwnPropertyNames(Object.prototype)]);

export const isReservedName = (name: string): boolean => RESERVED.has(name) || RESERVED.has(name.trim());

/** A name that people choose freely for a value, up to `max` characters. */
export const freeKey = (max: number) =>
  z
    .string()
    .min(1, 'Required')
    .max(max)
    .refine((key) => !isReservedName(key), generalIssues['issue.name_reserved']);

/** Columns of a file of metadata that say what a row is about: no field of metadata is called so. */
export const ROW_COLUMNS = ['id', 'name', 'source'] as const;

export const isRowColumn = (name: string): boolean =>
  (ROW_COLUMNS as readonly string[]).includes(name.trim());
