/** The map of the specification: its pages, made from what is declared, and what is wrong with it. */

import type { Screen } from '@albedo/contract/access/screens';
import type { Endpoint } from '@albedo/contract/http/endpoint';
import { SOCKET_TIMEOUT_MS, type SocketAction } from '@albedo/contract/sockets/action';
import { CALLS, CALLS_SHOWN } from './calls.ts';
import { CONSTANTS, CONSTANTS_SHOWN, type Constant } from './constants.ts';
import { actions, endpoints, events, fieldsOf, screens, withoutNames } from './declared.ts';
import { MESSAGES, MESSAGES_SHOWN } from './messages.ts';
import { ROUTES, ROUTES_SHOWN } from './routes.ts';
import { ACTIONS, EVENTS, SOCKETS_SHOWN } from './sockets.ts';
import { faultOf, sourceOf, type Witness, witnesses } from './source.ts';
import { Texts } from './texts.ts';

export interface Page {
  title: string;
  intro: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  faults: readonly string[];
}

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
const shownBy = (witness: Witness | undefined): string =>
  witness ? `${code(witness.file)}: ${witness.title.replaceAll('|', '\\|')}` : '';

/** Whether a test file has this call: its method in quotation marks, and behind it the last words of its path. */
function hasCall(call: string, source: string): boolean {
  const [method = '', path = ''] = call.split(' ');
  const words = path.split(/\{\w+\}/).flatMap((part) => part.replace(/^\/|\/$/g, '') || []);
  const last = words.at(-1)?.split('/').at(-1) ?? '';
  return new RegExp(`'${method}',\\s*[^\\n]{0,80}?['"\`/}]${last}['"\`/?]`).test(source);
}

function callFault(call: string, takes: readonly string[], endpoint: Endpoint | undefined): string | null {
  if (!endpoint) return `${call}: the contract does not declare it.`;
  const { schema, consumes } = endpoint;
  const fields = new Set([...fieldsOf(schema.body), ...fieldsOf(schema.querystring)]);
  const lacking = takes.filter((name) => !fields.has(name));
  if (lacking.length === 0) return null;
  return `${call}: its ${consumes ?? 'body or query'} has no ${lacking.join(', ')}.`;
}

export async function callsPage(): Promise<Page> {
  const byPath = await endpoints();
  const shown = witnesses(CALLS_SHOWN);
  const rows: string[][] = [];
  const faults: (string | null)[] = [];
  for (const [document, calls] of Object.entries(CALLS))
    for (const [call, takes] of Object.entries(calls)) {
      const endpoint = byPath.get(withoutNames(call));
      const witness = shown.get(call);
      faults.push(
        callFault(call, takes, endpoint?.it),
        faultOf(call, witness, (source) => hasCall(call, source)),
      );
      rows.push([
        document,
        code(call),
        takes.map(code).join(', '),
        code(endpoint?.file ?? ''),
        shownBy(witness),
      ]);
    }
  faults.push(...strangers(shown, Object.values(CALLS).flatMap(Object.keys)));
  return {
    title: 'Calls',
    intro: 'Every call that the specification names, below `/api/v1`.',
    head: ['document', 'call', 'takes', 'declared in', 'shown by'],
    rows,
    faults: faults.filter((fault) => fault !== null),
  };
}

/** What a screen requires, in the words of the data. */
function guardOf({ who, addon, settings, rule, dashboardOnly, restricted }: Screen): Set<string> {
  const words = new Set<string>();
  if (dashboardOnly) words.add('D');
  if (restricted) words.add('R');
  if (who.kind === 'staff') words.add('staff');
  if (who.kind === 'can') for (const permission of who.permissions) words.add(permission);
  for (const name of [addon ?? []].flat()) words.add(`addon:${name}`);
  for (const setting of settings ?? []) words.add(`setting:${setting}`);
  if (rule) words.add(`rule:${rule.action}`);
  return words;
}

