import { generalIssues, issuesOf } from '../http/issues.ts';
import { incidentHistory } from './incidents.schema.ts';

const ownIssue = issuesOf(generalIssues);

/** Of the load: a year at most. */
export const incidentSpan = incidentHistory
  .pick({ from: true, to: true })
  .superRefine(({ from, to }, context) => {
    if (to <= from) context.addIssue(ownIssue(['to'], 'issue.end_first'));
    else if (to - from > 366 * 86_400_000)
      context.addIssue(ownIssue(['from'], 'issue.too_large', { max: '366 d' }));
  });
