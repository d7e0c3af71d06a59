import type { WorkgroupRequest } from '@albedo/contract/workgroup-requests/workgroup-requests.schema';
import { jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { named, tablePart, yes } from '../database/workgroup-part.tables.ts';

/** Requests for workgroups of people who have none. */
export const workgroupRequests = pgTable('workgroup_requests', {
  id: uuid().primaryKey().defaultRandom(),
  request: jsonb().$type<WorkgroupRequest>().notNull(),
  status: text().$type<'open' | 'accepted' | 'rejected'>().notNull().default('open'),
  requestedAt: timestamp('requested_at', { withTimezone: true }).notNull().defaultNow(),
  decidedAt: timestamp('decided_at', { withTimezone: true }),
  decidedBy: text('decided_by'),
  workgroup: text(),
});

/** What workgroups have of it. */
export const workgroupRequestsPart = [
  tablePart(workgroupRequests, named(workgroupRequests.workgroup), {
    id: yes,
    request: yes,
    status: yes,
    requestedAt: yes,
    decidedAt: yes,
    decidedBy: yes,
    workgroup: yes,
  }),
];
