import { topic } from '../bus/topic.ts';

/** Incidents opened or changed; read them again from the records. */
export const incidentsChanged = topic<{ workgroup: string; ids: string[] }>('incidents:changed');
