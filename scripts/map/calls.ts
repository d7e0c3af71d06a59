/** Calls of the two documents, in their order, with the fields that they name; which test shows each of them. */
import type { Shown } from './source.ts';

/** By document: the call and the fields of its body or its query. */
export const CALLS: Readonly<Record<'1' | '2', Readonly<Record<string, readonly string[]>>>> = {
  '1': {
    'GET orgs': [],
    'GET newuser/{orgName}/{token}': [],
    'POST newuser': [],
    'PUT newuser': [
      'name',
      'title',
      'company',
      'email',
      'website',
      'country',
      'countryCode',
      'phone',
      'description',
    ],
    'GET isavailable': ['email'],
    'POST auth/saml/login': ['email'],
    'GET auth/saml/login/sso': [],
    'POST auth/local': ['email', 'password'],
    'POST auth/local/totp': ['key'],
    'POST auth/local/totp-recover': ['key'],
    'POST forgot': ['email'],
    'PUT forgot/{token}': ['password'],
    'PUT me/password': ['oldPassword', 'newPassword'],
    'POST me/totp-setup': [],
    'PUT me/totp-setup': ['key'],
    'PUT me/totp-recover': ['key'],
    'POST support': ['name', 'email', 'url', 'workgroupId', 'subject', 'body'],
    'GET userAnnouncements': [],
    'DELETE userAnnouncements/{id}': [],
    'GET announcements': [],
    'POST announcements': [],
    'PUT announcements/{id}': [],
    'DELETE announcements/{id}': [],
    'GET version': [],
  },
  '2': {
    'GET devices/{wg}': ['nameonly'],
    'POST devices/{wg}': ['name', 'arch', 'ced', 'cedCloudId', 'nocert'],
    'PUT devices/{wg}/{device}': [],
    'DELETE devices/{wg}/{device}': [],
    'PUT devices/{wg}/{device}/settings/{key}': ['value'],
    'POST devices/{wg}/{device}/update': [],
    'POST devices/{wg}/{device}/reissue': ['action', 'arch'],
    'POST devices/{wg}/{device}/moveWorkgroup': [],
    'POST devices/{wg}/{device}/identity': ['workgroupId', 'deviceId'],
    'GET devices/{wg}/{device}/certificateInfo': [],
    'GET devices/{wg}/{device}/latest/{stream}': [],
    'GET devices/{wg}/device/latestValues': ['table', 'field', 'groupBy'],
    'POST devices/{wg}/device/cachedLatestValues': ['streams'],
    'POST devices/{wg}/{device}/openServices': [],
    'GET devices/{wg}/{device}/interfaces': [],
    'GET devices/{wg}/{device}/uploads': ['startTime', 'endTime'],
    'POST devices/{wg}/{device}/slideshow': ['identifier', 'startTime', 'endTime'],
    'POST devices/{wg}/{device}/backups': [],
    'GET devices/{wg}/{device}/backups': [],
    'GET devices/{wg}/{device}/files': ['path'],
    'PUT devices/{wg}/{device}/files': ['folder'],
    'GET devices/{wg}/{device}/large-files': ['path'],
    'PUT devices/{wg}/{device}/large-files': ['path', 'hash', 'from'],
    'POST orgs/{wg}/nat-gateway': ['cedCloudId'],
    'PUT orgs/{wg}/nat-gateway': [],
    'DELETE orgs/{wg}/nat-gateway': [],
    'GET agent/version': [],
    'GET agent/build': [],
    'GET devices/{wg}/device/commands': [],
    'GET devices/{wg}/{device}/commands': [],
    'POST devices/{wg}/{device}/commands': [],
    'DELETE devices/{wg}/{device}/commands/{id}': [],
    'POST devices/{wg}/{deviceId}/discovery': [],
    'POST devices/{wg}/{deviceId}/modbus': ['discoveryTool'],
    'GET devices/{wg}/{deviceId}/modbus': [],
    'PUT devices/{wg}/{deviceId}/modbus': [],
    'GET devices/{wg}/{deviceId}/nmapscan': [],
    'PUT devices/{wg}/{deviceId}/nmapscan': [],
    'GET devices/{wg}/{deviceId}/arpscan': [],
    'PUT devices/{wg}/{deviceId}/arpscan': [],
    'GET plugins/ardpkg': [],
    'GET plugins': [],
    'GET plugins/{wg}/{name}': ['version'],
    'GET devices/{wg}/plugins': [],
    'PUT devices/{wg}/{device}/plugins/{plugin}': [],
    'DELETE devices/{wg}/{device}/plugins/{plugin}': [],
    'PUT devices/{wg}/{device}/plugins/{plugin}/service': [],
    'DELETE devices/{wg}/{device}/plugins/{plugin}/service': [],
    'PUT devices/{wg}/{device}/plugins/{plugin}/service/{name}': ['serviceFile'],
    'DELETE devices/{wg}/{device}/plugins/{plugin}/service/{name}': [],
    'GET orgs/{wg}/device-groups': [],
    'POST orgs/{wg}/device-groups': [],
    'PUT orgs/{wg}/device-groups/{id}': [],
    'DELETE orgs/{wg}/device-groups/{id}': [],
    'GET entities/{wg}': [],
    'POST entities/{wg}': [],
    'PUT entities/{wg}/{id}': [],
    'DELETE entities/{wg}/{id}': [],
    'POST entities/{wg}/{id}/settings': ['key', 'value'],
    'PUT entities/{wg}/{id}/settings/{key}': [],
    'GET entityDashboards/{wg}': [],
    'GET entityDashboards/{wg}/{id}': [],
    'POST entityDashboards/{wg}': [],
    'PUT entityDashboards/{wg}/{id}': [],
    'DELETE entityDashboards/{wg}/{id}': [],
    'GET externalSources/{wg}': [],
    'POST externalSources/{wg}': [],
    'PUT externalSources/{wg}/{id}': [],
    'DELETE externalSources/{wg}/{id}': [],
    'GET formulae/{wg}': [],
    'POST formulae/{wg}': [],
    'PUT formulae/{wg}/{id}': [],
    'DELETE formulae/{wg}/{id}': [],
    'PUT formulae/{wg}/{id}/share': [],
    'DELETE formulae/{wg}/{id}/share': [],
    'GET kpis/{wg}': [],
    'POST kpis/{wg}': [],
    'PUT kpis/{wg}/{id}': [],
    'DELETE kpis/{wg}/{id}': [],
    'GET calculationsV2/{wg}': [],
    'POST calculationsV2/{wg}': [],
    'GET calculations/{wg}': [],
    'POST calculations/{wg}': [],
    'PUT calculations/{wg}/{id}': [],
    'DELETE calculations/{wg}/{id}': [],
    'GET machines/{wg}': [],
    'POST machines/{wg}': [],
    'PUT machines/{wg}/{id}': [],
    'DELETE machines/{wg}/{id}': [],
    'GET schedules/{wg}': [],
    'POST schedules/{wg}': [],
    'PUT schedules/{wg}/{id}': [],
    'DELETE schedules/{wg}/{id}': [],
    'GET schedules/{wg}/device': [],
    'GET schedules/{wg}/setpoints': [],
    'POST schedules/{wg}/device/{device}/discover': [],
    'POST schedules/{wg}/device/{device}': ['setpoint', 'apply', 'entries', 'name', 'description'],
    'PUT schedules/{wg}/device/{device}/{id}': [],
    'DELETE schedules/{wg}/device/{device}/{id}': [],
    'POST schedules/{wg}/device/{device}/{id}': [],
    'POST schedules/{wg}/{id}/devices': ['devices'],
    'GET searches/{wg}': [],
    'POST searches/{wg}': [],
    'GET searches/{wg}/{id}': [],
    'PUT searches/{wg}/{id}': [],
    'DELETE searches/{wg}/{id}': [],
    'PUT searches/{wg}/{id}/share': [],
    'DELETE searches/{wg}/{id}/share': [],
    'GET searches/{wg}/{id}/schedule': [],
    'PUT searches/{wg}/{id}/schedule': [],
    'DELETE searches/{wg}/{id}/schedule': [],
    'GET process/{wg}/task': [],
    'POST process/{wg}/task': [],
    'GET process/{wg}/task/{task}/jobs': [],
    'POST process/{wg}/task/{task}/jobs': [],
    'PUT process/{wg}/task/{task}/jobs/{id}': [],
    'POST process/{wg}/task/{task}/jobs/{id}/run': ['jobIds'],
    'GET tables/{wg}': [],
    'GET tables/{wg}/{table}': [],
    'GET tables/{wg}/{table}/search': [
      'filters',
      'timeframe',
      'dateField',
      'timezone',
      'sort',
      'rows',
      'aggs',
      'scroll',
      'csvScroll',
    ],
    'GET orgs/{wg}/settings': [],
    'PUT orgs/{wg}/settings/{key}': ['value'],
    'GET orgs/{wg}/members': [],
    'POST orgs/{wg}/members': [],
    'PUT orgs/{wg}/members/{id}': ['role', 'permissions', 'devGroup'],
    'DELETE orgs/{wg}/members/{id}': [],
    'GET orgs/{wg}/invites': [],
    'DELETE orgs/{wg}/invites/{id}': [],
    'PUT orgs/{wg}/logo': [],
    'GET orgs/{wg}/logo': [],
    'GET orgs/{wg}/ced-clouds': [],
    'GET orgs/{wg}/watches': [],
    'PUT orgs/{wg}/meter-data': [],
    'PUT orgs/{wg}/budget-data': [],
    'POST orgs': ['orgDisplay', 'plan'],
    'PUT orgs/{wg}': ['displayName', 'theme'],
    'PUT orgs/{wg}/idp': [],
    'GET orgs/{wg}/addons-available': [],
    'POST orgs/{wg}/addons': [],
    'PUT orgs/{wg}/addons/{addon}': [],
    'DELETE orgs/{wg}/addons/{addon}': [],
    'GET lookupTables/{wg}': [],
    'POST lookupTables/{wg}': [],
    'POST lookupTables/{wg}/{id}': [],
    'DELETE lookupTables/{wg}/{id}': [],
    'GET roles/{wg}': [],
    'POST roles/{wg}': [],
    'PUT roles/{wg}/{id}': [],
    'DELETE roles/{wg}/{id}': [],
    'GET settings': [],
    'GET settings/{key}': [],
    'PUT settings/{key}': ['value'],
    'GET cloud': [],
    'GET plans': [],
    'GET alerts/{wg}': [],
    'POST alerts/{wg}': [],
    'PUT alerts/{wg}/{id}': [],
    'DELETE alerts/{wg}/{id}': [],
    'GET incidents/{wg}': [],
    'PUT incidents/{wg}/{id}/acknowledge': [],
    'POST diagnostics/{wg}/frontendError': ['location', 'message', 'stack', 'context'],
    'POST diagnostics/{wg}/frontendAnalytics': [],
  },
};

