/**
 * Numbers, lists and times that the two documents give: what each is, where it stands and the words there that say so; which
 * test shows it. Where the product does it in another way, `instead` says how.
 */
import type { Shown } from './source.ts';

export interface Constant {
  value: string;
  /** File and words in it. */
  in: string;
  says: string;
  instead?: string;
}

const CALL = 'apps/web/src/app/call.ts';
const HTTP = 'apps/web/src/app/http.ts';
const HEALTH = 'packages/contract/src/devices/devices.health.ts';
const PLUGINS = 'packages/contract/src/plugins/plugins.schema.ts';
const SEARCH = 'packages/contract/src/telemetry/search.schema.ts';

/** By document and what it is about. */
export const CONSTANTS: Readonly<Record<string, Readonly<Record<string, Constant>>>> = {
  '1, requests': {
    'time for an answer': { value: '10 s', in: HTTP, says: 'const TIMEOUT_MS = 10_000;' },
    'further attempts': { value: '2', in: HTTP, says: 'AGAIN = { limit: 2,' },
    'methods that are tried again': {
      value: 'get, put, head, delete, options, trace',
      in: HTTP,
      says: "new Set(['GET', 'PUT', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])",
    },
    'statuses that are tried again': {
      value: '408, 413, 429, 500, 502, 503, 504',
      in: HTTP,
      says: 'new Set([408, 413, 429, 500, 502, 503, 504])',
    },
    'statuses whose Retry-After counts': {
      value: '413, 429, 503',
      in: HTTP,
      says: 'new Set([413, 429, 503])',
    },
    'pause before an attempt': {
      value: '0.3 s, doubled each time',
      in: HTTP,
      says: 'FIRST_PAUSE_MS * 2 ** (attempt - 1)',
    },
    'longest time that may be set': {
      value: '2147483647 ms',
      in: HTTP,
      says: 'LONGEST_MS = 2_147_483_647',
    },
    'prefix of all calls': {
      value: '/api/v1',
      in: 'packages/contract/src/http/endpoint.ts',
      says: "API_PREFIX = '/api/v1'",
    },
    'version of the web app': {
      value: '1.6.96',
      in: 'packages/contract/src/product.ts',
      says: "FRONTEND_VERSION = '1.6.96'",
    },
  },
  '1, sessions': {
    'a dismissed update comes back after': {
      value: '5 min',
      in: 'apps/web/src/app/update.ts',
      says: 'SNOOZE_MS = 5 * 60_000',
    },
    'the version is asked for every': {
      value: '60 s',
      in: 'apps/web/src/app/version-check.ts',
      says: 'CHECK_MS = 60_000',
    },
    'the end of a session is announced': {
      value: '10 min before',
      in: 'apps/web/src/features/shell/use-session-countdown.ts',
      says: 'WARN_MS = 600_000',
    },
    'the announcement is renewed every': {
      value: '60 s',
      in: 'apps/web/src/features/shell/use-session-countdown.ts',
      says: 'UPDATE_MS = 60_000',
    },
    'the clock of a session ticks every': {
      value: '1 s',
      in: 'apps/web/src/features/shell/use-session-countdown.ts',
      says: 'TICK_MS = 1000',
    },
    'a reload for a lost file is forgotten after': {
      value: '10 s',
      in: 'apps/web/src/app/stale-assets.ts',
      says: 'FLAG_LIFE_MS = 10_000',
    },
    'an expired code step goes back after': {
      value: '2 s',
      in: 'apps/web/src/features/sessions/login-machine.ts',
      says: 'RETURN_MS = 2000',
    },
    'life of a cookie': {
      value: 'days, or text in d, h, m and s',
      in: 'apps/cloud/src/http/cookie-life.ts',
      says: 'UNIT_S = { d: 86_400, h: 3600, m: 60, s: 1 }',
    },
  },
  '1, second factor and passwords': {
    'time for the set-up': {
      value: '20 min',
      in: 'apps/web/src/features/mfa/wizard-machine.ts',
      says: 'WIZARD_MS = 20 * 60_000',
    },
    'characters of a code': {
      value: '6',
      in: 'packages/contract/src/mfa/mfa.schema.ts',
      says: 'CODE_LENGTH = 6',
    },
    'characters of a recovery code': {
      value: '32',
      in: 'packages/contract/src/mfa/mfa.schema.ts',
      says: 'RECOVERY_CODE_LENGTH = 32',
    },
    'a reset e-mail is good for': {
      value: '1 h',
      in: 'packages/contract/src/accounts/accounts.schema.ts',
      says: 'RESET_MINUTES = 60;',
    },
    'shortest password': {
      value: '8',
      in: 'apps/web/src/features/accounts/password-strength.ts',
      says: 'MINIMUM = 8',
    },
    'recommended password': {
      value: '12',
      in: 'apps/web/src/features/accounts/password-strength.ts',
      says: 'RECOMMENDED = 12',
    },
    'classes of characters': {
      value: '0 and 1 error, 2 warning, 3 and 4 good',
      in: 'apps/web/src/features/accounts/password-strength.ts',
      says: 'CLASSES.filter',
    },
  },
  '1, the shell': {
    'announcements in the bell': {
      value: '5',
      in: 'apps/web/src/features/announcements/announcement-bell.tsx',
      says: 'SHOWN = 5',
    },
    'recent items of the search': {
      value: '3',
      in: 'apps/web/src/features/search/recent-items.ts',
      says: 'KEPT = 3',
    },
    'typing rests for': {
      value: '200 ms',
      in: 'apps/web/src/features/search/search-dialog.tsx',
      says: 'DEBOUNCE_MS = 200',
    },
    'height of a result': {
      value: '45 px',
      in: 'apps/web/src/features/search/search-results.tsx',
      says: 'ROW_PX = 45',
    },
    'a submenu opens after': {
      value: '100 ms',
      in: 'apps/web/src/features/shell/menu-item.tsx',
      says: 'OPEN_MS = 100',
    },
    'a submenu closes after': {
      value: '300 ms',
      in: 'apps/web/src/features/shell/menu-item.tsx',
      says: 'CLOSE_MS = 300',
    },
    'the menu is a drawer below': {
      value: '700 px',
      in: 'apps/web/src/ui/use-is-narrow.ts',
      says: 'NARROW_PX = 700',
    },
    'width of the documentation': {
      value: '400 px',
      in: 'apps/web/src/features/help/help.module.css',
      says: 'width: 400px;',
    },
    'a ticket is gone after': {
      value: '300 ms',
      in: 'apps/web/src/features/support/support-widget.tsx',
      says: 'RESET_MS = 300',
    },
    'a notification stays for': {
      value: '5000 ms, at the bottom',
      in: 'apps/web/src/app/notices.tsx',
      says: 'STAY_MS = 5000',
    },
    'dashboard that comes first': {
      value: "the one named 'overview', else the first",
      in: 'apps/web/src/features/boards/boards.queries.ts',
      says: '/overview/i',
    },
    'landing page': {
      value: '/devices, /analysis, that of the group, /entities/dash3, defaultPage',
      in: 'apps/web/src/app/guard.ts',
      says: 'landingOf',
    },
    'colours without a brand': {
      value: '#b0c748, #86afbc, #9C27B0',
      in: 'packages/contract/src/branding/colours.ts',
      says: "accent: '#9C27B0'",
    },
    'hover colour': {
      value: '30 % lighter',
      in: 'apps/web/src/app/brand.ts',
      says: '[0.3, 0.25, 0.2, 0.15, 0.1]',
    },
    'countries with their dial codes': {
      value: 'about 240',
      in: 'apps/web/src/features/workgroup-requests/countries.ts',
      says: 'getCountryCallingCode',
    },
  },
  '1, values': {
    'flags that are off': {
      value: 'false, f, off, no, n, 0 and nothing',
      in: 'packages/contract/src/http/query.ts',
      says: '/^(false|f|off|no|n|0|)$/i',
    },
    'versions are compared': { value: 'in their first three parts', in: PLUGINS, says: 'at < 3' },
    'extensions of pictures': {
      value: 'jpg, jpeg, png, gif, bmp, webp, svg',
      in: 'packages/contract/src/photos/photo-type.ts',
      says: 'jpg|jpeg|png|gif|bmp|webp|svg',
    },
    'a certificate is expired': {
      value: 'once its end is past',
      in: 'apps/web/src/features/devices/device-facts-card.tsx',
      says: '(data.notAfter - now) / DAY_MS',
    },
    'steps of numbers': {
      value: '1000: k, M, G, T with 2 decimals',
      in: 'apps/web/src/ui/units/numbers.ts',
      says: "{ factor: 1e3, prefix: 'k' }",
    },
    'steps of counts': {
      value: 'thousand, million, billion with 1 decimal',
      in: 'apps/web/src/ui/units/numbers.ts',
      says: 'thousand, million, billion with 1 decimal',
    },
    'units that go up to giga': {
      value: 'energy, power, peak power, resistance',
      in: 'apps/web/src/ui/units/units.ts',
      says: "UP_TO_GIGA.includes(unit) ? 'G' : 'T'",
    },
    durations: {
      value: 'hours, minutes, seconds or milliseconds',
      in: 'apps/web/src/ui/units/durations.ts',
      says: 'export function formatDuration',
    },
    'aggregation intervals': {
      value: '1, 2, 5, 10, 15, 30 min, 1, 6, 12 h, 1 d, 1 w, 1 M, 1 y',
      in: 'packages/contract/src/telemetry/intervals.ts',
      says: 'AGGREGATION_INTERVALS',
    },
    'short set of presets': {
      value: 'last hour, 6 hours, day, 3 days, 7 days',
      in: 'apps/web/src/ui/time-range/time-range.ts',
      says: 'SHORT_PRESETS',
    },
    'zones that are offered': {
      value: 'about 420',
      in: 'apps/web/src/ui/time-range/zone-names.ts',
      says: "Intl.supportedValuesOf('timeZone')",
    },
    "'local' and nothing, 'utc'": {
      value: 'zone of the browser, UTC',
      in: 'apps/web/src/ui/time-range/time-zone.ts',
      says: "if (setting?.toLowerCase() === 'utc') return 'UTC';",
    },
  },
  '1, rights': {
    roles: {
      value: 'owner, admin, power, readonly',
      in: 'packages/contract/src/access/permissions.ts',
      says: "ROLES = ['owner', 'admin', 'power', 'readonly']",
    },
    'short codes of permissions': {
      value: 'rd do au co md cd dy tl ma wm',
      in: 'packages/contract/src/access/permissions.ts',
      says: "wgMembers: 'wm'",
    },
    'resources of rules': {
      value: 'DeviceCommand: read, run, manage; Dashboard: view, edit, delete, create',
      in: 'packages/contract/src/access/resources.ts',
      says: "DeviceCommand: ['read', 'run', 'manage']",
    },
    'principals of rules': {
      value: 'nine types, and a dash for nobody in particular',
      in: 'packages/contract/src/access-control/access-control.schema.ts',
      says: "'Device_Group_API_Token_Workgroup_Users',",
    },
    'every resource': {
      value: 'all',
      in: 'packages/contract/src/access/resources.ts',
      says: "ALL_RESOURCES = 'all'",
    },
    addons: {
      value: 'the eleven of document 1',
      in: 'packages/contract/src/access/addons.ts',
      says: "'iec-perf-ratio',",
    },
    'no reports of failures': {
      value: 'on local hosts, without a workgroup; repeats are counted',
      in: 'apps/web/src/features/diagnostics/diagnostics.queries.ts',
      says: 'localhost',
    },
    'no page views': {
      value: 'of / and of what begins with /report',
      in: 'apps/web/src/features/diagnostics/diagnostics.queries.ts',
      says: '/report',
    },
  },
  '2, health': {
    'data of sources, days': { value: '1, 2', in: HEALTH, says: 'sourceDataDays: { warning: 1, danger: 2 }' },
    'data in the cloud, minutes': {
      value: '180, 1440',
      in: HEALTH,
      says: 'cloudLastDataMinutes: { warning: 180, danger: 1440 }',
    },
    'offset of the clock, seconds': {
      value: '60, 600',
      in: HEALTH,
      says: 'clockOffsetS: { warning: 60, danger: 600 }',
    },
    processor: { value: '60, 80 %', in: HEALTH, says: 'cpuUsage: { warning: 60, danger: 80 }' },
    memory: { value: '70, 80 %', in: HEALTH, says: 'memUsage: { warning: 70, danger: 80 }' },
    disk: { value: '70, 80 %', in: HEALTH, says: 'diskUsage: { warning: 70, danger: 80 }' },
    temperature: {
      value: '80, 105; below 0 none',
      in: HEALTH,
      says: 'cpuTemp: { warning: 80, danger: 105 }',
    },
    'days of uptime': { value: 'whole ones of 24 h', in: HEALTH, says: 'Math.floor(hours / 24)' },
    'operating system': {
      value: 'below 9 danger, below 10 warning',
      in: HEALTH,
      says: 'OS_LIMITS = { danger: 9, warning: 10 }',
    },
    'an offline device': { value: 'is danger and alert', in: HEALTH, says: "alert: level === 'danger'" },
    'mean of the processor': {
      value: '15 min',
      in: 'apps/cloud/src/telemetry/telemetry.latest.ts',
      says: 'CPU_WINDOW_MS = 15 * 60_000',
    },
    'prefix of captured files': {
      value: '17 characters',
      in: 'packages/contract/src/product.ts',
      says: 'AGENT_LOG_DIRECTORY = `/opt/${PRODUCT}/logs/`',
    },
  },
  '2, times': {
    'a request of the socket ends after': {
      value: '15 s',
      in: 'packages/contract/src/sockets/action.ts',
      says: 'SOCKET_TIMEOUT_MS = 15_000',
    },
    'path of the socket': {
      value: '/socket.io-client',
      in: 'packages/contract/src/sockets/action.ts',
      says: "SOCKET_PATH = '/socket.io-client'",
    },
    'removal of a plugin': {
      value: 'no end, 1 attempt more',
      in: 'apps/web/src/features/plugins/plugins.queries.ts',
      says: 'REMOVING = { timeout: false, retry: { limit: 1',
    },
    'a search': {
      value: 'no end, 3 attempts more, 3 s apart at most',
      in: 'apps/web/src/features/searches/searches.queries.ts',
      says: 'PATIENCE = { timeout: false, retry: { limit: 3, backoffLimit: 3000 } }',
    },
    'KPIs and calculations': {
      value: '3 attempts more, 3 s apart at most',
      in: 'apps/web/src/features/kpis/kpis.queries.ts',
      says: 'Math.min(3000, 500 * 2 ** attempt)',
    },
    'a file of a device': { value: '300000 ms', in: CALL, says: 'LONG: Patience = { timeout: 300_000 }' },
    'what is known of a table is asked for again after': {
      value: '5 min',
      in: 'apps/web/src/features/telemetry/telemetry.queries.ts',
      says: 'TABLE_INFO_MS = 5 * 60_000',
    },
  },
  '2, searches': {
    'rows of a table': { value: '50', in: SEARCH, says: 'SEARCH_ROWS = { default: 50, max: 10_000 }' },
    'rows of a picture': { value: '10000', in: SEARCH, says: 'max: 10_000 }' },
    'order without one': {
      value: 'newest first',
      in: 'packages/contract/src/searches/searches.schema.ts',
      says: "sort: fieldName.default('-event_time')",
      instead: 'the address itself answers the oldest first, unless it is asked otherwise',
    },
    'filters hold': {
      value: 'all together (AND)',
      in: 'packages/contract/src/telemetry/search.schema.ts',
      says: "filterOperator: z.enum(['AND', 'OR']).default('AND')",
    },
    'slices of a file of CSV': {
      value: '10 MB',
      in: 'apps/web/src/ui/csv/read-csv.ts',
      says: 'CHUNK_BYTES = 10 * 1024 * 1024',
    },
  },
  '2, plugins': {
    'frequencies of tasks': { value: '1min to daily', in: PLUGINS, says: "'6hourly': '6h'," },
    'folders of tasks': { value: '5s to 1d, and their seconds', in: PLUGINS, says: "'12h': 43_200," },
    'folder of service files': {
      value: '/etc/{product}/services',
      in: 'apps/agent/src/backup/backup.ts',
      says: "SERVICES = '/etc/albedo/services'",
    },
    'lines of a log': { value: '100', in: 'apps/agent/src/tasks/task-log.ts', says: 'KEPT_LINES = 100' },
    'a program of Modbus in Rust': {
      value: 'over 5000000 bytes',
      in: PLUGINS,
      says: 'RUST_BYTES = 5_000_000',
    },
    categories: { value: '17; without one: other', in: PLUGINS, says: "'plc'," },
  },
  '2, other': {
    'labels are taken off': {
      value: '5 at a time',
      in: 'apps/web/src/features/labelling/labelling.queries.ts',
      says: 'AT_ONCE = 5',
    },
    'readings of meters in a call': {
      value: '500',
      in: 'packages/contract/src/energy/energy.names.ts',
      says: 'keys: 500,',
    },
    'summary of energy': {
      value: 'days, as a line',
      in: 'apps/web/src/features/energy/report-address.ts',
      says: "oneOf(REPORT_GRANULARITIES, search.by) ?? 'day'",
    },
    'around an event of the address': {
      value: '15 min before and after it',
      in: 'apps/web/src/features/incidents/incident-signal.tsx',
      says: 'AROUND_MS = 15 * 60_000',
    },
    'a switch of the workgroup is waited for': {
      value: '3 s at most',
      in: 'apps/web/src/features/shell/workgroup-switch.ts',
      says: 'FETCHING_MS = 3000',
    },
    'an installation on a cloud device': {
      value: 'waits 1000 ms',
      in: 'apps/web/src/features/plugins/plugins.queries.ts',
      says: 'UNHURRIED = { timeout: false }',
      instead: 'it is answered once the device is done, so nothing is waited for',
    },
    'severities in their order': {
      value: 'High red, Medium orange, Low yellow',
      in: 'packages/contract/src/alerts/severities.ts',
      says: "{ id: 'high', name: 'High', color: 'red' },",
    },
  },
};

