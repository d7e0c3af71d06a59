import { ENERGY_CONFIGS, type EnergyConfigName } from '@albedo/contract/energy/energy.names';
import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { at, type Kind } from '../history/history.service.ts';
import type { ConfigsOfEnergy } from './energy-configs.service.ts';

const inFile = z.object({ config: z.enum(ENERGY_CONFIGS), value: z.record(z.string(), z.unknown()) });

const nameOf = (id: string): EnergyConfigName => {
  const name = ENERGY_CONFIGS.find((one) => one === id);
  if (!name) throw new AppError('request.not_found');
  return name;
};

/** Configurations of reports, with codes and sites of meters, have versions and can be written as code. */
export const energyHistory = (configs: ConfigsOfEnergy): Kind<object> => ({
  name: 'report',
  demand: async ({ workgroup }, id) => {
    if ((await configs.get(workgroup, nameOf(id))).version === 0) throw new AppError('request.not_found');
  },
  all: async ({ workgroup }) =>
    [...(await configs.kept(workgroup))].flatMap(([id, { version, value }]) =>
      version === 0 ? [] : [{ id, content: value as object }],
    ),
  put: async ({ workgroup, by }, things, placeOf) => {
    for (const [i, { id, content }] of things.entries())
      await at(
        placeOf(i),
        async () => void (await configs.set(workgroup, nameOf(id), { value: content }, by)),
      );
  },
  remove: async ({ workgroup, by }, ids) => {
    for (const id of ids) await configs.reset(workgroup, nameOf(id), by);
  },
  code: {
    section: 'reports',
    keyOf: ({ id }) => id,
    schema: inFile,
    write: ({ id, content }) => ({ config: id, value: content }),
    read: (spec: z.output<typeof inFile>) => ({ id: spec.config, content: spec.value }),
  },
});
