/** Writes docs/errors.md from the error catalogue of the contract; a test fails when the page is out of date. */
import { writeFileSync } from 'node:fs';
import { errorCatalog } from '@albedo/contract/failures/errors';

const rows = Object.entries(errorCatalog)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, { status, text }]) => `| \`${name}\` | ${status} | ${text} |`);

writeFileSync(
  'docs/errors.md',
  `# Errors

Every failure answers \`{code, message, error}\`: the HTTP status, a sentence for people, and the stable name to compare.
Made by \`npm run docs:errors\` from the contract.

| name | status | text |
| --- | --- | --- |
${rows.join('\n')}
`,
);
