import { holds, scopeIn } from '@albedo/contract/access/permissions';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { AppError } from '../errors/app-error.ts';
import { AUDIT_STREAM } from './audit.service.ts';

/** True for an owner of the workgroup and for who may read its audit log. */
export function maySeeAudit(session: SessionClaims, workgroup: string): boolean {
  const scope = scopeIn(session, workgroup);
  return scope !== undefined && holds(scope, 'audit');
}

/** Throws `request.forbidden` when one of the tables is the audit log and the session may not read it. */
export function demandTables(session: SessionClaims, workgroup: string, tables: string[]): void {
  if (tables.includes(AUDIT_STREAM.table) && !maySeeAudit(session, workgroup)) {
    throw new AppError('request.forbidden', { table: AUDIT_STREAM.table });
  }
}

/** What the session may see of things that each belong to a table. */
export function visible<T>(
  session: SessionClaims,
  workgroup: string,
  all: T[],
  tableOf: (one: T) => string,
): T[] {
  return maySeeAudit(session, workgroup) ? all : all.filter((one) => tableOf(one) !== AUDIT_STREAM.table);
}
