import { topic } from '../bus/topic.ts';

/** Incidents opened or changed; the records have them as they are now. */
export const incidentsChanged = topic<{ workgroup: string; ids: string[] }>('incidents:changed');
