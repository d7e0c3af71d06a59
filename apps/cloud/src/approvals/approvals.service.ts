import {
  APPROVAL_LIMITS,
  type Approval,
  type ApprovalDecision,
  type ApprovalRule,
  type ApprovalWay,
} from '@albedo/contract/approvals/approvals.schema';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { Manager } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { StepUp } from '../step-up/step-up.service.ts';
import type { ApprovalOf, ApprovalsStore } from './approvals.store.ts';

export interface ApprovalsOptions {
  store: ApprovalsStore;
  audit: Audit;
  /** Each approval takes a confirmation of its own. Throws `session.not_fresh`. */
  stepUp: Pick<StepUp, 'takeConfirmation'>;
  tell: (workgroup: string, approval: Approval) => void;
  tellRule: (workgroup: string, rule: ApprovalRule) => void;
  /** Writes to those who may decide; nobody waits for it. */
  write: (workgroup: string, asked: Approval) => void;
}

/** Who does something about a device, from where. */
export interface ApprovalBy {
  workgroup: string;
  deviceId: string;
  session: SessionClaims;
  address: string;
}

/** What somebody wants to open. `target` says which tunnel. */
export interface Way {
  way: ApprovalWay;
  target: string | null;
}

/** Where the workgroup wants it, nobody reaches into a device before somebody else agreed: once, and soon. */
export class Approvals {
  readonly #options: ApprovalsOptions;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  rule(workgroup: string): Promise<ApprovalRule> {
    return this.#options.store.rule(workgroup);
  }

  /** Throws `approval.owners_only`. */
  async setRule(workgroup: string, isNeeded: boolean, by: Manager): Promise<ApprovalRule> {
    const { store, audit, tellRule } = this.#options;
    if (by.scope.role !== 'owner') throw new AppError('approval.owners_only');
    const rule = await store.setRule(workgroup, isNeeded, by.email);
    const entry = { workgroup, at: Date.now(), controller: 'remote_approval', entity: workgroup };
    const newValue = isNeeded ? 'needed' : 'not needed';
    audit.record({ ...entry, action: 'update', newValue, by: by.email, address: by.address });
    tellRule(workgroup, rule);
    return rule;
  }

  list(workgroup: string): Promise<Approval[]> {
    return this.#options.store.list(workgroup);
  }

  ofDevice(workgroup: string, deviceId: string): Promise<Approval[]> {
    return this.#options.store.ofDevice(workgroup, deviceId);
  }

  async ask(by: ApprovalBy, wanted: Way, reason: string): Promise<Approval> {
    const asked = await this.#options.store.ask({ ...ofBy(by, wanted), by: by.session.email, reason });
    await this.#record(by, asked, 'ask');
    this.#options.tell(by.workgroup, asked);
    if (await this.#isNeeded(by)) this.#options.write(by.workgroup, asked);
    return asked;
  }

  /** Throws `approval.not_found`, `approval.own`, `approval.over` and, of an approval, `session.not_fresh`. */
  async decide(by: ApprovalBy, id: string, decision: ApprovalDecision): Promise<Approval> {
    const { store, stepUp, tell } = this.#options;
    const { workgroup, deviceId, session } = by;
    const row = await store.find(workgroup, deviceId, id);
    if (!row) throw new AppError('approval.not_found');
    if (row.userId === session._id) throw new AppError('approval.own');
    if (row.decision !== null || row.expiresAt.getTime() <= Date.now()) throw new AppError('approval.over');
    if (decision === 'approved') await stepUp.takeConfirmation(session);
    const of = { workgroup, deviceId, userId: session._id };
    const decided = await store.decide(of, id, decision, session.email);
    if (!decided) throw new AppError('approval.over');
    await this.#record(by, decided, decision === 'approved' ? 'approve' : 'refuse');
    tell(workgroup, decided);
    return decided;
  }

  /** Throws `approval.not_found`, also for what somebody else asked for, and `approval.over`. */
  async withdraw(by: ApprovalBy, id: string): Promise<Approval> {
    const { store, tell } = this.#options;
    const { workgroup, deviceId, session } = by;
    const row = await store.find(workgroup, deviceId, id);
    if (row?.userId !== session._id) throw new AppError('approval.not_found');
    const withdrawn = await store.withdraw({ workgroup, deviceId, userId: session._id }, id);
    if (!withdrawn) throw new AppError('approval.over');
    await this.#record(by, withdrawn, 'withdraw');
    tell(workgroup, withdrawn);
    return withdrawn;
  }

  /** Asked before a confirmation is used up for it. Throws `approval.needed`. */
  async demand(by: ApprovalBy, wanted: Way): Promise<void> {
    const { store } = this.#options;
    if (!(await this.#isNeeded(by))) return;
    if (!(await store.isApproved(ofBy(by, wanted)))) throw new AppError('approval.needed');
  }

  /** Uses up the approval, for one session; it is in the audit log, durably, when this resolves. Throws `approval.needed`. */
  async take(by: ApprovalBy, wanted: Way): Promise<void> {
    const { store, tell } = this.#options;
    if (!(await this.#isNeeded(by))) return;
    const used = await store.use(ofBy(by, wanted));
    if (!used) throw new AppError('approval.needed');
    await this.#record(by, used, 'use');
    tell(by.workgroup, used);
  }

  /** Folders are looked through for a while with one approval. Throws `approval.needed`. */
  async takeFiles(by: ApprovalBy): Promise<void> {
    const files = { way: 'files', target: null } as const;
    if (!(await this.#isNeeded(by))) return;
    const since = new Date(Date.now() - APPROVAL_LIMITS.filesMs);
    if (!(await this.#options.store.wasUsed(ofBy(by, files), since))) await this.take(by, files);
  }

  async #isNeeded({ workgroup }: ApprovalBy): Promise<boolean> {
    return (await this.rule(workgroup)).isNeeded;
  }

  #record(
    { workgroup, deviceId, session, address }: ApprovalBy,
    { id, way, target, reason, by }: Approval,
    action: 'ask' | 'approve' | 'refuse' | 'withdraw' | 'use',
  ): Promise<void> {
    const { audit } = this.#options;
    const what = target === null ? way : `${way} ${target}`;
    return audit.settled(() =>
      audit.record({
        ...{ workgroup, device: deviceId, at: Date.now(), controller: 'remote_approval', entity: id, action },
        ...{ attribute: what, newValue: action === 'ask' ? reason : by, by: session.email, address },
      }),
    );
  }
}

const ofBy = ({ workgroup, deviceId, session }: ApprovalBy, { way, target }: Way): ApprovalOf => ({
  workgroup,
  deviceId,
  userId: session._id,
  way,
  target,
});
