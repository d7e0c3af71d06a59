import type { Postgres } from '@albedo/postgres/postgres';
import { packTokensPart } from '../database/devices.tables.ts';
import type { Feature } from '../house/feature.ts';
import { Enrolment } from './enrolment.service.ts';
import { EnrolmentStore } from './enrolment.store.ts';

/** One-time tokens by which a new agent fetches its pack. */
export const openEnrolment = ({ postgres }: { postgres: Postgres }): Feature<Enrolment> => ({
  name: 'enrolment',
  service: new Enrolment(new EnrolmentStore(postgres)),
  workgroupPart: { tables: packTokensPart },
});
