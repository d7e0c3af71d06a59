/** Rooms of the cloud below its features, whose files everybody may use. */
const LOWER_ROOMS = [
  'access',
  'attempts',
  'bus',
  'command-line',
  'config',
  'database',
  'errors',
  'files',
  'house',
  'http',
  'jobs',
  'mapping',
  'metrics',
  'outbound',
  'registry',
  'secrets',
  'shards',
  'sockets',
  'users',
];

/** Rules that nothing may break. */
const errors = (rules) => rules.map((rule) => ({ severity: 'error', ...rule }));

/** Which way imports may point; the plan of the house is docs/architecture.md. */
export default {
  forbidden: errors([
    {
      name: 'production-reaches-no-test',
      comment:
        'What serves people and runs on devices loads no test, no test double, no bench and no demo of ours',
      from: {
        path: '^(apps|packages|plugins)/',
        pathNot:
          '(\\.(test|spec|test-store)\\.tsx?$|/testing/|-child\\.ts$|/test-screen\\.tsx$|^apps/simulator/)',
      },
      to: { path: '(\\.(test|spec)\\.tsx?$|/testing/|^(e2e|bench|demo|scripts)/)' },
    },
    {
      name: 'no-cycles',
      from: {},
      to: { circular: true },
    },
    {
      name: 'cloud-features-are-reached-through-one-file',
      comment:
        'Others know the service, the feature that opens it and its topics; the rooms below are for everybody',
      from: {
        path: '^apps/cloud/src/([^/]+)/',
        pathNot: '(\\.test\\.ts$|^apps/cloud/src/(testing|engines)/)',
      },
      to: {
        path: '^apps/cloud/src/[^/]+/',
        pathNot: `(^apps/cloud/src/($1|${LOWER_ROOMS.join('|')})/|\\.(service|feature|topics)\\.ts$)`,
      },
    },
    {
      name: 'contract-energy-and-expressions-know-nobody',
      comment: 'Only a test of expressions asks the engine, whether the SQL gives the same values',
      from: {
        path: '^packages/(contract|energy|expressions)/',
        pathNot: '^packages/expressions/.*\\.test\\.ts$',
      },
      to: { path: '^(packages|apps|plugins|demo|e2e|bench)/', pathNot: '^packages/$1/' },
    },
    {
      name: 'packages-know-no-app',
      from: { path: '^packages/' },
      to: { path: '^(apps|plugins|demo|e2e|bench)/' },
    },
    {
      name: 'no-app-knows-another',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^(apps|plugins|demo|e2e|bench)/', pathNot: '^apps/$1/' },
    },
    {
      name: 'web-takes-contract-energy-and-expressions-only',
      from: { path: '^apps/web/' },
      to: { path: '^packages/', pathNot: '^packages/(contract|energy|expressions)/' },
    },
    {
      name: 'plugins-know-only-their-kit',
      comment:
        'and, where they obey the cloud, what setpoints are: both sides read them with one piece of code',
      from: { path: '^plugins/([^/]+)/', pathNot: '(\\.test\\.ts$|/testing/)' },
      to: {
        path: '^(packages|apps|plugins|demo|e2e|bench)/',
        pathNot: '^(plugins/(kit|$1)|packages/contract/src/schedules)/',
      },
    },
    {
      name: 'tests-of-plugins-know-the-simulator-too',
      from: { path: '^plugins/([^/]+)/.*(\\.test\\.ts$|/testing/)' },
      to: {
        path: '^(packages|apps|plugins|demo|e2e|bench)/',
        pathNot: '^(plugins/(kit|$1)|apps/simulator|packages/contract/src/schedules)/',
      },
    },
    {
      name: 'stores-hold-the-sql',
      comment: 'Services decide; what asks the database is a *.store.ts, what describes it a *.tables.ts',
      from: { path: '^apps/cloud/src/', pathNot: '(\\.(store|tables|test)\\.ts$|^apps/cloud/src/testing/)' },
      to: { path: '(^|/)node_modules/drizzle-orm/' },
    },
    {
      name: 'events-are-read-and-written-in-telemetry',
      from: {
        path: '^apps/cloud/src/',
        pathNot: '^apps/cloud/src/(telemetry/|testing/)',
      },
      to: { path: '^packages/clickhouse/' },
    },
    {
      name: 'telemetry-has-one-door',
      comment: 'Others say for whom they read (telemetry.service.ts); the engine itself is opened once',
      from: {
        path: '^apps/cloud/src/',
        pathNot: '(^apps/cloud/src/((telemetry|testing)/|engines/)|\\.test\\.ts$)',
      },
      to: {
        path: '^apps/cloud/src/telemetry/',
        pathNot: '^apps/cloud/src/telemetry/telemetry\\.(service|feature)\\.ts$',
      },
    },
    {
      name: 'web-features-meet-through-queries',
      comment: 'A feature of the web reaches another one only through its <feature>.queries.ts',
      from: { path: '^apps/web/src/features/([^/]+)/', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: '^apps/web/src/features/',
        pathNot: '^apps/web/src/features/(?:$1/|([^/]+)/\\1\\.queries\\.ts$)',
      },
    },
    {
      name: 'web-features-know-no-list-of-them',
      comment: 'What stands at the top of apps/web/src puts the features together',
      from: { path: '^apps/web/src/(ui|app|features)/' },
      to: { path: '^apps/web/src/[^/]+$' },
    },
    {
      name: 'web-app-knows-no-feature',
      comment: 'What the app needs of a feature stands in its announcement (app/feature.ts)',
      from: { path: '^apps/web/src/app/' },
      to: { path: '^apps/web/src/features/' },
    },
    {
      name: 'web-ui-knows-no-app',
      from: { path: '^apps/web/src/ui/' },
      to: { path: '^apps/web/src/(app|features)/' },
    },
    {
      name: 'web-lists-announcements',
      comment: 'The list of features sees nothing of them but what they announce',
      from: { path: '^apps/web/src/[^/]+$', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: '^apps/web/src/features/',
        pathNot: '^apps/web/src/features/([^/]+)/\\1\\.feature\\.ts$',
      },
    },
    {
      name: 'web-folders-have-no-knot',
      scope: 'folder',
      from: { path: '^apps/web/src' },
      to: { circular: true },
    },
  ]),
  options: {
    doNotFollow: { path: 'node_modules' },
    // Tests of pieces and texts draw them as they stand in the app.
    exclude: { path: ['(^|/)(dist|data|\\.cache)/', '^apps/web/src/(ui|locales)/.*\\.test\\.tsx?$'] },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
