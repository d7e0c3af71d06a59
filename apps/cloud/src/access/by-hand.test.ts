import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing/'));

/** The words of the declared access; who says one of them decides by hand. */
const WORDS =
  /'(?:access\.\w+|device_group\.bound|session\.not_fresh|workgroup\.suspended|request\.forbidden)'|\b(?:demandAccess|demandFresh|rulesAllow|lackOf|isBound|mayRunCommands|scopeIn)\b|\bholds\b[^}]*\} from '@albedo\/contract|\b(?:session|claims|holder)\.(?:staff|addonManager|apiToken|confirmedAt)\b/;

/** Where access is more than a declaration can say, and why. */
const BY_HAND: Readonly<Record<string, string>> = {
  'access/check.ts': 'the one check',
  'access/granting.ts':
    'compares what somebody gives with what they have, and with what the other person has',
  'access/guard.ts': 'what the check asks',
  'access/manager.ts': 'hands the scope of the caller on',
  'access/owned.ts': 'what belongs to a person is theirs until it is shared',
  'access-control/compiled-rules.ts': 'finds the group of the person a rule is about',
  'accounts/profiles.service.ts': 'the start workgroup is one of the person; what a new address ends',
  'api-tokens/api-tokens.service.ts': 'nobody makes a token that may do more than they may',
  'boards/boards.history.ts': 'a file, or the undo of one, saves several boards',
  'boards/boards.service.ts': 'a list of boards says what may be done with each of them',
  'device-identity/device-identity.service.ts': 'a move takes the right in two workgroups',
  'devices/devices.routes.ts': 'a body may ask for a cloud device, which takes an addon',
  'diagnostics/findings.service.ts':
    'one answer has what several endpoints have, each with an access of its own',
  'displays/displays.service.ts': 'a link may do what its maker may at this moment',
  'device-groups/device-groups.service.ts': 'makes the device scope',
  'entities/entities.service.ts': 'a request changes several entities',
  'entities/entity-deletions.ts': 'a deletion takes all below',
  'front-door/guard.ts': 'answers the check',
  'history/history.service.ts': 'which addon a version needs depends on its kind',
  'http/bind.ts': 'asks the check for endpoints',
  'http/openapi.operation.ts': 'documents the refusals',
  'notifications/setup.service.ts': 'says which of the people see a part of the devices alone',
  'searches/schedules.service.ts': 'ends what its owner can no longer see',
  'sessions/ended-tokens.ts': 'a token of before a confirmation counts no more',
  'sessions/sessions.service.ts': 'makes and ends sessions',
  'shells/shells.service.ts':
    'a workgroup may ask for a certain factor, and for a new confirmation each time',
  'sockets/lists.ts': 'tells lists to those who may ask for them',
  'sockets/sockets.calls.ts': 'asks the check for socket actions',
  'sockets/sockets.server.ts': 'a socket belongs to a workgroup of its user',
  'step-up/step-up.service.ts': 'how somebody may confirm depends on the factors of their account',
  'telemetry/telemetry.reader.ts': 'a table may be named deep in a query',
  'telemetry/telemetry.service.ts': 'which tables are visible',
  'tunnels/tunnels.service.ts': 'a tunnel ends with the right of whoever opened it',
  'workgroups/workgroups.routes.ts': 'lists the workgroups that the session opens',
};

/** Code without comments, in which the words may stand. */
const codeOf = (file: string): string =>
  readFileSync(join(source, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

test('no handler and no service decides about access by hand; the few that must say why', () => {
  expect(files.length).toBeGreaterThan(200);
  const deciding = files.filter((file) => WORDS.test(codeOf(file)));
  expect(deciding.toSorted()).toEqual(Object.keys(BY_HAND).toSorted());
});
