import {
  CODE_FORMAT,
  type CodePlan,
  PLANNED_CHANGES,
  type PlannedThing,
} from '@albedo/contract/as-code/as-code.schema';
import type { HistoryKind, SavedChange } from '@albedo/contract/history/history.schema';
import { PRODUCT_NAME } from '@albedo/contract/product';
import type { Postgres } from '@albedo/postgres/postgres';
import { together } from '@albedo/postgres/together';
import type { Caller } from '../access/caller.ts';
import { invalid } from '../errors/request-issues.ts';
import {
  type Content,
  differenceOf,
  type Editor,
  type History,
  type Kind,
  type Names,
} from '../history/history.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { type Entry, entriesOf, withoutDefaults } from './code-file.ts';
import { readYaml, writeYaml } from './yaml.ts';

export interface AsCodeOptions {
  postgres: Pick<Postgres, 'db'>;
  history: Pick<History, 'kinds' | 'asOne' | 'changeNow'>;
  registry: Pick<DeviceRegistry, 'visible'>;
}

interface Wanted extends Content {
  path: string;
  isNew: boolean;
}

/** What has to be done with the things of one kind. */
interface Work {
  kind: Kind;
  put: Wanted[];
  remove: string[];
  planned: PlannedThing[];
  unchanged: number;
}

/** What exists of each kind. */
type Existing = ReadonlyMap<HistoryKind, readonly Content[]>;

/** A workgroup's things as a file of YAML, which they can be made of again. */
export class AsCode {
  readonly #options: AsCodeOptions;

  constructor(options: AsCodeOptions) {
    this.#options = options;
  }

  /** Things that the caller sees, by stable names, in an order that does not change. Throws `request.invalid`. */
  async export(caller: Caller, sections?: readonly string[]): Promise<string> {
    const kinds = this.#options.history.kinds(caller.workgroup);
    const unknown = sections?.find((one) => !kinds.some(({ code }) => code.section === one));
    const known = kinds.map(({ code }) => code.section).join(', ');
    if (unknown !== undefined) throw invalid('issue.code_section', { known }, 'kinds');
    const existing = await this.#existing(caller, kinds);
    const names = new KnownNames(kinds, existing, this.#devices(caller));
    const file: Record<string, unknown> = { format: CODE_FORMAT };
    for (const kind of kinds) {
      const { section, write, keyOf } = kind.code;
      if (sections && !sections.includes(section)) continue;
      const things = [...(existing.get(kind.name) ?? [])];
      const keys = new Map(things.map((one) => [one, keyOf(one)]));
      things.sort((a, b) => compare(keys.get(a) ?? '', keys.get(b) ?? ''));
      file[section] = things.map((one) => withoutDefaults(kind, write(one, names)));
    }
    return writeYaml(file, `${PRODUCT_NAME}, workgroup ${caller.workgroup}`);
  }

  /** What applying would change; it is tried whole, and nothing of it is kept. Throws as `apply` does. */
  async plan(editor: Editor, yaml: string, { prune }: { prune: boolean }): Promise<CodePlan> {
    const { postgres } = this.#options;
    return together(postgres, () => this.#apply(editor, yaml, prune), { isTrial: true });
  }

  /** Throws `request.invalid` with the place in the file, and what saving and deleting of each kind throw. */
  async apply(
    editor: Editor,
    yaml: string,
    { prune }: { prune: boolean },
  ): Promise<CodePlan & { change: SavedChange | null }> {
    const { postgres, history } = this.#options;
    return history.asOne(async () => {
      const plan = await together(postgres, () => this.#apply(editor, yaml, prune));
      return { ...plan, change: await history.changeNow(editor.workgroup) };
    });
  }

  async #apply(editor: Editor, yaml: string, prune: boolean): Promise<CodePlan> {
    const kinds = this.#options.history.kinds(editor.workgroup);
    const entries = entriesOf(readYaml(yaml), kinds);
    const existing = await this.#existing(editor, kinds);
    const names = new KnownNames(kinds, existing, this.#devices(editor));
    for (const kind of kinds) for (const { spec } of entries.get(kind.name) ?? []) names.expect(kind, spec);
    const work = kinds.flatMap((kind) => {
      const own = entries.get(kind.name);
      return own ? [workOf(kind, { own, has: existing.get(kind.name) ?? [], names, prune })] : [];
    });
    for (const { kind, put } of work)
      if (put.length > 0) await kind.put(editor, put, (at) => put[at]?.path ?? '');
    for (const { kind, remove } of work.toReversed())
      if (remove.length > 0) await kind.remove(editor, remove);
    return {
      things: work.flatMap(({ planned }) => planned),
      unchanged: work.reduce((sum, { unchanged }) => sum + unchanged, 0),
    };
  }

  async #existing(caller: Caller, kinds: readonly Kind[]): Promise<Existing> {
    const all = new Map<HistoryKind, readonly Content[]>();
    for (const kind of kinds) all.set(kind.name, await kind.all(caller));
    return all;
  }

  #devices({ workgroup, devices }: Caller): readonly { id: string; name: string }[] {
    return this.#options.registry.visible(workgroup, devices);
  }
}

interface Side {
  own: readonly Entry[];
  has: readonly Content[];
  names: KnownNames;
  prune: boolean;
}

function workOf(kind: Kind, { own, has, names, prune }: Side): Work {
  const { read, keyOf } = kind.code;
  const left = byKey(kind, has);
  const seen = new Set<string>();
  const work: Work = { kind, put: [], remove: [], planned: [], unchanged: 0 };
  // Of several with one name those that are the same belong together, before the others are paired in their order.
  const wanted = own.map(({ path, spec, refusal }) => {
    const { id = '', content } = read(spec as never, names, path);
    const key = keyOf({ id, content });
    if (kind.name !== 'dashboard' && seen.has(key)) throw invalid('issue.code_twice', { name: key }, path);
    seen.add(key);
    const same = left.get(key)?.find((one) => differenceOf(kind, one.content, content).length === 0);
    if (same) take(left, key, same);
    if (refusal && !same) throw refusal;
    return { path, id, content, key, same };
  });
  for (const { path, id, content, key, same } of wanted) {
    if (same) {
      work.unchanged++;
      continue;
    }
    const [before] = left.get(key) ?? [];
    if (before) take(left, key, before);
    const changes = before ? differenceOf(kind, before.content, content) : [];
    const thing = { id: before?.id ?? (id || names.newId(kind, key)), content, path, isNew: !before };
    work.put.push(thing);
    const told = { changes: changes.slice(0, PLANNED_CHANGES), count: changes.length };
    work.planned.push({ kind: kind.name, key, action: before ? 'update' : 'create', ...told });
  }
  if (!prune) return work;
  for (const [key, things] of left)
    for (const { id } of things) {
      work.remove.push(id);
      work.planned.push({ kind: kind.name, key, action: 'delete', changes: [], count: 0 });
    }
  return work;
}

function byKey(kind: Kind, things: readonly Content[]): Map<string, Content[]> {
  const all = new Map<string, Content[]>();
  for (const one of things) {
    const key = kind.code.keyOf(one);
    const same = all.get(key);
    if (same) same.push(one);
    else all.set(key, [one]);
  }
  return all;
}

function take(left: Map<string, Content[]>, key: string, thing: Content): void {
  const others = left.get(key)?.filter((one) => one !== thing) ?? [];
  if (others.length > 0) left.set(key, others);
  else left.delete(key);
}

/** How files call what has ids. Two with one name keep their ids. */
class KnownNames implements Names {
  readonly #names = new Map<string, Map<string, string>>();
  readonly #ids = new Map<string, Map<string, string | null>>();