export const CALLS_SHOWN: Shown = {
  'apps/cloud/src/sessions/sessions.test.ts': {
    'sees its own workgroups only': ['GET orgs'],
    'with the right password answers a token of ten hours with what its holder may do': ['POST auth/local'],
  },
  'apps/cloud/src/members/members.test.ts': {
    'makes an account with a name and a password, once': [
      'GET newuser/{orgName}/{token}',
      'POST newuser',
      'GET orgs/{wg}/invites',
    ],
    'are listed for who manages access or members, and nobody else': ['GET orgs/{wg}/members'],
    'who change lose their sessions and sockets at once, and are what they are at the next sign-in': [
      'PUT orgs/{wg}/members/{id}',
    ],
    'who are removed lose the workgroup at once, and keep their others': ['DELETE orgs/{wg}/members/{id}'],
    'needs an address': ['POST orgs/{wg}/members'],
    'works with its latest link only, in its own workgroup, until it expires or is taken back': [
      'DELETE orgs/{wg}/invites/{id}',
    ],
  },
  'apps/cloud/src/workgroup-requests/workgroup-requests.test.ts': {
    'a request is mailed to the first owner while nobody of the staff has an account': ['PUT newuser'],
  },
  'apps/cloud/src/accounts/accounts.test.ts': {
    'whether an address is free can be asked, a few times a minute': ['GET isavailable'],
    'answers the same for an address that nobody has, and mails nothing': ['POST forgot'],
    'is replaced with the link in the mail, which ends every session and works once': ['PUT forgot/{token}'],
    'ends all other sessions and their sockets at once, and keeps this one': ['PUT me/password'],
  },
  'apps/cloud/src/identity-providers/saml.test.ts': {
    'is looked up by the address alone, with one answer for all others': [
      "POST auth/saml/login → post('auth/saml/login', { email })",
    ],
    'gets an account and a session of that workgroup at the first sign-in, and the same account later': [
      'GET auth/saml/login/sso → await browser.begin(await providerId(',
    ],
    'is set by owners alone, and its changes stand in the audit log': ['PUT orgs/{wg}/idp'],
  },
  'apps/cloud/src/mfa/mfa.test.ts': {
    'answers a login token first, and a session for the code': ['POST auth/local/totp'],
    'can be replaced for a code, and the old one ends': ['PUT me/totp-recover'],
    'leads to a new set-up, once, and ends what the lost phone could open': ['POST auth/local/totp-recover'],
    'offers an address for the QR code, and counts once a code of it is confirmed': [
      'POST me/totp-setup',
      'PUT me/totp-setup',
    ],
  },
  'apps/cloud/src/support/support.test.ts': {
    'a ticket is kept with its files, mailed to support and to who wrote it, and read by the staff': [
      'POST support',
    ],
  },
  'apps/cloud/src/announcements/announcements.test.ts': {
    'one for some workgroups is shown only to their members, who do not learn who else it is for': [
      'GET userAnnouncements',
      'POST announcements',
    ],
    'who dismisses one has dismissed it for himself alone': ['DELETE userAnnouncements/{id}'],
    'what has begun is shown to everybody, the newest first, and what is planned only to the staff': [
      'GET announcements',
    ],
    'one that is changed keeps who dismissed it, one that is deleted is gone for everybody': [
      'PUT announcements/{id}',
      'DELETE announcements/{id}',
    ],
  },
  'apps/cloud/src/http/server.test.ts': {
    'of the API carry the version of the web app and are not cached': ['GET version'],
  },
  'apps/cloud/src/devices/devices.test.ts': {
    'are listed by id and name alone where nothing more is wanted': ['GET devices/{wg}'],
    'are listed by name with everything the contract says': ['POST devices/{wg}'],
    'have names that are unique in their workgroup': ['PUT devices/{wg}/{device}'],
    'that are removed are gone, and their certificate is revoked': ['DELETE devices/{wg}/{device}'],
    'keep their settings, one by one': ['PUT devices/{wg}/{device}/settings/{key}'],
    'are fetched with a one-time token that stands in no address and works once': [
      'POST devices/{wg}/{device}/reissue',
    ],
    'hold the agent and the identity of their device, and revoke the earlier one': [
      'GET devices/{wg}/{device}/certificateInfo',
    ],
  },
  'e2e/plugins.test.ts': {
    'the tools are put back as commands, a device that was never told whose plugins it runs takes none': [
      'POST devices/{wg}/{device}/update',
    ],
    'the repository lists versions and spec, and the addon decides what may be installed': [
      'GET plugins/ardpkg',
      'GET plugins',
      'GET plugins/{wg}/{name}',
    ],
    'a plugin is installed, serves, is upgraded and downgraded with its service, and removed with it': [
      'GET devices/{wg}/plugins',
      'PUT devices/{wg}/{device}/plugins/{plugin}',
      'DELETE devices/{wg}/{device}/plugins/{plugin}',
      'PUT devices/{wg}/{device}/plugins/{plugin}/service',
      'DELETE devices/{wg}/{device}/plugins/{plugin}/service',
      'PUT devices/{wg}/{device}/plugins/{plugin}/service/{name}',
      'DELETE devices/{wg}/{device}/plugins/{plugin}/service/{name}',
    ],
  },
  'e2e/device-identity.test.ts': {
    'a device moves to another workgroup as a new one; its history stays': [
      'POST devices/{wg}/{device}/moveWorkgroup → post(`devices/main/${id}/moveWorkgroup`',
    ],
    'a new machine goes on as the device that it replaces: one history, no gap': [
      'POST devices/{wg}/{device}/identity → post(`devices/main/${old.device.id}/identity`',
    ],
  },
  'apps/cloud/src/latest-values/latest-values.test.ts': {
    'one stream is named by its table and its source': ['GET devices/{wg}/{device}/latest/{stream}'],
    'the newest value of a field, of each device or of each source': ['GET devices/{wg}/device/latestValues'],
    'many streams are answered in their order, with null for what is not there or not to be seen': [
      'POST devices/{wg}/device/cachedLatestValues',
    ],
  },
  'e2e/fleet.test.ts': {
    'the device tells its network, and finds what listens in it': [
      'POST devices/{wg}/{device}/openServices',
      'GET devices/{wg}/{device}/interfaces',
      'GET devices/{wg}/{deviceId}/nmapscan',
      'PUT devices/{wg}/{deviceId}/nmapscan',
    ],
    'files go both ways, a large one in slices that go on where it was cut': [
      'GET devices/{wg}/{device}/files',
      'PUT devices/{wg}/{device}/files',
      'GET devices/{wg}/{device}/large-files',
      "PUT devices/{wg}/{device}/large-files → 'PUT', onDevice('large-files')",
    ],
    'a backup is made, fetched, and restored on the device and on the one that replaces it': [
      'POST devices/{wg}/{device}/backups',
      'GET devices/{wg}/{device}/backups',
    ],
    'a saved command runs on many devices, each value one word to the shell, and nothing runs where nobody is':
      [
        'POST devices/{wg}/{device}/commands',
        "GET devices/{wg}/device/commands → 'devices/main/device/commands'",
        "GET devices/{wg}/{device}/commands → [onDevice('commands'),",
      ],
    'a scan by %s is a long action, and its findings are kept': [
      "GET devices/{wg}/{deviceId}/modbus → 'GET', onDevice(scan)",
      "PUT devices/{wg}/{deviceId}/modbus → ['modbus', {",
      "GET devices/{wg}/{deviceId}/arpscan → ['arpscan', {",
      "PUT devices/{wg}/{deviceId}/arpscan → 'PUT', onDevice(scan)",
    ],
  },
  'apps/cloud/src/photos/photos.test.ts': {
    'members of a device group see the photos of its devices and sources alone, and strangers none': [
      'GET devices/{wg}/{device}/uploads',
    ],
    'a slideshow has the photos of one camera in their order, of very many an even choice': [
      'POST devices/{wg}/{device}/slideshow',
    ],
  },
  'e2e/cloud-devices.test.ts': {
    'a NAT gateway lets it out to the addresses that it names, and to nothing that is not outside': [
      "POST orgs/{wg}/nat-gateway → gateway('POST'",
      "PUT orgs/{wg}/nat-gateway → gateway('PUT'",
      "DELETE orgs/{wg}/nat-gateway → gateway('DELETE'",
    ],
    'only with the addon; then it runs by itself, in a folder of its own, and comes back when it is killed': [
      'GET orgs/{wg}/ced-clouds',
    ],
  },
  'e2e/upgrade.test.ts': {
    'a new version is signed, installed, reports in and stays': ['GET agent/version', 'GET agent/build'],
  },
  'e2e/working-day.test.ts': {
    'each of a day’s works on devices is in the audit log with who did it, from where, and to which device': [
      'DELETE devices/{wg}/{device}/commands/{id}',
      'POST devices/{wg}/{deviceId}/modbus',
    ],
  },
  'e2e/commissioning.test.ts': {
    'from an agent to a plant on a board: found, seen before anything is kept, read, and made once': [
      'POST devices/{wg}/{deviceId}/discovery',
    ],
  },
  'apps/cloud/src/device-groups/device-groups.test.ts': {
    'show their members only their own group, without the devices that do not exist for them': [
      'GET orgs/{wg}/device-groups',
    ],
    'IN are the devices it names': ['POST orgs/{wg}/device-groups'],
    'a field that a visible device had once is there, although its newest event is without it': [
      'GET tables/{wg}/{table}',
    ],
    'leave old and new composition in the audit log': ['PUT orgs/{wg}/device-groups/{id}'],
    'that are used are not deleted, and the refusal says by how many': [
      'DELETE orgs/{wg}/device-groups/{id}',
    ],
  },
  'apps/cloud/src/entities/entities.test.ts': {
    'an entity is made with an id of its own or of the client, changed in part, and audited': [
      'GET entities/{wg}',
      'POST entities/{wg}',
      'PUT entities/{wg}/{id}',
    ],
    'a label that nobody described is its own id; the names that every object has are none': [
      'DELETE entities/{wg}/{id}',
    ],
    'settings are added under a new key and changed under a known one': [
      'POST entities/{wg}/{id}/settings',
      'PUT entities/{wg}/{id}/settings/{key}',
    ],
  },
  'apps/cloud/src/boards/boards.test.ts': {
    'a board is made, read, saved as its next version and deleted, and the audit log says so': [
      "GET entityDashboards/{wg} → ask('GET', '', undefined, reader)",
      "GET entityDashboards/{wg}/{id} → ask('GET', path, undefined, reader)",
      "POST entityDashboards/{wg} → ask('POST', '', NEW)",
      "PUT entityDashboards/{wg}/{id} → ask('PUT', path, {",
      "DELETE entityDashboards/{wg}/{id} → ask('DELETE', path)",
    ],
  },
  'apps/cloud/src/external-sources/external-sources.test.ts': {
    'a source is tried, read and read again: repeats are known, corrections replace, and its secret stays inside':
      [
        "POST externalSources/{wg} → ask('POST', PATH, weather('Weather'))",
        "GET externalSources/{wg} → ask('GET', PATH)",
      ],
    'what is wrong is named, names are unique, and a source that is deleted leaves what it brought': [
      "DELETE externalSources/{wg}/{id} → ask('DELETE', `${PATH}/${_id}`)",
    ],
  },
  'apps/cloud/src/external-sources/broker-sources.test.ts': {
    'the password stays with its broker, and what a form gets wrong is named': [
      "PUT externalSources/{wg}/{id} → ask('PUT', `${PATH}/${made._id}`",
    ],
  },
  'apps/cloud/src/formulae/formulae.test.ts': {
    'a formula is personal until it is shared; then members read it, and coordinators change it': [
      "GET formulae/{wg} → ask('GET', '', bob)",
      "POST formulae/{wg} → ask('POST', '', ann, withPower())",
      "PUT formulae/{wg}/{id} → ask('PUT', path, owner, withPower(",
      'PUT formulae/{wg}/{id}/share',
      'DELETE formulae/{wg}/{id}/share',
    ],
    'a device of nobody, or outside the device group, is no input, and its formulas do not exist': [
      "DELETE formulae/{wg}/{id} → ask('DELETE', path, ann)",
    ],
  },
  'apps/cloud/src/kpis/kpis.test.ts': {
    'a KPI is kept with its values in their order, a name stands once, and the audit log knows': [
      'GET kpis/{wg}',
      'POST kpis/{wg}',
      'PUT kpis/{wg}/{id}',
      'DELETE kpis/{wg}/{id}',
    ],
  },
  'apps/cloud/src/calculations/calculations.test.ts': {
    'one that is switched off stays and is not computed; a circle, a bomb and a stranger are refused': [
      'POST calculations/{wg}',
      'PUT calculations/{wg}/{id}',
      'GET calculations/{wg}',
    ],
    'a calculation that an earlier release accepted is still listed, though a new one like it is refused': [
      'DELETE calculations/{wg}/{id}',
      'POST calculationsV2/{wg}',
      'GET calculationsV2/{wg}',
    ],
  },
  'apps/cloud/src/machines/machines.test.ts': {
    'a machine is made, its curve comes in order, and a name stands once': [
      'GET machines/{wg}',
      'POST machines/{wg}',
    ],
    'a machine is put in the place of what it was, and keeps its name for itself': ['PUT machines/{wg}/{id}'],
    'entities of a machine that is deleted stay without one': ['DELETE machines/{wg}/{id}'],
  },
  'apps/cloud/src/schedules/schedules.test.ts': {
    'a shared schedule is a draft on each device and path; what is missing is named, what is not visible is missing':
      [
        'GET schedules/{wg}',
        'POST schedules/{wg}',
        'PUT schedules/{wg}/{id}',
        'DELETE schedules/{wg}/{id}',
        'GET schedules/{wg}/device',
        'GET schedules/{wg}/setpoints',
        'POST schedules/{wg}/{id}/devices',
      ],
    'a file that is found on the device is the current schedule, and comes back after what is not followed': [
      "POST schedules/{wg}/device/{device}/discover → call('POST', '/discover')",
    ],
    'a draft is applied by a lone owner with a reason and the phrase, sent, confirmed, and is the current one':
      [
        "POST schedules/{wg}/device/{device} → call('POST', '', body(value, more), token)",
        "POST schedules/{wg}/device/{device}/{id} → call('POST', `/${id}`, ALONE)",
      ],
    'a schedule that is edited goes on holding; one that holds is not removed; an older edit is refused': [
      "PUT schedules/{wg}/device/{device}/{id} → call('PUT', `/${id}`",
      "DELETE schedules/{wg}/device/{device}/{id} → call('DELETE', `/${id}`",
    ],
  },
  'apps/cloud/src/searches/searches.test.ts': {
    'a search is personal until it is shared; then members read it, and coordinators change it': [
      'GET searches/{wg}',
      "POST searches/{wg} → ask('POST', '', ann, STRINGS)",
      'GET searches/{wg}/{id}',
      "PUT searches/{wg}/{id} → ask('PUT', path, owner, {",
      "DELETE searches/{wg}/{id} → ask('DELETE', path, ann)",
      'PUT searches/{wg}/{id}/share',
      'DELETE searches/{wg}/{id}/share',
      'GET searches/{wg}/{id}/schedule',
    ],
    'whoever manages access sees whose searches there are and whom they are mailed to, and ends them': [
      'PUT searches/{wg}/{id}/schedule',
      'DELETE searches/{wg}/{id}/schedule',
    ],
  },
  'apps/cloud/src/security-services/security-services.test.ts': {
    'a workgroup has both kinds of scans, and no other': [
      "GET process/{wg}/task → call('GET', '')",
      'POST process/{wg}/task',
      'GET process/{wg}/task/{task}/jobs',
    ],
    'many devices are switched on and off at once, and who did it is in the log': [
      'POST process/{wg}/task/{task}/jobs',
    ],
    'the jobs of a device name each other, and one is switched by itself': [
      'PUT process/{wg}/task/{task}/jobs/{id}',
    ],
    'scans join the end of the queue, wait there once, and four of a workgroup run at a time': [
      'POST process/{wg}/task/{task}/jobs/{id}/run',
    ],
  },
  'apps/cloud/src/history-imports/history-imports.test.ts': {
    'a CSV is looked at, stored with its own zone, told to plants and ledger, and undone whole': [
      'GET tables/{wg}',
    ],
  },
  'apps/cloud/src/telemetry/telemetry.routes.test.ts': {
    'a search is text on request: a line for each record': [
      'GET tables/{wg}/{table}/search → get(`tables/main/${table}/search`',
    ],
  },
  'apps/cloud/src/workgroups/workgroup-settings.test.ts': {
    'is set by coordinators, read by every member, and told to everybody in the workgroup at once': [
      'GET orgs/{wg}/settings',
      'PUT orgs/{wg}/settings/{key}',
    ],
    'a workgroup gets another name and another theme, and that of the host again': [
      "PUT orgs/{wg} → call('PUT', '', owner, { displayName:",
    ],
  },
  'apps/cloud/src/branding/branding.test.ts': {
    'is set by a coordinator, told to everybody, and given to members only': [
      'PUT orgs/{wg}/logo → upload(`orgs/${wg}/logo`, PNG)',
      'GET orgs/{wg}/logo → download(`orgs/${wg}/logo`, reader)',
    ],
  },
  'apps/cloud/src/watches/watches.test.ts': {
    'everybody sees and ends what they follow themselves, and the log knows': ['GET orgs/{wg}/watches'],
  },
  'apps/cloud/src/energy/meter-data.test.ts': {
    'readings are stored by code and time, each in the place of what it was, and read again': [
      'PUT orgs/{wg}/meter-data → __granularity',
    ],
    'budgets are of devices and sites, by id or by name': ['PUT orgs/{wg}/budget-data'],
  },
  'apps/cloud/src/workgroup-admin/workgroup-admin.test.ts': {
    'the staff make a workgroup, whose first owner is invited by e-mail': ['POST orgs'],
  },
  'apps/cloud/src/workgroups/addons.test.ts': {
    'which addons there are is for addon managers alone: other staff and members see what is enabled': [
      'GET orgs/{wg}/addons-available',
    ],
    'an addon manager enables and disables addons, and everybody in the workgroup hears of it': [
      'POST orgs/{wg}/addons',
      'DELETE orgs/{wg}/addons/{addon}',
    ],
    'the addon for machine plugins has settings: labels and plugins, each once': [
      'PUT orgs/{wg}/addons/{addon}',
    ],
  },
  'apps/cloud/src/lookup-tables/lookup-tables.test.ts': {
    'a table is made, changed and deleted; members read it, and the audit log says who did it': [
      "GET lookupTables/{wg} → ask('GET', PATH)",
      "POST lookupTables/{wg} → ask('POST', PATH, STATES)",
      "POST lookupTables/{wg}/{id} → ask('POST', `${PATH}/${made._id}`, change)",
      "DELETE lookupTables/{wg}/{id} → ask('DELETE', `${PATH}/${made._id}`)",
    ],
  },
  'apps/cloud/src/access-control/access-control.test.ts': {
    'are denied at once by a rule on the role of a user, and allowed again without it': [
      'POST roles/{wg}',
      'PUT roles/{wg}/{id}',
      'DELETE roles/{wg}/{id}',
    ],
    'is lost with the membership and not given back by a new one': ['GET roles/{wg}'],
  },
  'apps/cloud/src/settings/settings.test.ts': {
    'a setting is kept for its user and for nobody else': [
      'GET settings',
      'GET settings/{key}',
      'PUT settings/{key}',
    ],
  },
  'apps/cloud/src/installation/installation.test.ts': {
    'members read where their data lies, and the staff which plans there are': ['GET cloud', 'GET plans'],
  },
  'apps/cloud/src/alerts/alerts.test.ts': {
    'an alert has versions, to which it goes back, and stands in the YAML of its workgroup': [
      'GET alerts/{wg}',
      'POST alerts/{wg}',
    ],
    'text of a rule that changes leaves its incidents alone; a rule that goes closes them': [
      'PUT alerts/{wg}/{id}',
      'DELETE alerts/{wg}/{id}',
    ],
    'a rule that is broken by what arrives makes one incident, which people acknowledge and which closes': [
      'GET incidents/{wg}',
      'PUT incidents/{wg}/{id}/acknowledge',
    ],
  },
  'apps/cloud/src/diagnostics/diagnostics.test.ts': {
    'a page view and a failure are counted': [
      'POST diagnostics/{wg}/frontendAnalytics',
      'POST diagnostics/{wg}/frontendError → /frontendError',
    ],
  },
};
