import { type NewMachine, newMachine } from '@albedo/contract/machines/machines.schema';
import { AppError } from '../errors/app-error.ts';
import { at, type Kind } from '../history/history.service.ts';
import { contentOf, type Machines } from './machines.service.ts';

/** Machines have versions and can be written as code. */
export const machinesHistory = (machines: Machines): Kind<NewMachine> => ({
  name: 'machine',
  addon: 'machines',
  demand: async ({ workgroup }, id) => {
    if (!(await machines.find(workgroup, id))) throw new AppError('machine.not_found');
  },
  all: async ({ workgroup }) =>
    (await machines.list(workgroup)).map((one) => ({ id: one._id, content: contentOf(one) })),
  put: async ({ workgroup, by }, things, placeOf) => {
    for (const [i, { id, content }] of things.entries())
      await at(placeOf(i), async () => {
        const wanted = newMachine.parse(content);
        if (await machines.find(workgroup, id)) await machines.update(workgroup, id, wanted, by);
        else await machines.create(workgroup, wanted, by, id);
      });
  },
  remove: async ({ workgroup, by }, ids) => {
    for (const id of ids) await machines.remove(workgroup, id, by);
  },
  code: {
    section: 'machines',
    keyOf: ({ content }) => content.name,
    schema: newMachine,
    write: ({ content }) => content,
    read: (spec: NewMachine) => ({ content: spec }),
  },
});
