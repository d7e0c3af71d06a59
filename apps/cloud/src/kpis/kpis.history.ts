import { keptKpi, type NewKpi, newKpi, valuesOfKept } from '@albedo/contract/kpis/kpis.schema';
import { AppError } from '../errors/app-error.ts';
import { at, type Kind } from '../history/history.service.ts';
import { contentOf, type Kpis, valuesByName } from './kpis.service.ts';

type KeptKpi = ReturnType<typeof contentOf>;

const ofKept = ({ values, ...rest }: KeptKpi): NewKpi => ({ ...rest, values: valuesOfKept(values) });

/** KPIs have versions and can be written as code. */
export const kpisHistory = (kpis: Kpis): Kind<KeptKpi> => ({
  name: 'kpi',
  addon: 'calculations',
  demand: async ({ workgroup }, id) => {
    if (!(await kpis.find(workgroup, id))) throw new AppError('kpi.not_found');
  },
  all: async ({ workgroup }) =>
    (await kpis.list(workgroup)).map((one) => ({ id: one._id, content: contentOf(one) })),
  put: async ({ workgroup, by }, things, placeOf) => {
    for (const [i, { id, content }] of things.entries())
      await at(placeOf(i), async () => {
        const wanted = newKpi.parse(ofKept(content));
        if (await kpis.find(workgroup, id)) await kpis.update(workgroup, id, wanted, by);
        else await kpis.create(workgroup, wanted, by, id);
      });
  },
  remove: async ({ workgroup, by }, ids) => {
    for (const id of ids) await kpis.remove(workgroup, id, by);
  },
  byId: valuesByName,
  code: {
    section: 'kpis',
    keyOf: ({ content }) => content.name,
    schema: newKpi,
    keptSchema: keptKpi,
    write: ({ content }) => ofKept(content),
    read: (spec: NewKpi) => ({ content: contentOf(spec) }),
  },
});