  constructor(kinds: readonly Kind[], existing: Existing, devices: readonly { id: string; name: string }[]) {
    for (const { name: kind, code } of kinds)
      this.#add(
        kind,
        (existing.get(kind) ?? []).map((one) => ({ id: one.id, name: code.keyOf(one) })),
      );
    this.#add('device', devices);
  }

  #add(kind: string, things: readonly { id: string; name: string }[]): void {
    const ids = new Map<string, string | null>();
    for (const { id, name } of things) ids.set(name, ids.has(name) ? null : id);
    this.#ids.set(kind, ids);
    this.#names.set(kind, new Map(things.map(({ id, name }) => [id, name])));
  }

  /** Takes down that the file brings one, so that others of the file can name it. */
  expect({ name: kind, code }: Kind, spec: Record<string, unknown>): void {
    const name = typeof spec.name === 'string' ? spec.name : '';
    // Only these are named by others, and have a name that is all of their key.
    if (!['machine', 'calculation'].includes(kind) || code.section === '') return;
    const ids = this.#ids.get(kind);
    if (ids && !ids.has(name)) ids.set(name, crypto.randomUUID());
  }

  nameOf(kind: string, id: string): string {
    const name = this.#names.get(kind)?.get(id);
    return name !== undefined && this.#ids.get(kind)?.get(name) === id ? name : id;
  }

  idOf(kind: string, name: string, path: string): string {
    const id = this.#ids.get(kind)?.get(name);
    if (id) return id;
    // One that two have the name of, or that is gone: whoever saves it says whether it may be.
    if (this.#names.get(kind)?.has(name) || UUID.test(name)) return name;
    throw invalid('issue.code_name', { kind, name: name.slice(0, 80) }, path);
  }

  /** The id under which others of the file name a new one already. */
  newId({ name: kind }: Kind, key: string): string {
    return this.#ids.get(kind)?.get(key) ?? crypto.randomUUID();
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
