import { approvalsApi } from '@albedo/contract/approvals/approvals.api';
import type { Approval, ApprovalDecision, ApprovalRule } from '@albedo/contract/approvals/approvals.schema';
import { deviceFilesApi } from '@albedo/contract/device-files/device-files.api';
import { shellsApi } from '@albedo/contract/shells/shells.api';
import { tunnelTarget } from '@albedo/contract/tunnels/target';
import { tunnelsApi } from '@albedo/contract/tunnels/tunnels.api';
import type { NewTunnel } from '@albedo/contract/tunnels/tunnels.schema';
import { queryOptions } from '@tanstack/react-query';
import { call, type RefusedCall } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

const keys = {
  all: ['approvals'] as const,
  list: (wg: string) => ['approvals', wg] as const,
  ofDevice: (wg: string, device: string) => ['approvals', wg, device] as const,
  rule: (wg: string) => ['approval-rule', wg] as const,
};

export const approvalsQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.list(wg),
    queryFn: ({ signal }) => call(approvalsApi.list, { params: { wg } }, signal),
  });

export const deviceApprovalsQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: keys.ofDevice(wg, device),
    queryFn: ({ signal }) => call(approvalsApi.ofDevice, { params: { wg, device } }, signal),
  });

/** Whether a second person has to agree before somebody reaches into a device. */
export const approvalRuleQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.rule(wg),
    queryFn: ({ signal }) => call(approvalsApi.rule, { params: { wg } }, signal),
  });

export const tookRule = (wg: string, rule: ApprovalRule) =>
  void queryClient.setQueryData(keys.rule(wg), rule);

/** Owners are asked to confirm that it is them before. */
export async function setRule(wg: string, isNeeded: boolean): Promise<void> {
  tookRule(wg, await call(approvalsApi.setRule, { params: { wg }, body: { isNeeded } }));
}

/** Shows a request as it is now, wherever requests are shown. */
export function tookApproval(wg: string, changed: Approval): void {
  const put = (all: Approval[] | undefined) =>
    all && [changed, ...all.filter(({ id }) => id !== changed.id)].sort((a, b) => b.askedAt - a.askedAt);
  queryClient.setQueryData(keys.list(wg), put);
  queryClient.setQueryData(keys.ofDevice(wg, changed.deviceId), put);
}

export const approvalsMissed = () => queryClient.invalidateQueries({ queryKey: keys.all });

/** To approve, people are asked to confirm that it is them before. */
export async function decide(
  wg: string,
  { id, deviceId }: Approval,
  decision: ApprovalDecision,
): Promise<void> {
  const params = { wg, device: deviceId, approval: id };
  tookApproval(wg, await call(approvalsApi.decide, { params, body: { decision } }));
}

export async function withdraw(wg: string, { id, deviceId }: Approval): Promise<void> {
  tookApproval(wg, await call(approvalsApi.withdraw, { params: { wg, device: deviceId, approval: id } }));
}

/** What somebody wanted to open and may not without an approval. */
export interface Wanted {
  wg: string;
  device: string;
  way: Approval['way'];
  target: string | null;
  /** Asks for the approval of exactly that. */
  ask: (reason: string) => Promise<void>;
}

/** Null for a call that opens nothing. */
export function wantedBy({ endpoint, input }: RefusedCall): Wanted | null {
  const params = input.params as { wg: string; device: string };
  const { wg } = params;
  const took = async (asked: Promise<Approval>) => tookApproval(wg, await asked);
  switch (endpoint.url) {
    case shellsApi.open.url:
      return {
        ...{ ...params, way: 'shell', target: null },
        ask: (reason) => took(call(approvalsApi.askShell, { params, body: { reason } })),
      };
    case tunnelsApi.open.url: {
      const tunnel = input.body as NewTunnel;
      return {
        ...{ ...params, way: 'tunnel', target: tunnelTarget(tunnel) },
        ask: (reason) => took(call(approvalsApi.askTunnel, { params, body: { ...tunnel, reason } })),
      };
    }
    case deviceFilesApi.list.url:
      return {
        ...{ ...params, way: 'files', target: null },
        ask: (reason) => took(call(approvalsApi.askFiles, { params, body: { reason } })),
      };
    default:
      return null;
  }
}
