import type { IssueCatalog } from '../http/catalogs.ts';

export const asCodeIssues = {
  'issue.yaml_syntax': 'Line {line}: {what}',
  'issue.yaml_alias': 'Line {line}: anchors and aliases are not allowed.',
  'issue.yaml_tag': 'Line {line}: the tag {tag} is not allowed.',
  'issue.yaml_key': 'Line {line}: {key} cannot be a key.',
  'issue.yaml_twice': 'Line {line}: {key} stands here twice.',
  'issue.yaml_text': 'Line {line}: a text with NUL or with half of a character cannot be stored.',
  'issue.yaml_deep': 'Lists and maps can be nested up to {max} levels deep.',
  'issue.yaml_map': 'A file is a map of kinds such as entities and dashboards.',
  'issue.code_format': 'The file has the format {given}; this server knows up to {known}.',
  'issue.code_section': 'Unknown kind. Known here: {known}.',
  'issue.code_unknown': 'This is not known here.',
  'issue.code_twice': 'Another entry of the file has the same name: {name}.',
  'issue.code_name': 'There is no {kind} called {name}.',
} as const satisfies IssueCatalog;
