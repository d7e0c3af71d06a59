import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';
import { isNeededAt } from './first-modules.ts';

/** Libraries of charts, forms and calendars: the first screens do without them, and evaluating them takes a phone a while. */
const LATER_LIBRARIES =
  /node_modules\/.*(?:uplot|zod|papaparse|@mantine\/(?:dates|form|dropzone)|dayjs|react-dropzone|file-selector|attr-accept|react-number-format)\//;
/** What tables stand on; a dashboard does without. */
const TABLE_LIBRARIES =
  /node_modules\/(?:@tanstack\/(?:react-table|table-core|react-virtual|virtual-core|store|react-store)\/|@mantine\/core\/.*\/Checkbox\/)/;
/** Pieces that a dashboard and a list do without until somebody changes something. */
const LATER_PIECES =
  /node_modules\/(?:@mantine\/core\/.*\/(?:Collapse|FileButton|FloatingIndicator|LoadingOverlay|Progress|SegmentedControl|Stack|Switch|Table|Tabs|Textarea)\/|klona\/|fast-deep-equal\/)/;
/** Fields of larger forms; a dashboard does without. */
const FORM_FIELDS =
  /node_modules\/@mantine\/core\/.*\/(?:Accordion|Autocomplete|MultiSelect|NumberInput|Pill|PillsInput|Radio|TagsInput)\//;
/** Parts of screens that stand on them. */
const LATER_PARTS =
  /\/(?:ui\/(?:csv|data-table|tab-list|wide-table)|app\/list|form-dialog|time-series-chart|time-range|app\/(?:figures|versions|series|device-zone)|features\/(?:boards|energy|kpis|telemetry|photos|schedules)|(?:identity-providers|members|notifications)\/|app\/faults|contract\/src\/(?:failures|schedules)|use-contract-form|name-dialog|confirm-dialog|file-drop)/;

/** What the first page stands on, in the order in which it is evaluated. */
const STARTS = {
  react: /node_modules\/(?:react|react-dom|scheduler)\/|apps\/web\/src\/start\/react/,
  mantine:
    /node_modules\/(?:@mantine|@floating-ui|clsx|tabbable|@tabler)\/|apps\/web\/src\/(?:start\/mantine|app\/mantine\.css)/,
  router: /node_modules\/|apps\/web\/src\/start\/router/,
};

/**
 * Which file a module of the app comes in. On a phone thirty small files cost more than their bytes, but what a file holds is
 * evaluated as a whole: so what nearly all screens use comes at once, and the rest by who uses it.
 */
export const chunkGroups = [
  { name: 'first', test: /apps\/web\/(?:index\.html|src\/boot|src\/app\/first-card)/, priority: 7 },
  // The app's first page: its libraries are evaluated in tasks of their own, see boot.ts.
  ...Object.entries(STARTS).map(([name, test]) => ({ name, test, tags: ['$initial' as const], priority: 7 })),
  { name: 'start', tags: ['$initial' as const], priority: 6 },
  // Only what the first screens need: a phone waits for all of it.
  { name: 'shell', test: (id: string) => isNeededAt('shell', id), priority: 6 },
  // What several of them need comes before what one does: a module takes those that it needs along.
  ...['screens', 'board', 'list', 'bar'].map((name) => ({
    name,
    test: (id: string) => isNeededAt(name, id),
    priority: 6,
  })),
  {
    name: 'shared',
    test: (id: string) =>
      id.includes('node_modules/') &&
      ![LATER_LIBRARIES, TABLE_LIBRARIES, LATER_PIECES, FORM_FIELDS].some((later) => later.test(id)),
    minShareCount: 5,
    priority: 5,
  },
  { name: 'tables', test: TABLE_LIBRARIES, minShareCount: 5, priority: 4 },
  { name: 'fields', test: FORM_FIELDS, minShareCount: 5, priority: 4 },
  { name: 'charts', test: /node_modules\/uplot/, minShareCount: 5, priority: 4 },
  {
    name: 'forms',
    test: /node_modules\/.*(?:@mantine\/form|react-number-format|klona|fast-deep-equal)\//,
    minShareCount: 5,
    priority: 4,
  },
  { name: 'schemas', test: /node_modules\/zod\//, minShareCount: 5, priority: 4 },
  // Making the schemas of the whole contract takes longer than drawing a screen.
  {
    name: 'contract',
    test: isSchema,
    minShareCount: 2,
    priority: 3,
    // Not merged into fewer files: those would need one another in a circle.
    entriesAware: true,
  },
  {
    name: 'parts',
    test: (id: string) => /(?:apps\/web|packages)\/.*src\//.test(id) && !LATER_PARTS.test(id),
    minShareCount: 5,
    priority: 2,
  },
  // Not merged with what a screen needs at once.
  {
    name: 'dialogs',
    test: /\/(?:name-dialog|form-dialog|confirm-dialog|use-contract-form)/,
    minShareCount: 5,
    priority: 2,
    entriesAware: true,
  },
  // Nor merged among themselves: some of those would need one another in a circle.
  { name: 'more', minShareCount: 5, priority: 1, entriesAware: true },
];

/** Whether the file of the contract makes schemas; those of endpoints are left out anyway. */
function isSchema(id: string): boolean {
  const file = id.replace(/\?.*/, '');
  return (
    file.includes('packages/contract/src/') &&
    !file.endsWith('.api.ts') &&
    readFileSync(file, 'utf8').includes("from 'zod'")
  );
}

/** Fails the build where files need one another in a circle: what one of them takes from the other would not be there yet. */
export function withoutCircles(): Plugin {
  return {
    name: 'albedo-without-circles',
    apply: 'build',
    writeBundle(_, bundle) {
      const done = new Set<string>();
      const visit = (name: string, path: readonly string[]): void => {
        const at = path.indexOf(name);
        if (at >= 0) this.error(`Files need one another: ${[...path.slice(at), name].join(' > ')}.`);
        const chunk: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined = bundle[name];
        if (done.has(name) || chunk?.type !== 'chunk') return;
        for (const one of chunk.imports) visit(one, [...path, name]);
        done.add(name);
      };
      for (const name of Object.keys(bundle)) visit(name, []);
    },
  };
}
