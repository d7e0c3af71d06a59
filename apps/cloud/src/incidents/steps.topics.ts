import type { NewAlert } from '@albedo/contract/alerts/alerts.schema';
import type { Incident, IncidentTransition } from '@albedo/contract/incidents/incidents.schema';
import type { Transaction } from '@albedo/postgres/postgres';

/** An incident as it is for the whole workgroup; what depends on who looks is left out. */
export type WholeIncident = Omit<Incident, 'consequences'>;

/** Something happened to an incident: what, and how the incident is after it. */
export interface IncidentStep extends Pick<IncidentTransition, 'action' | 'at' | 'by' | 'value' | 'text'> {
  workgroup: string;
  incident: WholeIncident;
  /** The alert as it is at this moment; null where it is gone. */
  alert: Pick<NewAlert, 'name' | 'notify' | 'cause' | 'consequence' | 'response'> | null;
  /** Nobody is to hear of it: it is shelved, suppressed, out of service or the consequence of another one. */
  isSilent: boolean;
}

/**
 * Hears of steps inside the transaction that writes them: what it hands over (a job, a mail) goes out only where the
 * steps are kept. All steps are of one workgroup. What it throws undoes them.
 */
export type StepListener = (
  workgroup: string,
  steps: readonly IncidentStep[],
  inside: Transaction,
) => Promise<void>;
