import { discoveryApi } from '@albedo/contract/discovery/discovery.api';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

export const networkQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: ['device-network', wg, device],
    queryFn: ({ signal }) => call(discoveryApi.interfaces, { params: { wg, device } }, signal),
    retry: false,
  });

export const fetchOpenServices = (wg: string, device: string) =>
  call(discoveryApi.openServices, { params: { wg, device } });

const scanKey = (wg: string, device: string, kind: string) => ['device-scan', wg, device, kind] as const;

export const portsQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: scanKey(wg, device, 'ports'),
    queryFn: ({ signal }) => call(discoveryApi.ports, { params: { wg, device } }, signal),
  });

export const neighboursQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: scanKey(wg, device, 'arp'),
    queryFn: ({ signal }) => call(discoveryApi.neighbours, { params: { wg, device } }, signal),
  });

export const modbusQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: scanKey(wg, device, 'modbus'),
    queryFn: ({ signal }) => call(discoveryApi.modbus, { params: { wg, device } }, signal),
  });

/** What has just been scanned is asked for again. */
export const scansChanged = (wg: string, device: string) =>
  queryClient.invalidateQueries({ queryKey: ['device-scan', wg, device] });

async function begin(scan: Promise<LongAction>): Promise<string> {
  const { id } = await scan;
  await queryClient.invalidateQueries({ queryKey: ['long-actions'] });
  return id;
}

export const scanPorts = (wg: string, device: string, body: { targets: string; ports: string }) =>
  begin(call(discoveryApi.scanPorts, { params: { wg, device }, body }));

export const scanNeighbours = (wg: string, device: string, body: { targets: string }) =>
  begin(call(discoveryApi.scanNeighbours, { params: { wg, device }, body }));

export const scanModbus = (
  wg: string,
  device: string,
  body: { targets: string; port: number; units: string },
) => begin(call(discoveryApi.scanModbus, { params: { wg, device }, body }));
