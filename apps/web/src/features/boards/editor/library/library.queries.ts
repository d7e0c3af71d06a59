import type { BoardItem } from '@albedo/contract/boards/board-items';
import { widgetLibraryApi } from '@albedo/contract/boards/widget-library.api';
import type { LibraryItem, LibraryWidget } from '@albedo/contract/boards/widget-library.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../app/call.ts';
import { followList } from '../../../../app/live-list.ts';
import { queryClient } from '../../../../app/query-client.ts';

followList('entity-dashboards', ['widget-library']);

const keyOf = (wg: string) => ['widget-library', wg] as const;

/** The widgets that dashboards share, by name. */
export const libraryQuery = (wg: string) =>
  queryOptions({
    queryKey: keyOf(wg),
    queryFn: async ({ signal }) =>
      (await call(widgetLibraryApi.list, { params: { wg } }, signal)) as unknown as LibraryWidget[],
    staleTime: 60_000,
  });

/** What a widget has in common with all that show the same one of the library. */
export const sharedOf = ({ kind, v, title, settings, variables }: BoardItem): LibraryItem => ({
  kind,
  ...(v !== undefined && { v }),
  ...(title !== undefined && { title }),
  ...(settings !== undefined && { settings }),
  ...(variables !== undefined && { variables }),
});

export async function keepInLibrary(wg: string, name: string, item: BoardItem): Promise<LibraryWidget> {
  const body = { name, item: sharedOf(item) as never };
  const kept = await call(widgetLibraryApi.create, { params: { wg }, body });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
  return kept as unknown as LibraryWidget;
}

/** Throws `library_widget.changed` where somebody else saved it since `version`. */
export async function changeInLibrary(
  wg: string,
  { _id, name, version }: Pick<LibraryWidget, '_id' | 'name' | 'version'>,
  item: BoardItem,
): Promise<LibraryWidget> {
  const body = { name, version, item: sharedOf(item) as never };
  const kept = await call(widgetLibraryApi.update, { params: { wg, widget: _id }, body });
  return kept as unknown as LibraryWidget;
}

export async function removeFromLibrary(wg: string, widget: string): Promise<void> {
  await call(widgetLibraryApi.remove, { params: { wg, widget } });
  await queryClient.invalidateQueries({ queryKey: keyOf(wg) });
}
