import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const brandingErrors = {
  'branding.image_invalid': { status: 400, text: 'This image cannot be used. {why}' },
  'branding.image_missing': { status: 404, text: 'This image does not exist.' },
} as const satisfies ErrorCatalog;

export const brandingIssues = {
  'issue.host_name': 'Enter a host name such as energy.example.org',
  'issue.image_large': 'It is larger than 500 kB.',
  'issue.image_kind': 'It is not a PNG, JPEG, WebP, GIF or SVG.',
  'issue.image_sides': 'It is {width} x {height} pixels. Each side must be {min} to {max}.',
  'issue.image_damaged': 'Its size cannot be read; the file may be damaged.',
  'issue.svg_broken': 'It is not a well-formed SVG.',
  'issue.svg_none': 'It is not an SVG.',
  'issue.svg_entities': 'It declares entities.',
  'issue.svg_contains': 'It contains {part}.',
  'issue.svg_attribute': 'It contains the attribute {name}.',
  'issue.svg_encoding': 'It is written in {encoding}, not in UTF-8.',
  'issue.svg_not_utf8': 'It is not written in UTF-8.',
  'issue.svg_outside': 'It refers to something outside itself.',
} as const satisfies IssueCatalog;
