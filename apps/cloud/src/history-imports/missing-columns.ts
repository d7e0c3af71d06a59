import { issueText } from '@albedo/contract/failures/issues';
import type { HistoryFormat, HistoryPlan } from '@albedo/contract/history-imports/history-imports.schema';
import type { RequestIssue } from '@albedo/contract/http/issues';
import { AppError } from '../errors/app-error.ts';
import { issuesText } from '../errors/request-issues.ts';
import type { ForeignRecord } from '../mapping/read-records.ts';

/**
 * Refuses a plan that names a column which none of these first records has.
 *
 * Each line of line protocol has tags and fields of its own, so that others than the time may well come later in the file.
 */
export function demandColumns(
  plan: HistoryPlan,
  format: HistoryFormat,
  records: readonly ForeignRecord[],
): void {
  if (records.length === 0) return;
  const named = format === 'lines' ? namedIn(plan).slice(0, 1) : namedIn(plan);
  const issues = named
    .filter(([, column]) => !records.some((one) => mayHave(one, column)))
    .map(([path, name]): RequestIssue => {
      const facts = { name };
      return {
        path: `plan.${path}`,
        message: issueText('issue.no_file_column', facts),
        issue: 'issue.no_file_column',
        facts,
      };
    });
  if (issues.length > 0) throw new AppError('request.invalid', { what: issuesText(issues) }, issues);
}

/** The columns that a plan names with their places in it, the time first. */
function namedIn({ mapping, deviceColumn, tableColumn }: HistoryPlan): [path: string, column: string][] {
  const { timeColumn, clockColumn, sourceColumn, fields } = mapping;
  const all: [string, string | null][] = [
    ['mapping.timeColumn', timeColumn],
    ['mapping.clockColumn', clockColumn],
    ['mapping.sourceColumn', sourceColumn],
    ['deviceColumn', deviceColumn],
    ['tableColumn', tableColumn],
    ...fields.map(({ column }, i): [string, string] => [`mapping.fields.${i}.column`, column]),
  ];
  return all.flatMap(([path, column]) => (column === null ? [] : [[path, column]]));
}

/** Whether a way leads to a value or to nothing: below a null there may be something in another record. */
function mayHave(record: ForeignRecord, path: string): boolean {
  if (Object.hasOwn(record, path)) return true;
  let at: unknown = record;
  for (const step of path.split('.')) {
    if (at === null) return true;
    if (typeof at !== 'object' || !Object.hasOwn(at as object, step)) return false;
    at = (at as ForeignRecord)[step];
  }
  return true;
}
