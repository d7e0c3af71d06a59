/**
 * Which areas each browser journey shows. An area is a folder of `apps/cloud/src`, `packages/contract/src` or
 * `apps/web/src/features`, which share their names; what belongs to no area of this table is everybody's.
 * `journeys.test.ts` compares the table with what the journeys open and call.
 */
export const AREAS_OF_JOURNEYS: Readonly<Record<string, readonly string[]>> = {
  'access-control': ['access-control', 'roles', 'members', 'workgroups'],
  'accessibility-admin': ['announcements', 'branding', 'device-groups', 'settings', 'support', 'workgroups'],
  'accessibility-people': [
    'accounts',
    'members',
    'mfa',
    'passkeys',
    'search',
    'sessions',
    'workgroup-requests',
  ],
  accessibility: ['announcements', 'api-tokens', 'audit', 'device-groups', 'devices', 'members', 'telemetry'],
  account: ['accounts', 'devices', 'members', 'mfa', 'search', 'sessions'],
  'admin-access': ['access-control', 'api-tokens', 'audit', 'members'],
  administration: ['devices', 'entities', 'labelling', 'metadata', 'settings', 'workgroups'],
  alerts: ['alerts', 'incidents'],
  analysis: ['analysis', 'devices', 'formulae', 'telemetry'],
  'lost-string': ['analysis', 'devices', 'telemetry'],
  glance: ['alerts', 'boards', 'devices', 'glance', 'incidents', 'plants'],
  announcements: ['announcements', 'workgroups'],
  approvals: ['approvals', 'devices', 'members', 'shells'],
  boards: ['boards', 'entities'],
  branding: ['branding'],
  'bulk-actions': ['bulk-actions', 'devices'],
  'cloud-devices': ['cloud-devices', 'devices', 'workgroups'],
  connection: ['audit', 'devices', 'members', 'telemetry', 'workgroups', 'workgroup-requests'],
  control: ['devices', 'members', 'plugins', 'schedules'],
  'device-groups': ['device-groups', 'devices', 'members'],
  devices: ['completeness', 'devices', 'live-feeds', 'telemetry'],
  diagnostics: ['diagnostics', 'completeness'],
  displays: ['boards', 'displays', 'entities'],
  entities: ['entities', 'machines'],
  webhooks: ['webhooks', 'members'],
  storage: ['data-tables', 'external-sources', 'members'],
  'every-screen': [
    'access',
    'access-control',
    'announcements',
    'api-tokens',
    'boards',
    'branding',
    'calculations',
    'device-groups',
    'devices',
    'entities',
    'kpis',
    'machines',
    'members',
    'schedules',
    'searches',
    'sessions',
    'settings',
    'workgroup-requests',
    'workgroups',
  ],
  fleet: ['device-commands', 'device-config', 'devices', 'shells', 'upgrades'],
  calculations: ['addons', 'calculations', 'entities', 'kpis'],
  kpis: ['addons', 'entities', 'kpis'],
  'first-plant': ['boards', 'commissioning', 'devices', 'discovery', 'entities', 'field-roles', 'workgroups'],
  'external-sources': ['members', 'devices', 'external-sources', 'lookup-tables', 'telemetry'],
  'history-imports': ['devices', 'history-imports', 'long-actions'],
  keyboard: ['devices', 'members', 'search', 'sessions', 'telemetry'],
  languages: ['accounts', 'members', 'sessions'],
  login: ['accounts', 'identity-providers', 'members', 'mfa', 'sessions'],
  motion: ['devices'],
  newcomer: ['completeness', 'devices', 'live-feeds', 'packs', 'telemetry'],
  passkeys: ['accounts', 'members', 'mfa', 'passkeys', 'sessions'],
  photos: ['device-commands', 'devices', 'photos'],
  'people-live': ['api-tokens', 'device-groups', 'members'],
  people: ['members'],
  plugins: ['device-asks', 'devices', 'plugins'],
  profile: ['accounts', 'members', 'workgroups'],
  reports: ['devices', 'energy', 'energy-config', 'history-imports', 'workgroups'],
  requests: ['accounts', 'members', 'workgroup-requests', 'workgroups'],
  searches: ['long-actions', 'members', 'searches', 'telemetry'],
  session: ['accounts', 'devices', 'members', 'sessions', 'workgroups'],
  shell: ['access', 'diagnostics', 'help', 'members'],
  pocket: ['device-label', 'devices', 'workgroups'],
  'shared-boards': ['boards', 'entities', 'workgroups'],
  'sign-in': ['sessions'],
  sso: ['identity-providers', 'members', 'sessions', 'settings'],
  tunnels: ['device-asks', 'tunnels'],
  support: ['support', 'workgroups'],
  update: ['boards', 'displays', 'entities', 'sessions'],
  workgroups: ['devices', 'long-actions', 'sessions', 'workgroup-admin', 'workgroups', 'workgroup-requests'],
};

/** Journeys that look at what agents send, and so at all that is on its road. */
const ON_THE_ROAD = ['accessibility', 'connection', 'devices', 'keyboard', 'newcomer'];

const AREA = /^(?:apps\/cloud\/src|packages\/contract\/src|apps\/web\/src\/features)\/([^/]+)\/[^/]+/;
const ROAD = /^(apps\/(agent|simulator)|demo|plugins)\//;
const JOURNEY = /^e2e\/([^/]+)\.spec\.ts$/;
/** Nothing of it is in a browser. */
const BESIDE = /^(bench|deploy|docs\/(?!help\/)|scripts\/(?!build|start))|\.test\.tsx?$|^[^/]+\.md$|^\.ci\//;

/** The journeys that a change of these files can touch, by name; every one where a file is everybody's. */
export function journeysFor(files: readonly string[]): string[] {
  const names = Object.keys(AREAS_OF_JOURNEYS);
  const touched = new Set(files.flatMap((file) => journeysOf(file, names)));
  return names.filter((name) => touched.has(name));
}

function journeysOf(file: string, names: string[]): string[] {
  if (BESIDE.test(file)) return [];
  const journey = JOURNEY.exec(file)?.[1];
  if (journey) return names.includes(journey) ? [journey] : names;
  if (ROAD.test(file)) return ON_THE_ROAD;
  const area = AREA.exec(file)?.[1];
  const found = area ? names.filter((name) => AREAS_OF_JOURNEYS[name]?.includes(area)) : [];
  return found.length > 0 ? found : names;
}
