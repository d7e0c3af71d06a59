import { z } from 'zod';
import { FIELD_ROLE_NAMES, SOURCE_KINDS } from './field-roles.ts';

const stream = { table: z.string().min(1).max(200), source: z.string().max(400) };

/** What people say of a field; it stands above every guess. */
export const roleChoice = z.object({
  /** Null: the field has none of the roles. */
  role: z.enum(FIELD_ROLE_NAMES).nullable(),
  /** The source counts the other way round than the role does, such as export positive. */
  isReversed: z.boolean().default(false),
  /** The unit that the values are in, where what the source says is missing or wrong. */
  units: z.string().trim().min(1).max(40).nullable().default(null),
});

export const fieldChoice = roleChoice.extend({ ...stream, field: z.string().min(1).max(200) });
export type FieldChoice = z.output<typeof fieldChoice>;

/** Kept as the setting `fieldRoles` of the device. */
export const FIELD_ROLES_SETTING = 'fieldRoles';
/** Corrections that one device may have. */
export const CHOICES_LIMIT = 2000;

export const newFieldRole = z.object({
  ...stream,
  field: z.string().min(1).max(200),
  /** Null takes the correction back. */
  choice: roleChoice.nullable(),
});

/** The meaning of one field: what it was guessed to be, what people say, and what counts. */
export const roleOfField = z.object({
  field: z.string(),
  units: z.string().nullable(),
  guessed: z.enum(FIELD_ROLE_NAMES).nullable(),
  choice: roleChoice.nullable(),
  role: z.enum(FIELD_ROLE_NAMES).nullable(),
  isReversed: z.boolean(),
});

export const sourceRoles = z.object({
  ...stream,
  kind: z.enum(SOURCE_KINDS),
  fields: z.array(roleOfField),
});
export type SourceRoles = z.output<typeof sourceRoles>;
