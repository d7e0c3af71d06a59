import type { IssueCatalog } from '../http/catalogs.ts';

export const deviceConfigIssues = {
  'issue.config_path': 'Give an absolute path, which begins with a slash.',
  'issue.config_own_table': 'The cloud and the agents tell of themselves in this table. Choose another one.',
  'issue.config_full_stop': 'A source cannot contain a full stop.',
  'issue.config_clock': 'Give a minute of each hour, such as 15, or a time of each day, such as 6:30.',
  'issue.config_star': 'The sign * can stand in the last part of the path only.',
  'issue.config_socket': 'Give a plain file name, without folders.',
  'issue.config_seconds': 'Give a number of seconds, from 1 on.',
  'issue.config_interval': 'Give a number of seconds, or one of the intervals of the folders, such as 5m.',
  'issue.config_schedule': 'Give either an interval or a time.',
  'issue.config_columns': 'CSV needs columns: add each with its name and type.',
} as const satisfies IssueCatalog;