function routeFault(route: string, guard: string, screen: Screen | undefined): string | null {
  if (!screen) return `${route}: the contract declares no such screen.`;
  const declared = [...guardOf(screen)].toSorted().join(' ');
  const specified = guard.split(' ').filter(Boolean).toSorted().join(' ');
  return declared === specified ? null : `${route}: it asks for "${declared}", not for "${specified}".`;
}

export async function routesPage(): Promise<Page> {
  const byPath = await screens();
  const shown = witnesses(ROUTES_SHOWN);
  const rows: string[][] = [];
  const faults: (string | null)[] = [];
  for (const [route, guard] of Object.entries(ROUTES)) {
    const screen = byPath.get(withoutNames(route));
    const witness = shown.get(route);
    const opened = new RegExp(`['\`]${route.replaceAll('$', '\\$').replace(/\{\w+\}/g, "[^/'`]+")}['\`?]`);
    faults.push(
      routeFault(route, guard, screen?.it),
      faultOf(route, witness, (source) => opened.test(source)),
    );
    rows.push([code(route), guard, code(screen?.file ?? ''), shownBy(witness)]);
  }
  faults.push(...strangers(shown, Object.keys(ROUTES)));
  return {
    title: 'Routes',
    intro:
      'Every address of the specification. D and R are the flags for dashboard-only and restricted read-only users; a route that asks for a permission, an addon or a setting names it. `apps/web/src/route-table.test.ts` compares each guard word by word.',
    head: ['route', 'open to, asks for', 'declared in', 'shown by'],
    rows,
    faults: faults.filter((fault) => fault !== null),
  };
}

function actionFault(
  name: string,
  wanted: (typeof ACTIONS)[string],
  action: SocketAction | undefined,
): string | null {
  if (!action) return `${name}: the contract has no such action.`;
  const fields = fieldsOf({ request: action.request });
  const lacking = wanted.takes.filter((field) => !fields.has(field));
  if (lacking.length > 0) return `${name}: its request has no ${lacking.join(', ')}.`;
  const timeoutS = (action.timeoutMs ?? SOCKET_TIMEOUT_MS) / 1000;
  if (wanted.timeoutS === null || wanted.timeoutS === timeoutS) return null;
  return `${name}: it ends after ${timeoutS} s, not ${wanted.timeoutS} s.`;
}

export async function socketsPage(): Promise<Page> {
  const [declaredActions, declaredEvents] = [await actions(), await events()];
  const shown = witnesses(SOCKETS_SHOWN);
  const rows: string[][] = [];
  const faults: (string | null)[] = [];
  const seen = (name: string) => (source: string) => source.includes(`'${name}'`);
  for (const [name, wanted] of Object.entries(ACTIONS)) {
    const action = declaredActions.get(name);
    faults.push(actionFault(name, wanted, action?.it), faultOf(name, shown.get(name), seen(name)));
    const time = wanted.timeoutS === null ? '' : `${wanted.timeoutS} s`;
    const place = code(action?.file ?? '');
    rows.push([
      'action',
      code(name),
      wanted.takes.map(code).join(', '),
      time,
      place,
      shownBy(shown.get(name)),
    ]);
  }
  for (const name of EVENTS) {
    const event = declaredEvents.get(name);
    if (!event) faults.push(`${name}: the contract has no such event.`);
    faults.push(faultOf(name, shown.get(name), seen(name)));
    rows.push(['event', code(name), '', '', code(event?.file ?? ''), shownBy(shown.get(name))]);
  }
  faults.push(...strangers(shown, [...Object.keys(ACTIONS), ...EVENTS]));
  return {
    title: 'Socket',
    intro: 'Every action and every event of the socket that the specification names.',
    head: ['kind', 'name', 'takes', 'ends after', 'declared in', 'shown by'],
    rows,
    faults: faults.filter((fault) => fault !== null),
  };
}

/** Whether a test file has a text: up to its first blank to fill in, or its key or its name. */
const hasText = (text: string, key: string) => (source: string) => {
  const start = text.split('{')[0]?.trimEnd() ?? text;
  return source.includes(start) || (!key.includes('/') && source.includes(`'${key}'`));
};

