import { supportApi } from '@albedo/contract/support/support.api';
import type { StoredTicket, SupportTicket, TicketChange } from '@albedo/contract/support/support.schema';
import { queryOptions } from '@tanstack/react-query';
import { call, download, upload } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

followList('tickets', ['tickets']);

const KEY = ['tickets'] as const;

/** The support tickets, newest first; for the staff. */
export const ticketsQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => call(supportApi.list, {}, signal),
  refetchInterval: unlessTold(60_000),
});

/** Answers the number that people call the ticket by. */
export async function sendTicket(ticket: SupportTicket, files: readonly File[]): Promise<string> {
  return (await upload(supportApi.create, { body: ticket }, files)).taskId;
}

export async function changeTicket(ticket: string, change: TicketChange): Promise<void> {
  const changed = await call(supportApi.update, { params: { ticket }, body: change });
  queryClient.setQueryData<StoredTicket[]>(KEY, (old) =>
    old?.map((one) => (one._id === ticket ? changed : one)),
  );
}

export const downloadTicketFile = (ticket: string, file: string) =>
  download(supportApi.downloadFile, { params: { ticket, file } });
