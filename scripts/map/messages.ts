/**
 * Texts of the two documents, with the key of each in the English texts, its name among errors and issues, or the file that says
 * it; which test shows them.
 */
import type { Shown } from './source.ts';

/** By document and what it is about. */
export const MESSAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '1, what it is for': {
    "You don't have access to any workgroups, please contact an admin or support": 'login.noWorkgroup',
  },
  '1, screens': {
    'Logout Successful': 'logout.title',
    'You are now logged out': 'logout.text',
    'Log back in': 'logout.again',
    'Continue with SAML SSO': 'login.sso',
    'Forgot password': 'login.forgot',
    'Use recovery code': 'login.recover',
    'Back to 2FA code': 'login.backToCode',
    Continue: 'login.continue',
    'Reset password': 'reset.submit',
    'View all': 'announcements.viewAll',
    'My Profile': 'shell.myProfile',
    'Ops team': 'menu.opsTeam',
    Logout: 'shell.logout',
    Help: 'menu.help',
    Documentation: 'menu.documentation',
    Devices: 'menu.devices',
    Dashboards: 'menu.dashboards',
    Analysis: 'menu.analysis',
    Searches: 'menu.searches',
    Alerts: 'menu.alerts',
    Photos: 'menu.photos',
    Report: 'menu.report',
    Controls: 'menu.controls',
    Admin: 'menu.admin',
    Announcements: 'menu.announcements',
    Profile: 'menu.profile',
    Workgroup: 'menu.workgroup',
    Entities: 'menu.entities',
    Access: 'menu.access',
    Reports: 'menu.reports',
    Data: 'menu.data',
    Home: 'boards.home',
    'Configure Dashboards': 'boards.configure',
    'No dashboards configured': 'boards.none',
    'New search': 'searches.new',
    Shared: 'searches.shared',
    Personal: 'searches.personal',
    Pages: 'search.pages',
    'no results found': 'search.nothing',
    Back: 'actions.back',
    Next: 'mfa.next',
    Done: 'mfa.done',
    'Your ticket has been created': 'support.created',
    'Ref #{taskId}': 'support.ref',
    'within a few hours': 'support.answer',
    Information: 'mfa.steps.information',
    'Create QR code': 'mfa.steps.create',
    'Scan code': 'mfa.steps.scan',
    'Enter code': 'mfa.steps.enter',
    Recovery: 'mfa.steps.recovery',
    Secured: 'mfa.steps.secured',
    'Confirmation required': 'confirm.title',
    'Are you sure?': 'confirm.body',
    "Yes, I'm sure": 'confirm.yes',
    Cancel: 'actions.cancel',
  },
  '1, states': {
    'response token failed': 'apps/web/src/features/sessions/sessions.queries.ts',
    'SAML login error': 'login.ssoError',
    Exit: 'mfa.exit',
    'Session will expire soon.': 'session.expiresSoon',
    'Logged out..': 'session.loggedOut',
    'Update available': 'update.title',
    'A new version of the product is available.': 'update.text',
    'Please refresh your browser to load the latest version.': 'update.how',
    'Refresh page': 'update.now',
    'Dismiss for five minutes': 'update.later',
    Refresh: 'update.short',
  },
  '1, validation': {
    'Password is required': 'issue.password_required',
    'Password must contain at least 8 characters': 'issue.password_short',
    'Passwords must match': 'password.mismatch',
    'minimum 8 characters required': 'password.lengths.error',
    '12 characters or greater is recommended': 'password.lengths.warning',
    secure: 'password.lengths.good',
    good: 'password.complexities.good',
    Required: 'issue.required',
    'Invalid email': 'issue.email',
    'Email address already in use. Try resetting your password.': 'account.email_taken',
    'Invalid URL': 'issue.url',
    'Please input a number': 'issue.number',
    Confirm: 'mfa.confirm',
    Generate: 'profile.generate',
  },
  '1, permissions': {
    'Create Dashboard': 'missing.rights.Create Dashboard',
  },
  '1, errors': {
    Unauthorized: 'request.unauthorized',
    Forbidden: 'request.forbidden',
    'Not found': 'request.not_found',
    Conflict: 'request.conflict',
    'Unknown error': 'apps/web/src/app/call.ts',
    'Request timed out': 'apps/web/src/app/call.ts',
    'Request failed with status code {status}': 'apps/web/src/app/call.ts',
    'Invalid login: Try continuing with SAML SSO': 'session.use_sso',
    'Invalid username and/or password': 'session.bad_credentials',
    'Too many requests.. Please try again later': 'request.too_many',
    'Session expired.  Please enter your password again.': 'session.code_expired',
    'Invalid authenticator code': 'mfa.code_invalid',
    'Could not reset password.': 'apps/web/src/app/call.ts',
    'An email has been sent to {email} with further instructions.': 'login.forgotDone',
    'Could not recover MFA': 'mfa.recovery_failed',
    'Could not generate recovery code. Please enter a valid code.': 'mfa.recovery_code_failed',
    'SAML SSO not found': 'sso.not_found',
    'Request submitted': 'workgroupRequests.submitted',
    'Failed to submit request': 'workgroupRequests.failed',
    'Error: could not reset password.': 'reset.failed',
  },
  '1, times': {
    'Last hour': 'time.presets.last-hour',
    Today: 'time.presets.today',
    Yesterday: 'time.presets.yesterday',
    'Last 3 days': 'time.presets.last-3-days',
    'Last 5 days': 'time.presets.last-5-days',
    'Last 7 days': 'time.presets.last-7-days',
    'Last 14 days': 'time.presets.last-14-days',
    'Last 30 days': 'time.presets.last-30-days',
    'This week': 'time.presets.this-week',
    'Last week': 'time.presets.last-week',
    'This month': 'time.presets.this-month',
    'Last month': 'time.presets.last-month',
    'Last 12 months': 'time.presets.last-12-months',
    'This calendar year': 'time.presets.this-calendar-year',
    'Last calendar year': 'time.presets.last-calendar-year',
    'Last 6 hours': 'time.presets.last-6-hours',
    'Last day': 'time.presets.last-day',
    'Last 3 months': 'time.presets.last-3-months',
    'Last 6 months': 'time.presets.last-6-months',
    None: 'time.none',
    'Selected timezone': 'time.selectedZone',
    'As collected': 'time.asCollected',
  },
  '2, screens': {
    Labels: 'entities.labels',
    Set: 'entities.set',
    Dismiss: 'plugins.logs.dismiss',
    'All time': 'time.allTime',
  },
  '2, entities': {
    'Cloud device': 'health.cloud',
    'Edge device': 'health.edge',
    'Active power': 'schedules.kinds.setpoint_activepower',
    'Cos phi': 'schedules.kinds.setpoint_cosphi',
    High: 'packages/contract/src/alerts/severities.ts',
    Medium: 'packages/contract/src/alerts/severities.ts',
    Low: 'packages/contract/src/alerts/severities.ts',
  },
  '2, states': {
    Applied: 'schedules.states.applied',
    Draft: 'schedules.states.draft',
    Pending: 'schedules.states.pending',
    'Cannot set initial workgroup': 'apps/web/src/app/session.ts',
  },
  '2, validation': {
    'Pre-upgrade check failed: {check}': 'upgrade.check_failed',
    'Invalid source map entry': 'plugin.source_map_invalid',
    'Empty constraints object': 'search.constraints_empty',
    'options.aggregate.type not provided': 'search.aggregation_type_missing',
    'query.aggs not provided': 'search.aggregation_missing',
    'Missing table': 'table.missing',
    'Must supply a deviceId': 'device.id_missing',
    'Must supply a command': 'device.command_missing',
    'Email address is required.': 'issue.email_required',
    'Run command?': 'deviceCommands.confirm.title',
    'Are you sure you want to run the command {command} on device {device name}?':
      'deviceCommands.confirm.body',
    'Run command': 'deviceCommands.confirm.run',
  },
  '2, errors': {
    'no results returned': 'apps/cloud/src/telemetry/telemetry.latest.ts',
    'results not returned from table data': 'apps/cloud/src/telemetry/telemetry.latest.ts',
    'historic results not returned from table black_box': 'apps/cloud/src/telemetry/telemetry.latest.ts',
    'latest results not returned from table black_box':
      'apps/cloud/src/latest-values/latest-values.service.ts',
    'not available': 'health.notAvailable',
    'Socket disconnected': 'apps/web/src/app/socket.ts',
    'Timeout on {action}': 'apps/web/src/app/socket.ts',
    'Socket not connected [job]': 'securityServices.notLive',
    'Incident not found': 'incident.not_found',
    'New device created': 'cloudDevices.created',
    'Device Config Update': 'deviceConfig.updated',
    'Failed to create NAT Gateway': 'cloudDevices.nat.createFailed',
    'Failed to grant access': 'cloudDevices.nat.grantFailed',
    'Timed out': 'packages/contract/src/telemetry/telemetry.errors.ts',
    'Failed to create temporary directory': 'packages/contract/src/plugins/plugins.errors.ts',
    "Failed to '{start or stop}' service": 'packages/contract/src/plugins/plugins.errors.ts',
    'Unrecognised action: {x}': 'issue.activity_action',
    'Failed to activate the service': 'packages/contract/src/plugins/plugins.errors.ts',
    'Failed to restart the service': 'packages/contract/src/plugins/plugins.errors.ts',
    'Unknown activity type': 'issue.activity_type',
    'Failed to find plugin activities': 'packages/contract/src/plugins/plugins.errors.ts',
    'Failed to find activity': 'packages/contract/src/plugins/plugins.errors.ts',
    'Unknown descendant strategy: {x}': 'entity.strategy_unknown',
    'Failed to remove service': 'packages/contract/src/plugins/plugins.errors.ts',
    'Error while trying to stop the plugin': 'packages/contract/src/plugins/plugins.errors.ts',
    'Error while trying to start the plugin': 'packages/contract/src/plugins/plugins.errors.ts',
    'Plugin upgrade failed': 'plugins.upgradeFailed',
    'Reactivating services...': 'plugins.reactivating',
    'Failed to load table {name}': 'searches.tableFailed',
    'Table is missing or empty': 'searches.tableMissing',
    'Failed to fetch serial devices': 'packages/contract/src/plugins/plugins.errors.ts',
    'Failed to install {product}ctl while attempting to fetch serial devices':
      'packages/contract/src/plugins/plugins.errors.ts',
    'Ardpkg error: Unknown error': 'plugin.ardpkg_unknown',
    'Unknown error, please contact your account manager': 'plugins.unknownFailed',
    'could not find member': 'member.not_found',
    'Failed to repair plugin arguments': 'plugins.repairFailed',
    'An unknown error occurred.': 'members.inviteFailed',
  },
  '2, health': {
    Moderate: 'health.moderate',
    Poor: 'health.poor',
    Good: 'health.good',
    unknown: 'health.unknown',
    offline: 'health.offline',
  },
};