export function messagesPage(): Page {
  const texts = Texts.read();
  const shown = witnesses(MESSAGES_SHOWN);
  const rows: string[][] = [];
  const faults: (string | null)[] = [];
  for (const [area, messages] of Object.entries(MESSAGES))
    for (const [text, key] of Object.entries(messages)) {
      const witness = shown.get(text);
      faults.push(texts.faultOf(text, key), faultOf(text, witness, hasText(text, key)));
      rows.push([area, text, code(key), shownBy(witness)]);
    }
  faults.push(...strangers(shown, Object.values(MESSAGES).flatMap(Object.keys)));
  return {
    title: 'Messages',
    intro:
      'Every text that the specification gives word for word, with its key among the texts of the app, its name among errors and issues, or the file that says it. Texts by key and by name stand in German and Spanish too.',
    head: ['document, about', 'text', 'where', 'shown by'],
    rows,
    faults: faults.filter((fault) => fault !== null),
  };
}

function constantFault(name: string, { in: file, says }: Constant): string | null {
  const source = sourceOf(file);
  if (source === null) return `${name}: there is no ${file}.`;
  return source.includes(says) ? null : `${name}: ${file} does not say ${says}`;
}

export function constantsPage(): Page {
  const shown = witnesses(CONSTANTS_SHOWN);
  const rows: string[][] = [];
  const faults: (string | null)[] = [];
  for (const [area, constants] of Object.entries(CONSTANTS))
    for (const [name, constant] of Object.entries(constants)) {
      const witness = shown.get(name);
      faults.push(
        constantFault(name, constant),
        faultOf(name, witness, () => false),
      );
      const value = constant.instead ? `${constant.value}; ${constant.instead}` : constant.value;
      rows.push([area, name, value.replaceAll('|', '\\|'), code(constant.in), shownBy(witness)]);
    }
  faults.push(...strangers(shown, Object.values(CONSTANTS).flatMap(Object.keys)));
  return {
    title: 'Constants',
    intro:
      'Numbers, times, limits and lists of the specification, where each stands in the code, and what shows it.',
    head: ['document, about', 'what', 'value', 'in', 'shown by'],
    rows,
    faults: faults.filter((fault) => fault !== null),
  };
}

/** What a test claims to show, but neither document mentions. */
const strangers = (shown: Map<string, Witness>, items: readonly string[]): string[] =>
  [...shown.keys()].filter((item) => !items.includes(item)).map((item) => `${item}: in neither document.`);

/** By the name of their file below docs/map. */
export async function mapPages(): Promise<Record<string, Page>> {
  return {
    routes: await routesPage(),
    calls: await callsPage(),
    socket: await socketsPage(),
    messages: messagesPage(),
    constants: constantsPage(),
  };
}

export const faultsOf = (pages: Record<string, Page>): string[] =>
  Object.values(pages).flatMap(({ faults }) => faults);

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The files of the map with their texts. */
export function filesOf(pages: Record<string, Page>): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [name, { title, intro, head, rows }] of Object.entries(pages))
    files[`docs/map/${name}.md`] =
      `# ${title}\n\n${intro}\n\nMade by \`npm run docs:map\`. A test fails when one of them is not declared, or when the test that is named does not show it.\n\n${line(head)}\n${line(head.map(() => '---'))}\n${rows.map(line).join('\n')}\n`;
  const list = Object.entries(pages).map(([name, { title, rows }]) =>
    line([`[${title}](map/${name}.md)`, `${rows.length}`]),
  );
  files['docs/map.md'] =
    `# The map of the specification\n\nWhat the two documents of the specification name, thing by thing: where it is in the code, and the test that shows it.\nThe data of the map lies in \`scripts/map\`, the pages are made by \`npm run docs:map\`.\n\n| what | how many |\n| --- | --- |\n${list.join('\n')}\n`;
  return files;
}