export const CONSTANTS_SHOWN: Shown = {
  'apps/cloud/src/telemetry/telemetry.store.test.ts': {
    'facts at the start: newest event, black box and the mean of the processor': [
      'mean of the processor → cpu_usage',
    ],
  },
  'apps/web/src/features/labelling/labelling-page.test.tsx': {
    'a label that is removed leaves the entities, five at a time, then the sources, then the list': [
      'labels are taken off → five at a time',
    ],
  },
  'apps/web/src/app/call.test.ts': {
    'an answer of 10 s is waited for, and no longer': ['time for an answer → Request timed out'],
    'a %i is asked again twice, after 0.3 s and 0.6 s': [
      'further attempts → 0.6 s',
      'pause before an attempt → after 0.3 s',
      'statuses that are tried again → [408, 429, 500, 502, 503, 504]',
    ],
    'what is posted is never sent twice by itself, and a 501 is no reason to ask again': [
      'methods that are tried again → posted',
    ],
    'a %i that names a time is asked again then': ['statuses whose Retry-After counts → [413, 429, 503]'],
    'a call carries the bearer token and fills the parameters into the path': [
      'prefix of all calls → /api/v1/',
    ],
  },
  'apps/web/src/specified-values.test.ts': {
    'nobody can wait longer than a clock of a browser counts': [
      'longest time that may be set → 2_147_483_648',
    ],
    'a search is tried three times more, and the removal of a plugin once': [
      'removal of a plugin → removePlugin',
      'a search → recordsQuery',
    ],
    '%s are tried three times more, at most 3 s apart, unless they are refused': [
      'KPIs and calculations → kpisQuery',
    ],
    'a file is waited for 300 s, and no longer': ['a file of a device → 299_000'],
    'what is known of a table is asked for again after five minutes': [
      'what is known of a table is asked for again after → 300_000',
    ],
    "the dashboard that comes first has 'overview' in its name, or is the first": [
      'dashboard that comes first → defaultBoard',
    ],
    'there are about 240 countries, each with its dial code': ['countries with their dial codes → dialCode'],
  },
  'apps/cloud/src/http/server.test.ts': {
    'of the API carry the version of the web app and are not cached': [
      'version of the web app → FRONTEND_VERSION',
    ],
  },
  'apps/web/src/app/update-notice.test.tsx': {
    'nobody is signed in: the version is asked for soon and then every minute, and a newer one is announced there too':
      ['the version is asked for every → 60_000'],
  },
  'apps/web/src/app/stale-assets.test.ts': {
    'the first one reloads the page past the caches, and no other one does until ten seconds after a start': [
      'a reload for a lost file is forgotten after → ten seconds',
    ],
  },
  'e2e/session.spec.ts': {
    'the end of a session is announced ten minutes before, counted by the minute, and leads to a new sign-in':
      [
        'the end of a session is announced → ten minutes before',
        'the announcement is renewed every → counted by the minute',
        'the clock of a session ticks every → Logged out..',
      ],
  },
  'e2e/update.spec.ts': {
    'somebody at work hears of a new release, may put it off, and loads it by the dialog or the small bar': [
      'a dismissed update comes back after → Dismiss for five minutes',
    ],
  },
  'apps/web/src/features/sessions/login-card.test.tsx': {
    'an expired login token says so and returns to the login after two seconds': [
      'an expired code step goes back after → two seconds',
    ],
  },
  'apps/cloud/src/http/cookie-life.test.ts': {
    'a life of "%s" is %j seconds': ["life of a cookie → '1d 12h'"],
  },
  'apps/web/src/features/mfa/mfa-wizard.test.tsx': {
    'after 20 minutes it is over': ['time for the set-up → 1200'],
    'six characters that cannot be a code are a wrong code': ['characters of a code → six characters'],
  },
  'apps/cloud/src/mfa/mfa.test.ts': {
    'can be replaced for a code, and the old one ends': ['characters of a recovery code → 32'],
  },
  'apps/cloud/src/accounts/accounts.test.ts': {
    'is set with the latest mail only, within an hour, and with a good password only': [
      "a reset e-mail is good for → interval '1 hour'",
    ],
  },
  'apps/web/src/features/accounts/password-strength.test.ts': {
    'the length of %j is %s': ['shortest password → length', 'recommended password → warning'],
    'the complexity of %j is %s': ['classes of characters → complexity'],
  },
  'apps/web/src/features/announcements/announcements-dialog.test.tsx': {
    'the bell shows at most five, the newest first, and the way to all': [
      'announcements in the bell → at most five',
    ],
  },
  'apps/web/src/features/search/search-items.test.ts': {
    'the last three items are kept, newest first, each once, for one person and workgroup': [
      'recent items of the search → last three',
    ],
  },
  'apps/web/src/features/search/search-dialog.test.tsx': {
    'typing that rests for 200 ms is searched, and rows are 45 px high': [
      'typing rests for → 200 ms',
      'height of a result → 45',
    ],
  },
  'apps/web/src/features/shell/menu-item.test.tsx': {
    'a submenu opens when the pointer rests for 100 ms and closes 300 ms after it left': [
      'a submenu opens after → 100 ms',
      'a submenu closes after → 300 ms',
    ],
    'the menu is a drawer below 700 px': ['the menu is a drawer below → 700'],
  },
  'e2e/shell.spec.ts': {
    'the documentation of the screen stands beside it and follows, also after a reload': [
      'width of the documentation → 400',
    ],
  },
  'apps/web/src/features/support/support-widget.test.tsx': {
    'what was written is gone 300 ms after it was closed': ['a ticket is gone after → 300'],
  },
  'apps/web/src/app/notices.test.tsx': {
    'a notification stands at the bottom for five seconds': ['a notification stays for → five seconds'],
  },
  'apps/web/src/app/guard.test.ts': {
    'the landing page depends on who signs in': ['landing page → /entities/dash3'],
    'the flag %j is off': ["flags that are off → 'off'"],
  },
  'packages/contract/src/specified-values.test.ts': {
    'what has no brand has these colours, and paths and folders are called so': [
      'colours without a brand → #b0c748',
      'path of the socket → /socket.io-client',
      'prefix of captured files → toHaveLength(17)',
    ],
    'versions are compared in their first three parts': ['versions are compared → compareVersions'],
    'pictures are known by these extensions, in any letters': ['extensions of pictures → isImageName'],
    'roles, resources with their actions, principals and addons are those of the specification': [
      'roles → readonly',
      'resources of rules → RESOURCE_ACTIONS',
      'every resource → ALL_RESOURCES',
      'principals of rules → principalType',
      'addons → ADDON_IDS',
    ],
    'a search has 50 rows, at most 10000, and all of its filters hold; a saved one begins with the newest': [
      'rows of a table → default: 50',
      'rows of a picture → max: 10_000',
      'filters hold → AND',
      'order without one → -event_time',
    ],
    'frequencies of tasks have a folder each, and folders their seconds': [
      'frequencies of tasks → 6hourly',
      'folders of tasks → 43_200',
    ],
    'a plugin is one of 17 categories, the last of which is for those of none': [
      'categories → toHaveLength(17)',
    ],
  },
  'apps/web/src/app/brand.test.ts': {
    'any colour gets a readable shade on a light and on a dark ground': ['hover colour → ground'],
  },
  'apps/web/src/features/devices/device-facts-card.test.tsx': {
    'a certificate whose end %s is shown so': ['a certificate is expired → is past'],
  },
  'apps/web/src/ui/units/units.test.ts': {
    'step by 1000 through k, M, G and T with 2 decimals': ['steps of numbers → 2 decimals'],
    'read thousand, million and billion with 1 decimal': ['steps of counts → thousand'],
    'of energy, power, peak power and resistance scale up to giga and no further': [
      'units that go up to giga → giga',
    ],
    'read in hours, minutes, seconds or milliseconds': ['durations → milliseconds'],
  },
  'packages/contract/src/boards/variables.test.ts': {
    'a widget and a variable may have each interval that people aggregate by': [
      'aggregation intervals → AGGREGATION_INTERVALS',
    ],
  },
  'apps/web/src/ui/time-range/time-range.test.ts': {
    'carry the labels of the specification word for word': ['short set of presets → Last 6 hours'],
    'offered are about 420 names of region and city, all of them usable': [
      'zones that are offered → about 420',
    ],
    'local or nothing is the zone of the browser, utc is UTC, as collected that of the device': [
      "'local' and nothing, 'utc' → local",
    ],
  },
  'packages/contract/src/access/permissions.test.ts': {
    '%s is held by its name, by its short code %s, and by every owner': [
      'short codes of permissions → PERMISSION_CODES',
    ],
  },
  'apps/web/src/features/diagnostics/diagnostics.test.ts': {
    'local hosts are known by name': ['no reports of failures → localhost'],
    'a page view of a signed-in user is sent, but not the start and not reports': ['no page views → /report'],
  },
  'packages/contract/src/devices/devices.health.test.ts': {
    'grades %s of %o as %s, and the device with it': [
      'data of sources, days → source',
      'data in the cloud, minutes → cloud',
      'offset of the clock, seconds → clockOffsetS',
      'processor → cpuUsage',
      'memory → memUsage',
      'disk → diskUsage',
      'operating system → os',
    ],
    'shows a negative temperature as none': ['temperature → cpuTemp'],
    'is ok when every metric is': ['days of uptime → day'],
    'is danger while the device is offline, whatever its last metrics say': ['an offline device → offline'],
  },
  'apps/agent/src/tasks/task-log.test.ts': {
    'a log has the last 100 lines of a task, with how each run ended': ['lines of a log → 100'],
  },
  'apps/agent/src/plugins/plugin-place.test.ts': {
    'a program of %s of %i bytes is the Rust build: %s': ['a program of Modbus in Rust → 5_000_001'],
  },
  'apps/agent/src/tasks/activities.test.ts': {
    'killed at any step of a save, it is the old activity or the new one after the next start': [
      'folder of service files → etc/albedo/services',
    ],
  },
  'apps/web/src/ui/csv/read-csv.test.ts': {
    'a file of several chunks is read whole': ['slices of a file of CSV → several chunks'],
  },
  'apps/cloud/src/live-feeds/requests.test.ts': {
    'a command of a frozen device ends after 15 s, or after what its caller gives it': [
      'a request of the socket ends after → 15 s',
    ],
  },
  'apps/cloud/src/energy/meter-data.test.ts': {
    'readings are stored by code and time, each in the place of what it was, and read again': [
      'readings of meters in a call → 500',
    ],
  },
  'apps/web/src/features/energy/report-page.test.tsx': {
    'a report shows its totals with what they were before, and its rows': [
      "summary of energy → granularity: 'day'",
    ],
  },
  'apps/web/src/features/boards/widgets/photo/photo-view.test.tsx': {
    'around an event of the address means fifteen minutes before and after it': [
      'around an event of the address → fifteen minutes',
    ],
  },
  'apps/web/src/features/shell/workgroup-switch.test.tsx': {
    'no screen is drawn until the new workgroup is there, and never for longer than three seconds': [
      'a switch of the workgroup is waited for → three seconds',
    ],
  },
  'e2e/cloud-devices.test.ts': {
    'it reads a plant, and reaches nothing else of the server': [
      'an installation on a cloud device → plugins',
    ],
  },
  'apps/web/src/locales/specified.test.ts': {
    'a workgroup without severities of its own has three, the gravest first': [
      'severities in their order → SEVERITIES',
    ],
  },
};
