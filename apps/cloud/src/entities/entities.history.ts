import {
  type CalculationSignal,
  type EntityMeta,
  newEntity,
  type Signals,
} from '@albedo/contract/entities/entities.schema';
import { z } from 'zod';
import type { Kind, Names } from '../history/history.service.ts';
import type { Entities } from './entities.service.ts';
import type { EntityDeletions } from './entity-deletions.ts';
import { contentOf } from './entity-traces.ts';

type KeptEntity = ReturnType<typeof contentOf>;

const word = z.string().min(1, 'Required').max(200);
const { sources, fields, calculationFields } = newEntity.shape.signals.unwrap().shape;
const inSignals = <T extends z.ZodObject>(one: T) => z.array(one).max(1000).default([]);

/** In a file machines, devices and calculations have their names. */
const inFile = newEntity.extend({
  _id: z.never().optional(),
  id: newEntity.shape._id.unwrap(),
  machine: word.nullable().default(null),
  signals: newEntity.shape.signals
    .unwrap()
    .extend({
      sources: inSignals(sources.unwrap().element.extend({ deviceId: word })),
      fields: inSignals(fields.unwrap().element.extend({ deviceId: word })),
      calculationFields: inSignals(calculationFields.unwrap().element),
    })
    .prefault({}),
});
type InFile = z.output<typeof inFile>;

/** Entities have versions and can be written as code. */
export const entitiesHistory = (
  entities: Entities,
  deletions: Pick<EntityDeletions, 'remove'>,
): Kind<KeptEntity> => ({
  name: 'entity',
  demand: async (caller, id, action) => {
    await entities.get(caller, id);
    if (action === 'edit') await entities.demandEdit(caller, [id]);
  },
  isHidden: async (caller) => {
    const mayView = await entities.mayView(caller);
    return mayView && ((id) => !mayView(id));
  },
  all: async (caller) =>
    (await entities.list(caller))
      .filter(({ isNameOnly }) => !isNameOnly)
      .map((one) => ({ id: one._id, content: contentOf(one) })),
  put: async (editor, things, placeOf) => {
    const known = new Set((await entities.all(editor.workgroup)).map(({ _id }) => _id));
    const places = things.map((one, at) => ({ ...one, place: placeOf(at) }));
    const made = places.filter(({ id }) => !known.has(id));
    const changed = places.filter(({ id }) => known.has(id));
    const at = (all: typeof places) => (i: number) => {
      const { place = '' } = all[i] ?? {};
      return place === '' ? '' : `${place}.`;
    };
    if (made.length > 0) {
      await entities.demandCreate(editor);
      const wanted = made.map(({ id, content }) => newEntity.parse({ _id: id, ...content }));
      await entities.createAll(editor, wanted, at(made));
    }
    if (changed.length > 0)
      await entities.changeAll(
        editor,
        changed.map(({ id, content }) => ({ _id: id, ...newEntity.omit({ _id: true }).parse(content) })),
        at(changed),
      );
  },
  remove: async (editor, ids) => {
    const all = new Map((await entities.all(editor.workgroup)).map((one) => [one._id, one]));
    const gone = new Set(ids);
    const isBelow = (id: string): boolean => {
      const parent = all.get(id)?.parent ?? null;
      return parent !== null && (gone.has(parent) || isBelow(parent));
    };
    // What stands below another one goes with it.
    for (const id of ids) if (all.has(id) && !isBelow(id)) await deletions.remove(editor, id);
  },
  code: {
    section: 'entities',
    keyOf: ({ id }) => id,
    schema: inFile,
    write: ({ id, content: { machine, signals, meta, settings, ...rest } }, names) => ({
      id,
      ...rest,
      meta: inOrder(meta),
      settings: inOrder(settings),
      machine: machine === null ? null : names.nameOf('machine', machine),
      signals: inOrder(signalsIn(signals, names)),
    }),
    read: ({ id, _id, machine, signals, meta, settings, ...rest }: InFile, names, path) => ({
      id,
      content: {
        ...rest,
        meta: meta as EntityMeta,
        settings: settings as KeptEntity['settings'],
        machine: machine === null ? null : names.idOf('machine', machine, `${path}.machine`),
        signals: signalsOf(signals as Signals, names, `${path}.signals`),
      },
    }),
  },
});

/** With the names of each map in order: the records give them in another one than they took them. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, inOrder(one)]));
}

const signalsIn = (
  { sources: all, fields: some, calculationFields: made, ...rest }: Signals,
  names: Names,
) => ({
  sources: all.map((one) => ({ ...one, deviceId: names.nameOf('device', one.deviceId) })),
  fields: some.map((one) => ({ ...one, deviceId: names.nameOf('device', one.deviceId) })),
  calculationFields: made.map((one) => ({
    ...one,
    calculation_id: names.nameOf('calculation', one.calculation_id),
  })),
  ...rest,
});

function signalsOf(
  { sources: all, fields: some, calculationFields: made, ...rest }: Signals,
  names: Names,
  path: string,
): Signals {
  const device = (name: string, kind: string, at: number) =>
    names.idOf('device', name, `${path}.${kind}.${at}.deviceId`);
  return {
    sources: all.map((one, i) => ({ ...one, deviceId: device(one.deviceId, 'sources', i) })),
    fields: some.map((one, i) => ({ ...one, deviceId: device(one.deviceId, 'fields', i) })),
    calculationFields: made.map(
      (one, i): CalculationSignal => ({
        ...one,
        calculation_id: names.idOf(
          'calculation',
          one.calculation_id,
          `${path}.calculationFields.${i}.calculation_id`,
        ),
      }),
    ),
    ...rest,
  };
}
