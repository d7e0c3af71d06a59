import {
  FIELD_ROLES_SETTING,
  type FieldChoice,
  fieldChoice,
  type SourceRoles,
} from './field-roles.schema.ts';
import { FIELD_ROLES, type FieldRole, type SourceKind } from './field-roles.ts';
import { readUnit } from './field-units.ts';
import { wordsOf } from './field-words.ts';
import { guessRoles, type NamedField } from './guess-roles.ts';

/** Where the value of a role stands: `values[field] * factor + offset` is in the unit of the role. */
export interface RolePlace {
  field: string;
  factor: number;
  offset: number;
}

/** What a source is, and where its roles stand. */
export interface RoledSource {
  table: string;
  source: string;
  kind: SourceKind;
  places: Partial<Record<FieldRole, RolePlace>>;
}

export interface NamedSource {
  table: string;
  source: string;
  fields: readonly NamedField[];
}

/** The corrections among the settings of a device; what is none is left out. */
export function choicesOf(settings: Readonly<Record<string, unknown>>): FieldChoice[] {
  const kept = settings[FIELD_ROLES_SETTING];
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one) => fieldChoice.safeParse(one).data ?? []);
}

/** Each field of a source with what it was guessed to be and what people say of it. */
export function explainRoles(source: NamedSource, choices: readonly FieldChoice[]): SourceRoles {
  const { kind, roles } = guessRoles(source);
  const own = choices.filter((one) => one.table === source.table && one.source === source.source);
  const chosen = new Map(own.map((one) => [one.field, one]));
  const taken = new Set(own.map(({ role }) => role));
  const fields = source.fields.map(({ name, units }) => {
    const guessed = roles.get(name) ?? null;
    const choice = chosen.get(name);
    const left = guessed !== null && !taken.has(guessed.role) ? guessed : null;
    return {
      field: name,
      units,
      guessed: guessed?.role ?? null,
      choice: choice ? { role: choice.role, isReversed: choice.isReversed, units: choice.units } : null,
      role: choice ? choice.role : (left?.role ?? null),
      isReversed: choice ? choice.isReversed : (left?.isReversed ?? false),
    };
  });
  const has = new Set(fields.flatMap(({ role }) => role ?? []));
  return {
    table: source.table,
    source: source.source,
    kind: own.length > 0 ? kindBy(has, kind) : kind,
    fields,
  };
}

/** The source with the places of its roles, as everything that computes needs it. */
export function roledSource(source: NamedSource, choices: readonly FieldChoice[]): RoledSource {
  const { table, source: name, kind, fields } = explainRoles(source, choices);
  const places: RoledSource['places'] = {};
  for (const { field, units, choice, role, isReversed } of fields) {
    if (role === null) continue;
    const scale = scaleOfRole(role, choice?.units ?? units, field);
    const sign = isReversed ? -1 : 1;
    if (scale) places[role] = { field, factor: sign * scale.factor, offset: sign * scale.offset };
  }
  return { table, source: name, kind, places };
}

/** The value of a role among the newest values of its source, in the unit of the role; null where there is none. */
export function valueOfRole(
  { places }: Pick<RoledSource, 'places'>,
  role: FieldRole,
  values: Readonly<Record<string, number | string | null>>,
): number | null {
  const place = places[role];
  if (!place || !Object.hasOwn(values, place.field)) return null;
  const value = values[place.field];
  return typeof value === 'number' && Number.isFinite(value) ? value * place.factor + place.offset : null;
}

/** How a written unit comes to that of a role; null where it measures something else. */
export function scaleOfRole(
  role: FieldRole,
  units: string | null,
  field: string,
): { factor: number; offset: number } | null {
  const { dimension } = FIELD_ROLES[role];
  if (dimension === 'none') return { factor: 1, offset: 0 };
  const written = readUnit(units);
  if (written) return written.dimension === dimension ? written : null;
  if ((units ?? '').trim() !== '') return null;
  // Energies are counted in kWh by those who do not say so.
  const words = wordsOf(field);
  const isKilo = dimension === 'energy' && (/(^| )kwh( |$)/.test(words) || !/(^| )wh( |$)/.test(words));
  return { factor: isKilo ? 1000 : 1, offset: 0 };
}

/** Once people have said what its fields are, these say what the source is. */
function kindBy(roles: ReadonlySet<FieldRole>, guessed: SourceKind): SourceKind {
  const any = (...wanted: FieldRole[]) => wanted.some((role) => roles.has(role));
  if (guessed === 'computer') return guessed;
  if (any('acPower', 'dcPower', 'energyTotal', 'energyToday')) return 'inverter';
  if (any('gridPower', 'gridEnergyImported', 'gridEnergyExported', 'loadPower')) return 'meter';
  if (any('batteryPower', 'stateOfCharge')) return 'battery';
  return any('irradiancePoa', 'irradianceGhi') ? 'station' : guessed;
}
