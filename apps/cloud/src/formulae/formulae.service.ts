import type { Formula, NewFormula } from '@albedo/contract/formulae/formulae.schema';
import type { FormulaText } from '@albedo/contract/telemetry/telemetry.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { Manager } from '../access/manager.ts';
import { mayChange, maySee } from '../access/owned.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { TellList } from '../sockets/lists.ts';
import type { CheckedFormula, FormulaeStore, FormulaRow } from './formulae.store.ts';

export interface FormulaeOptions {
  store: FormulaeStore;
  audit: Audit;
  tell: TellList;
}

/** Who calls, and what exists for them. */
export interface FormulaCaller {
  workgroup: string;
  by: Manager;
  scope: DeviceScope;
  /** Throws `device.not_found` for a device that does not exist for the caller. */
  demandDevice(device: string): Promise<void>;
  /** Throws `table.not_found`, `table.field_unknown`, and `request.invalid` where names or units do not agree. */
  unitOf(formula: FormulaText): Promise<string>;
}

/** Expressions over streams. A formula of others that uses a device outside the caller's scope does not exist for them. */
export class Formulae {
  readonly #options: FormulaeOptions;

  constructor(options: FormulaeOptions) {
    this.#options = options;
  }

  async list({ workgroup, by, scope }: FormulaCaller): Promise<Formula[]> {
    const rows = await this.#options.store.list(workgroup, by.userId);
    return rows.filter((row) => isWithin(row, scope)).map((row) => formulaOf(row, by));
  }

  /** Throws `formula.too_many`, and `request.invalid` where names or units do not agree. */
  async create(caller: FormulaCaller, wanted: NewFormula): Promise<Formula> {
    const { store } = this.#options;
    const { workgroup, by } = caller;
    const { formulae: count } = WORKGROUP_LIMITS;
    if ((await store.count(workgroup)) >= count) throw new AppError('formula.too_many', { count });
    const row = await store.add(workgroup, by.userId, await checked(caller, wanted));
    this.#changed(row, by, { action: 'create', newValue: textOf(row) });
    return formulaOf(row, by);
  }

  /** Throws `formula.not_found`, `formula.of_another`, and `request.invalid`. */
  async update(caller: FormulaCaller, id: string, wanted: NewFormula): Promise<Formula> {
    const before = await this.#changeable(caller, id);
    const row = await this.#set(before, await checked(caller, wanted));
    this.#changed(row, caller.by, { action: 'update', oldValue: textOf(before), newValue: textOf(row) });
    return formulaOf(row, caller.by);
  }

  /** Throws `formula.not_found`, `formula.of_another`. */
  async remove(caller: FormulaCaller, id: string): Promise<void> {
    const row = await this.#changeable(caller, id);
    await this.#options.store.remove(caller.workgroup, id);
    this.#changed(row, caller.by, { action: 'delete', oldValue: textOf(row) });
  }

  /** Shares it with the workgroup, or keeps it for its owner again. Throws as `remove` does. */
  async share(caller: FormulaCaller, id: string, isShared: boolean): Promise<Formula> {
    const before = await this.#changeable(caller, id);
    if (before.isShared === isShared) return formulaOf(before, caller.by);
    const row = await this.#set(before, { isShared });
    const change = { oldValue: visibility(before), newValue: visibility(row) };
    this.#changed(row, caller.by, { action: 'share', ...change }, true);
    return formulaOf(row, caller.by);
  }

  async #set(
    { workgroup, id }: FormulaRow,
    change: CheckedFormula | Pick<FormulaRow, 'isShared'>,
  ): Promise<FormulaRow> {
    const row = await this.#options.store.set(workgroup, id, change);
    if (!row) throw new AppError('formula.not_found');
    return row;
  }

  async #changeable({ workgroup, by, scope }: FormulaCaller, id: string): Promise<FormulaRow> {
    const row = await this.#options.store.find(workgroup, id);
    if (!row || !maySee(row, by) || !isWithin(row, scope)) throw new AppError('formula.not_found');
    if (!mayChange(row, by)) throw new AppError('formula.of_another');
    return row;
  }

  /** Others hear of what is or was shared, and of nothing personal. */
  #changed(
    { workgroup, id, title, isShared }: FormulaRow,
    { email, address }: Manager,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
    wasShared = isShared,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'formula', entity: `${title} (${id})` };
    this.#options.audit.record({ ...entry, attribute: 'record', by: email, address, ...what });
    if (isShared || wasShared) this.#options.tell('formulae', workgroup);
  }
}

const isWithin = ({ inputs }: Pick<FormulaRow, 'inputs'>, scope: DeviceScope): boolean =>
  inputs.every(({ device, source }) => seesSource(scope, device, source));

/** Throws what the inputs or the expression get wrong, at its place. */
async function checked(caller: FormulaCaller, wanted: NewFormula): Promise<CheckedFormula> {
  for (const { device, source } of wanted.inputs) {
    await caller.demandDevice(device);
    if (!seesSource(caller.scope, device, source)) throw new AppError('device.not_found');
  }
  return { ...wanted, resultUnit: await caller.unitOf(wanted) };
}

const formulaOf = (row: FormulaRow, by: Manager): Formula => ({
  _id: row.id,
  title: row.title,
  expression: row.expression,
  unit: row.unit,
  resultUnit: row.resultUnit,
  inputs: row.inputs,
  ...(row.isShared ? { orgRef: row.workgroup } : {}),
  shareable: mayChange(row, by),
});

const textOf = ({ title, expression, unit, inputs }: FormulaRow): string =>
  JSON.stringify({ title, expression, unit, inputs });
const visibility = ({ isShared }: FormulaRow): string => (isShared ? 'shared' : 'private');
