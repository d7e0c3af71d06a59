import { z } from 'zod';
import { devicesIssues } from '../devices/devices.errors.ts';

/** An absolute path on the device. */
export const devicePath = z
  .string()
  .min(1)
  .max(4096)
  .startsWith('/', devicesIssues['issue.device_path'])
  .refine((path) => !path.includes('\0'), devicesIssues['issue.device_path_nul']);

export const fileEntry = z.object({
  name: z.string().min(1).max(255),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  size: z.number().int().min(0),
  /** Epoch ms. */
  changedAt: z.number(),
  /** Permission bits, such as 0o644. */
  mode: z.number().int().min(0).max(0o7777),
});
export type FileEntry = z.infer<typeof fileEntry>;

export const folderListing = z.object({
  path: devicePath,
  entries: z.array(fileEntry).max(2000),
  /** The folder has more. */
  isCut: z.boolean(),
});
export type FolderListing = z.infer<typeof folderListing>;
