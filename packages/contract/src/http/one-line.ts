import { generalIssues } from './issues.ts';

/**
 * For `regex` of whatever is a name: it stands in lists, mails and logs, where a line break or another control character
 * would make it look like something else. Includes the separators that some programs break lines at.
 */
export const ONE_LINE = [/^[^\p{Cc}\u2028\u2029]*$/u, generalIssues['issue.one_line']] as const;
