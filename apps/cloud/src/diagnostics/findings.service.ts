import { type Access, isBound } from '@albedo/contract/access/access';
import { scopeIn } from '@albedo/contract/access/permissions';
import { FINDING_KINDS } from '@albedo/contract/diagnostics/diagnostics.names';
import type { Findings as Answer, Finding } from '@albedo/contract/diagnostics/diagnostics.schema';
import type { Logger } from 'pino';
import type { Caller } from '../access/caller.ts';
import { mayRead } from '../access/check.ts';
import type { Guard } from '../access/guard.ts';
import type { FindingSource } from '../house/finding.ts';

/** Collects the findings of all features in a workgroup. */
export class Findings {
  readonly #sources: () => readonly FindingSource[];
  readonly #log: Logger;
  readonly #now: () => number;

  constructor(of: { sources: () => readonly FindingSource[]; log: Logger; now: () => number }) {
    this.#sources = of.sources;
    this.#log = of.log;
    this.#now = of.now;
  }

  /** In the order of their kinds. A source that fails is listed in `unknown` and does not hold up the others. */
  async of(guard: Guard, caller: Caller): Promise<Answer> {
    const { workgroup, devices: scope } = caller;
    const sources = this.#sources().filter(({ access }) => mayKnow(guard, access, caller));
    const unknown = new Set<string>();
    const look = async ({ kind, find }: FindingSource): Promise<Finding[]> => {
      try {
        const finding = await find({ workgroup, scope, now: this.#now() });
        return finding ? [{ kind, ...finding }] : [];
      } catch (err) {
        this.#log.error({ err, kind }, 'a finding could not be looked for');
        unknown.add(kind);
        return [];
      }
    };
    const all = (await Promise.all(sources.map(look))).flat();
    const place = ({ kind }: Pick<Finding, 'kind'>) => FINDING_KINDS.indexOf(kind);
    const looked = sources.map(({ kind }) => kind);
    return {
      findings: all.sort((a, b) => place(a) - place(b)),
      looked: FINDING_KINDS.filter((kind) => looked.includes(kind)),
      unknown: FINDING_KINDS.filter((kind) => unknown.has(kind)),
    };
  }
}

function mayKnow(guard: Guard, access: Access, { session, workgroup }: Caller): boolean {
  if (access.unbound && isBound(scopeIn(session, workgroup))) return false;
  return mayRead(guard, access, session, workgroup);
}
