import {
  keptCalculation,
  type NewCalculation,
  newCalculation,
} from '@albedo/contract/calculations/calculations.schema';
import { valuesOfKept } from '@albedo/contract/kpis/kpis.schema';
import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { at, type Kind } from '../history/history.service.ts';
import { valuesByName } from '../kpis/kpis.service.ts';
import { type Calculations, contentOf } from './calculations.service.ts';

type KeptCalculation = ReturnType<typeof contentOf>;

const ofKept = ({ values, ...rest }: KeptCalculation): NewCalculation => ({
  ...rest,
  values: valuesOfKept(values),
});

/** In a file the machine of a target has its name. */
const target = z.discriminatedUnion('kind', [
  newCalculation.shape.target.options[0],
  newCalculation.shape.target.options[1],
  z.object({ kind: z.literal('machine'), machine: z.string().min(1, 'Required').max(200) }),
]);
const inFile = newCalculation.safeExtend({ target });
type InFile = z.output<typeof inFile>;

/** Calculations have versions and can be written as code. */
export const calculationsHistory = (calculations: Calculations): Kind<KeptCalculation> => ({
  name: 'calculation',
  addon: 'calculations',
  demand: async ({ workgroup }, id) => {
    if (!(await calculations.find(workgroup, id))) throw new AppError('calculation.not_found');
  },
  all: async ({ workgroup }) =>
    (await calculations.list(workgroup)).map((one) => ({ id: one._id, content: contentOf(one) })),
  put: async ({ workgroup, by }, things, placeOf) => {
    for (const [i, { id, content }] of things.entries())
      await at(placeOf(i), async () => {
        const wanted = newCalculation.parse(ofKept(content));
        if (await calculations.find(workgroup, id)) await calculations.update(workgroup, id, wanted, by);
        else await calculations.create(workgroup, wanted, by, undefined, id);
      });
  },
  remove: async ({ workgroup, by }, ids) => {
    for (const id of ids) await calculations.remove(workgroup, id, by);
  },
  byId: valuesByName,
  code: {
    section: 'calculations',
    keyOf: ({ content }) => content.name,
    schema: inFile,
    keptSchema: keptCalculation.extend({ target }),
    write: ({ content }, names) => {
      const { target, ...rest } = ofKept(content);
      if (target.kind !== 'machine') return { ...rest, target };
      return { ...rest, target: { ...target, machine: names.nameOf('machine', target.machine) } };
    },
    read: (spec: InFile, names, path) => {
      const { target } = spec;
      if (target.kind !== 'machine') return { content: contentOf({ ...spec, target }) };
      const machine = names.idOf('machine', target.machine, `${path}.target.machine`);
      return { content: contentOf({ ...spec, target: { kind: 'machine', machine } }) };
    },
  },
});
