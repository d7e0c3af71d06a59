import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { energyApi } from '@albedo/contract/energy/energy.api';
import { type EnergyImportPlan, energyImportPlan } from '@albedo/contract/energy/energy.schema';
import type { Endpoint } from '@albedo/contract/http/endpoint';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import { signedIn } from '../access/signed-in.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid, issuesText, requestIssues } from '../errors/request-issues.ts';
import type { FileStore } from '../files/files.store.ts';
import { bind, type Call } from '../http/bind.ts';
import { type ReceivedFile, receiveForm } from '../http/receive-form.ts';
import type { Energy } from './energy.service.ts';
import type { MeterData } from './meter-data.service.ts';
import { reportCsv } from './report-csv.ts';

export function energyRoutes(
  app: FastifyInstance,
  { energy, meterData, files }: { energy: Energy; meterData: MeterData; files: FileStore },
): void {
  /** A file that is read at once, and kept nowhere. */
  const received = <E extends Endpoint, T>(
    call: Call<E>,
    use: (file: { name: string; bytes: Buffer }, plan: EnergyImportPlan) => Promise<T>,
  ): Promise<T> =>
    receiveForm(call, { store: files, prefix: 'energy-imports' }, async ({ fields, files: [file] }) => {
      if (!file) throw invalid('issue.no_file');
      try {
        const plan = readPlan((fields as unknown as { plan: string }).plan);
        return await use({ name: file.name, bytes: await bytesOf(files, file) }, plan);
      } finally {
        await files.remove(file.key);
      }
    });
  bind(
    app,
    energyApi,
    {
      report: async (call) => {
        const report = await energy.reports.report(callerOf(call), call.params.report, call.query);
        if (call.query.format === 'json') return report;
        const name = `${call.params.report}-${report.from}-${report.to}.csv`;
        call.reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${name}"`);
        return Readable.from([reportCsv(report, call.query.csvStyle)]);
      },
      days: (call) => energy.listDays(callerOf(call), call.query),
      review: (call) => energy.review(call.workgroup, call.body, managerOf(call)),
      recompute: (call) => energy.recompute(callerOf(call), call.body, managerOf(call)),
      config: (call) => energy.configs.shown(callerOf(call), call.params.config),
      configure: (call) => energy.configs.set(call.workgroup, call.params.config, call.body, managerOf(call)),
      previewConfig: (call) =>
        energy.preview(call.workgroup, call.params.config, call.body.value, call.signal),
      meterData: (call) => meterData.readings(callerOf(call), call.query),
      putMeterData: (call) => meterData.put(call.workgroup, call.body, managerOf(call)),
      budgetData: (call) => meterData.budgets(callerOf(call), call.query),
      putBudgetData: (call) => meterData.putBudgets(call.workgroup, call.body, managerOf(call)),
      imports: ({ workgroup }) => meterData.imports(workgroup),
      previewImport: (call) => received(call, (file, plan) => meterData.preview(call.workgroup, file, plan)),
      import: (call) =>
        received(call, (file, plan) => meterData.import(call.workgroup, file, plan, managerOf(call))),
      undoImport: (call) => meterData.undo(call.workgroup, call.params.energyImport, managerOf(call)),
      selections: (call) => energy.selections(call.workgroup, signedIn(call)._id),
      select: (call) =>
        energy.select(call.workgroup, signedIn(call)._id, call.params.report, call.body.search),
    },
    { trusted: ['days', 'meterData'] },
  );
}

function readPlan(text: string): EnergyImportPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('issue.json', {}, 'plan');
  }
  const read = energyImportPlan.safeParse(value);
  if (read.success) return read.data;
  const issues = requestIssues(read.error.issues).map((one) => ({ ...one, path: `plan.${one.path}` }));
  throw new AppError('request.invalid', { what: issuesText(issues) }, issues);
}

async function bytesOf(files: FileStore, file: ReceivedFile): Promise<Buffer> {
  const bytes = await files.get(file.key);
  if (!bytes) throw invalid('issue.no_file');
  return buffer(bytes);
}
