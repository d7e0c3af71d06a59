import { deviceFilesApi, SLICE_BYTES } from '@albedo/contract/device-files/device-files.api';
import type { FolderListing } from '@albedo/contract/device-files/device-files.schema';
import { call, download, upload } from '../../app/call.ts';

interface At {
  wg: string;
  device: string;
}

/** People are asked to confirm that it is them before. */
export const listFolder = ({ wg, device }: At, path: string): Promise<FolderListing> =>
  call(deviceFilesApi.list, { params: { wg, device }, query: { path } });

/** Has the browser save a file of the device. */
export async function fetchFile({ wg, device }: At, path: string): Promise<void> {
  const { blob } = await download(deviceFilesApi.get, { params: { wg, device }, query: { path } });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = path.split('/').at(-1) ?? 'file';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Sends a file in slices; what was cut off before goes on from where it was. `progress` is told 0 to 1. */
export async function sendFile(
  { wg, device }: At,
  folder: string,
  file: File,
  progress: (fraction: number) => void,
): Promise<void> {
  const params = { wg, device };
  const path = `${folder === '/' ? '' : folder}/${file.name}`;
  const hash = hexOf(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  let { bytes: from } = await call(deviceFilesApi.part, { params, query: { path, hash } });
  for (let isComplete = false; !isComplete; ) {
    const slice = new File([file.slice(from, from + SLICE_BYTES)], file.name);
    const body = { path, hash, size: file.size, from };
    const sent = await upload(deviceFilesApi.sendPart, { params, body }, [slice]);
    isComplete = sent.isComplete;
    from = sent.bytes;
    progress(file.size === 0 ? 1 : from / file.size);
  }
}

const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
