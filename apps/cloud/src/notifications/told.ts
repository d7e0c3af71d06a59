import type { EnergyAtRisk, Incident } from '@albedo/contract/incidents/incidents.schema';
import type { IncidentStep } from '../incidents/steps.topics.ts';

/** What messages say of an incident. Names come from devices: they are text wherever they stand. */
export interface Told {
  incident: string;
  alert: string;
  name: string;
  kind: Incident['kind'];
  severity: Incident['severity'];
  category: string | null;
  device: string | null;
  deviceName: string | null;
  table: string | null;
  source: string | null;
  subject: string;
  state: Incident['state'];
  condition: Incident['condition'];
  since: number;
  closedAt: number | null;
  clearedAt: number | null;
  closeReason: Incident['closeReason'];
  acknowledgedBy: string[];
  count: number;
  reading: Incident['reading'];
  energy: Pick<EnergyAtRisk, 'energyWh' | 'basis' | 'money'> | null;
  cause: string;
  consequence: string;
  response: string;
}

/** Ids of people and channels, and addresses. */
export interface ToldOf {
  users: string[];
  emails: string[];
  channels: string[];
}

export const NOBODY: ToldOf = { users: [], emails: [], channels: [] };

export const toldOf = ({ incident: of, alert }: IncidentStep, before?: Told): Told => ({
  incident: of._id,
  alert: of.alert,
  name: of.name,
  kind: of.kind,
  severity: of.severity,
  category: of.category,
  device: of.device,
  deviceName: of.deviceName,
  table: of.table,
  source: of.source,
  subject: of.subject,
  state: of.state,
  condition: of.condition,
  since: of.since,
  closedAt: of.closedAt,
  clearedAt: of.clearedAt,
  closeReason: of.closeReason,
  acknowledgedBy: of.acknowledgedBy,
  count: of.count,
  reading: of.reading,
  energy: of.energy && { energyWh: of.energy.energyWh, basis: of.energy.basis, money: of.energy.money },
  cause: alert?.cause ?? before?.cause ?? '',
  consequence: alert?.consequence ?? before?.consequence ?? '',
  response: alert?.response ?? before?.response ?? '',
});
