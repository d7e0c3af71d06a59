import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const bulkActionsErrors = {
  'bulk_action.not_found': { status: 404, text: 'This bulk action does not exist.' },
  'bulk_action.over': { status: 409, text: 'This bulk action is over.' },
  'bulk_action.away': { status: 409, text: 'The device stayed offline for {hours} h.' },
  'bulk_action.cut_off': {
    status: 409,
    text: 'The server was stopped while it ran, so nobody knows the end; it is not run again.',
  },
  'bulk_action.csv_cells': {
    status: 400,
    text: 'The line has more cells than there are columns; a cell with a comma in it needs quotation marks.',
  },
  'bulk_action.csv_quotes': {
    status: 400,
    text: 'The quotation marks of this line do not match; one inside of a cell is written twice.',
  },
} as const satisfies ErrorCatalog;

export const bulkActionsIssues = {
  'issue.csv_columns': 'The first line names the columns; one of them has to be name or id.',
  'issue.bulk_part': 'This is no part of a configuration: {why}',
  'issue.bulk_part_key': 'The key {key} is changed on each device by itself.',
} as const satisfies IssueCatalog;
