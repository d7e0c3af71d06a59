import type { AddonId } from '@albedo/contract/access/addons';
import type { HistoryKind } from '@albedo/contract/history/history.schema';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Manager } from '../access/manager.ts';
import { AppError } from '../errors/app-error.ts';
import { issuesText } from '../errors/request-issues.ts';

/** Who changes things of any kind, and what exists for them. */
export interface Editor extends Caller {
  by: Manager;
  /** Throws `device.not_found` for a device that does not exist for the caller. */
  demandDevice(device: string): Promise<void>;
}

/** One thing as it is kept: `content` holds everything but its id. */
export interface Content<T = unknown> {
  id: string;
  content: T;
}

/** Ids of other things, and the names by which files call them. A name that stands for nothing is kept as it is. */
export interface Names {
  nameOf(kind: HistoryKind | 'device', id: string): string;
  /** Throws `request.invalid` at the path where nothing is called so. */
  idOf(kind: HistoryKind | 'device', name: string, path: string): string;
}

/**
 * A kind of thing that has versions and can be written as code. Each is announced once, by the feature that has it;
 * all else follows: versions and their differences, restoring, undoing bulk edits, export, plan and apply.
 */
// biome-ignore lint/suspicious/noExplicitAny: what one kind holds is its own affair.
export interface Kind<T = any> {
  name: HistoryKind;
  /** What the workgroup needs for it. */
  addon?: AddonId;
  /** Throws where the thing does not exist for the caller, or they may not do this with it. */
  demand(caller: Caller, id: string, action: 'view' | 'edit'): Promise<void>;
  /** Whether a thing is kept from the caller, by its id; null where they may know of all. */
  isHidden?(caller: Caller): Promise<((id: string) => boolean) | null>;
  /** All that exist for the caller. */
  all(caller: Caller): Promise<Content<T>[]>;
  /**
   * Saves things: those that are there as their newest version, others as new ones with these ids. Throws as each save of
   * the feature does; paths begin with what `placeOf` says of the place in the list.
   */
  put(editor: Editor, things: readonly Content<T>[], placeOf: (at: number) => string): Promise<void>;
  /** Throws as each deletion of the feature does. */
  remove(editor: Editor, ids: readonly string[]): Promise<void>;
  /** The content with what stands in lists by an id, so that what moved is no change. */
  byId?(content: T): object;
  code: {
    /** Under which word they stand in a file. */
    section: string;
    /** The stable name of one; the same for two only where the kind allows that. */
    keyOf(thing: Content<T>): string;
    /** One as it stands in a file, with the defaults filled in. */
    schema: z.ZodType;
    /** What one that is there already may be, where an earlier release accepted more than is accepted of new ones. */
    keptSchema?: z.ZodType;
    /** What stands in a file for one. */
    write(thing: Content<T>, names: Names): object;
    /** What a file says of one, once the schema has passed; `id` where the file itself says it. */
    read(spec: never, names: Names, path: string): { id?: string; content: T };
  };
}

/** Does what may refuse a value, and tells where that stands. */
export async function at<T>(place: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof AppError) || error.error !== 'request.invalid' || place === '') throw error;
    const issues = error.issues.map((one) => ({
      ...one,
      path: place + (one.path === '' ? '' : `.${one.path}`),
    }));
    throw new AppError('request.invalid', { what: issuesText(issues) }, issues);
  }
}