export const MESSAGES_SHOWN: Shown = {
  'apps/web/src/app/session.test.ts': {
    'a user of no workgroup is refused with the words of the specification': [
      "You don't have access to any workgroups, please contact an admin or support",
      'Cannot set initial workgroup',
    ],
  },
  'e2e/pocket.spec.ts': {
    'the app opens without a network, shows the last state of lists, plants and dashboards with its age, goes on by itself, and forgets it when one signs out':
      ['Logout Successful'],
  },
  'e2e/accessibility-people.spec.ts': {
    'nothing that concerns a person keeps anybody out, from the shell to the second factor': [
      'You are now logged out',
      'My Profile',
    ],
    'no page that anybody can open keeps anybody out': ['Reset password'],
  },
  'e2e/sso.spec.ts': {
    'somebody who was invited signs in with SimpleSAMLphp, which encrypts, and lands in the workgroup': [
      'Log back in',
    ],
    'somebody in the directory without an invitation reads so, back at the login': ['SAML login error'],
  },
  'apps/web/src/app/first-card.test.ts': {
    'the other ways in are handed over, and an app that cannot be loaded leaves the form as it was': [
      'Continue with SAML SSO',
      'Forgot password',
    ],
    'the form can be filled in before the app is there, and hands over what was typed': ['Continue'],
  },
  'apps/web/src/features/sessions/code-steps.test.tsx': {
    'an account with a passkey alone is not asked for a code, and the recovery code stays the way out': [
      'Use recovery code',
    ],
  },
  'apps/web/src/features/sessions/login-card.test.tsx': {
    'a refused recovery code shows a failure, and there is a way back to the code': [
      'Back to 2FA code',
      'Could not recover MFA',
    ],
    'an answer without a token shows a failure': ['response token failed'],
    'status %i says: %s': ['Invalid login: Try continuing with SAML SSO', 'Invalid username and/or password'],
    'an expired login token says so and returns to the login after two seconds': [
      'Session expired.  Please enter your password again.',
    ],
    'a reset that cannot be requested shows a failure': ['Could not reset password.'],
    'a forgotten password is asked for by e-mail, with the address already typed': [
      'An email has been sent to {email} with further instructions.',
    ],
    'an address without single sign-on reads what to do in place of it': ['SAML SSO not found'],
  },
  'apps/web/src/features/announcements/announcements-dialog.test.tsx': {
    'the bell shows at most five, the newest first, and the way to all': ['View all'],
  },
  'apps/web/src/locales/specified.test.ts': {
    '%s is %j': [
      'Ops team',
      'Logout',
      'Help',
      'Documentation',
      'Devices',
      'Dashboards',
      'Analysis',
      'Searches',
      'Alerts',
      'Photos',
      'Report',
      'Controls',
      'Admin',
      'Announcements',
      'Profile',
      'Workgroup',
      'Entities',
      'Access',
      'Reports',
      'Data',
      'Home',
      'Configure Dashboards',
      'Shared',
      'Personal',
      'Pages',
      'Ref #{taskId}',
      'Information',
      'Scan code',
      'Enter code',
      'Recovery',
      'Secured',
      'Cancel',
      'minimum 8 characters required',
      '12 characters or greater is recommended',
      'secure',
      'Generate',
      'Failed to submit request',
      'Last 7 days',
      'None',
      'Selected timezone',
      'As collected',
      'All time',
      'Active power',
      'Cos phi',
      'Applied',
      'Draft',
      'Device Config Update',
      'Moderate',
      'Poor',
    ],
    'a workgroup without severities of its own has three, the gravest first': ['High', 'Medium', 'Low'],
    'a list of jobs without a socket says so': ['Socket not connected [job]'],
  },
  'e2e/shell.spec.ts': {
    'people limited to dashboards read that there are none and who to ask, and end in no loop': [
      'No dashboards configured',
    ],
  },
  'e2e/searches.spec.ts': {
    'an engineer finds events of inverters, draws them, keeps the search, shares its link and has it mailed':
      ['New search'],
  },
  'apps/web/src/features/search/search-dialog.test.tsx': {
    'a text that nothing has says so': ['no results found'],
  },
  'apps/web/src/features/mfa/mfa-wizard.test.tsx': {
    'six steps lead to a session, the recovery code and, two seconds later, the app': [
      'Back',
      'Next',
      'Done',
      'Create QR code',
      'Confirm',
    ],
    'the first step can be left': ['Exit'],
    'a wrong code shows in the words of the server, and the step stays': ['Invalid authenticator code'],
  },
  'e2e/support.spec.ts': {
    'who needs help writes a ticket with a file, which the staff reads, takes care of and closes': [
      'Your ticket has been created',
      'within a few hours',
    ],
  },
  'e2e/reports.spec.ts': {
    'a newcomer asks why a report is empty, and is led to what sets it': ['Confirmation required'],
  },
  'apps/web/src/ui/pieces.test.tsx': {
    'a dialog with a phrase confirms only what was typed exactly, and says when it failed': [
      'Are you sure?',
      "Yes, I'm sure",
    ],
  },
  'e2e/session.spec.ts': {
    'the end of a session is announced ten minutes before, counted by the minute, and leads to a new sign-in':
      ['Session will expire soon.', 'Logged out..'],
  },
  'apps/web/src/app/update-notice.test.tsx': {
    'nobody is signed in: the version is asked for soon and then every minute, and a newer one is announced there too':
      ['Update available', 'Dismiss for five minutes', 'Refresh'],
  },
  'e2e/update.spec.ts': {
    'somebody at work hears of a new release, may put it off, and loads it by the dialog or the small bar': [
      'A new version of the product is available.',
      'Please refresh your browser to load the latest version.',
      'Refresh page',
    ],
  },
  'apps/web/src/features/accounts/reset-card.test.tsx': {
    'the button waits until both fields are filled and equal; a password too short is reported, not sent': [
      'Password is required',
      'Password must contain at least 8 characters',
      'Passwords must match',
    ],
    'a link that is no longer good comes with tips on such links': ['Error: could not reset password.'],
  },
  'apps/web/src/features/accounts/password-strength.test.ts': {
    'the length of %j is %s': ['good'],
  },
  'packages/contract/src/http/issues.test.ts': {
    '%j is told as a sentence with a name': ['Required', 'Please input a number'],
    'what is too long is not said to be missing': ['Invalid email'],
  },
  'apps/cloud/src/workgroup-requests/workgroup-requests.test.ts': {
    'a request with the address of an account is refused': [
      'Email address already in use. Try resetting your password.',
    ],
  },
  'apps/web/src/features/workgroup-requests/request-fields.test.ts': {
    '%s "%s" is judged %s': ['Invalid URL'],
  },
  'apps/web/src/base.test.ts': {
    'the rules are asked of the server last, and only where the workgroup has them': ['Create Dashboard'],
  },
  'apps/web/src/app/call.test.ts': {
    'a 401 ends the session, except at the sign-in': ['Unauthorized'],
    'a %i without a message, with the text "%s", is %i %s': [
      'Forbidden',
      'Not found',
      'Conflict',
      'Unknown error',
      'Request failed with status code {status}',
    ],
    'an answer of 10 s is waited for, and no longer': ['Request timed out'],
    'a server that wants to be asked again after "%s", longer than anybody waits, is reported at once': [
      'Too many requests.. Please try again later',
    ],
  },
  'apps/cloud/src/mfa/mfa.test.ts': {
    'can be replaced for a code, and the old one ends': [
      'Could not generate recovery code. Please enter a valid code.',
    ],
  },
  'e2e/requests.spec.ts': {
    'a stranger asks for a workgroup, the staff makes it, and its owner signs in': ['Request submitted'],
  },
  'apps/web/src/ui/time-range/time-range.test.ts': {
    'carry the labels of the specification word for word': [
      'Last hour',
      'Today',
      'Yesterday',
      'Last 3 days',
      'Last 5 days',
      'Last 14 days',
      'Last 30 days',
      'This week',
      'Last week',
      'This month',
      'Last month',
      'Last 12 months',
      'This calendar year',
      'Last calendar year',
      'Last 6 hours',
      'Last day',
      'Last 3 months',
      'Last 6 months',
    ],
  },
  'apps/web/src/features/entities/labels-dialog.test.tsx': {
    'a label that all entities have, some or none has a box of three states, and Set changes what was ticked':
      ['Labels', 'Set'],
  },
  'apps/web/src/features/plugins/plugins-tab.test.tsx': {
    'a service shows its logs, and is put aside with everything that it has': ['Dismiss'],
    'a rule of a source map that says nothing is found before anything is sent': ['Invalid source map entry'],
    'an upgrade that fails says so, and its services are started again': [
      'Plugin upgrade failed',
      'Reactivating services...',
    ],
    'an address can be typed where the ports could not be read': ['Failed to fetch serial devices'],
    'a failure without a word of the server says whom to ask': [
      'Unknown error, please contact your account manager',
    ],
    'arguments that the plugin does not take any more are named, and values without a place are not guessed':
      ['Failed to repair plugin arguments'],
  },
  'e2e/cloud-devices.spec.ts': {
    'a cloud device is made, comes online by itself, and keeps the secrets of its network': [
      'Cloud device',
      'New device created',
    ],
  },
  'packages/contract/src/devices/devices.health.test.ts': {
    'is ok when every metric is': ['Edge device', 'Good'],
    'says that a metric is not available, as a warning of that cell alone': ['not available'],
    'takes a cloud device as it is, without an operating system to judge': ['unknown'],
    'is danger while the device is offline, whatever its last metrics say': ['offline'],
  },
  'apps/web/src/features/schedules/device-schedule-page.test.tsx': {
    'while it is pending nothing can be changed, and it can be withdrawn': ['Pending'],
  },
  'e2e/upgrade.test.ts': {
    'without its five conditions nothing is upgraded, and the first that is missing is named': [
      'Pre-upgrade check failed: {check}',
    ],
  },
  'apps/cloud/src/telemetry/telemetry.bad-input.test.ts': {
    '%j has the documented words': [
      'Empty constraints object',
      'options.aggregate.type not provided',
      'query.aggs not provided',
    ],
  },
  'apps/cloud/src/telemetry/telemetry.routes.test.ts': {
    'the socket answers the same as the address': ['Missing table'],
  },
  'apps/cloud/src/sockets/sockets.test.ts': {
    'a command without a device or a line says what is missing, in the words of the specification': [
      'Must supply a deviceId',
      'Must supply a command',
    ],
  },
  'apps/cloud/src/members/members.test.ts': {
    'needs an address': ['Email address is required.'],
    'who are removed lose the workgroup at once, and keep their others': ['could not find member'],
  },
  'apps/web/src/features/boards/widgets/new-widgets.test.tsx': {
    'a command runs only after somebody said yes, on the devices behind the entity': [
      'Run command?',
      'Run command',
    ],
  },
  'apps/web/src/features/photos/camera-control.test.tsx': {
    'a camera is asked for once, and then looks wherever a button or an arrow key says': [
      'Are you sure you want to run the command {command} on device {device name}?',
    ],
  },
  'apps/cloud/src/telemetry/telemetry.latest.test.ts': {
    'health that cannot be read says "%s", with the cause': [
      'no results returned',
      'results not returned from table data',
      'historic results not returned from table black_box',
    ],
    'newest values of black boxes that cannot be read say so, with the cause': [
      'latest results not returned from table black_box',
    ],
  },
  'apps/web/src/app/socket.test.ts': {
    'a failed, a silent and a cut off request each say so': ['Socket disconnected', 'Timeout on {action}'],
  },
  'apps/cloud/src/alerts/alerts.test.ts': {
    'members of a device group see only incidents of their devices, and may not make alerts': [
      'Incident not found',
    ],
  },
  'apps/web/src/features/cloud-devices/nat-gateway-card.test.tsx': {
    'a proxy that answers in place of the server leaves the sentence of what was tried': [
      'Failed to create NAT Gateway',
    ],
    'without a word of the server, access that is not granted says so': ['Failed to grant access'],
  },
  'apps/cloud/src/telemetry/telemetry.search.test.ts': {
    'a search that is too slow ends with the words of the specification': ['Timed out'],
  },
  'apps/cloud/src/plugins/plugins.failures.test.ts': {
    'a step of an installation has its sentence, and what is not the device is what it was': [
      'Failed to create temporary directory',
      'Error while trying to stop the plugin',
      'Error while trying to start the plugin',
      'Ardpkg error: Unknown error',
    ],
  },
  'e2e/plugin-failures.test.ts': {
    'an installation says where it ended: no place for what comes, the package tool, and the old version goes on':
      ["Failed to '{start or stop}' service"],
    'an activity says what it was that could not be done': [
      'Unrecognised action: {x}',
      'Failed to activate the service',
      'Failed to restart the service',
      'Unknown activity type',
      'Failed to find plugin activities',
      'Failed to find activity',
      'Failed to remove service',
    ],
    'serial lines are those of the device, whose tool is sent where it is missing': [
      'Failed to install {product}ctl while attempting to fetch serial devices',
    ],
  },
  'apps/cloud/src/boards/boards.test.ts': {
    'an unknown child selector is told in the words of the specification': [
      'Unknown descendant strategy: {x}',
    ],
  },
  'apps/web/src/features/searches/search-page.test.tsx': {
    'a table that is gone is named': ['Failed to load table {name}', 'Table is missing or empty'],
  },
  'apps/web/src/features/members/invite-dialog.test.tsx': {
    'a failure in which the server says nothing (%j, %i) is called an unknown error': [
      'An unknown error occurred.',
    ],
  },
};
