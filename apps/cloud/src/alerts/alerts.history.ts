import { type NewAlert, newAlert } from '@albedo/contract/alerts/alerts.schema';
import { AppError } from '../errors/app-error.ts';
import { at, type Kind } from '../history/history.service.ts';
import type { Alerts } from './alerts.service.ts';

/** Alerts have versions and can be written as code. */
export const alertsHistory = (alerts: Alerts): Kind<NewAlert> => ({
  name: 'alert',
  demand: async ({ workgroup }, id) => {
    if (!(await alerts.find(workgroup, id))) throw new AppError('alert.not_found');
  },
  all: async ({ workgroup }) => (await alerts.all(workgroup)).map(({ id, content }) => ({ id, content })),
  put: async ({ workgroup, by }, things, placeOf) => {
    for (const [i, { id, content }] of things.entries())
      await at(placeOf(i), async () => {
        const wanted = newAlert.parse(content);
        if (await alerts.wasThere(workgroup, id)) await alerts.restore(workgroup, id, wanted, by);
        else await alerts.create(workgroup, wanted, by, id);
      });
  },
  remove: async ({ workgroup, by }, ids) => {
    for (const id of ids) await alerts.remove(workgroup, id, by);
  },
  code: {
    section: 'alerts',
    keyOf: ({ content }) => content.name,
    schema: newAlert,
    write: ({ content }) => content,
    read: (spec: NewAlert) => ({ content: spec }),
  },
});
