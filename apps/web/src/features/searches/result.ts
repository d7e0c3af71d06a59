import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import type { SearchDraft } from './search-draft.ts';

/** What was asked for last. A change of the draft finds nothing new before somebody asks again. */
export interface Run {
  draft: SearchDraft & { table: string };
  /** Another one at each question. */
  number: number;
}

/** What every way of showing a result is given. */
export interface ResultProps {
  run: Run;
  draft: SearchDraft;
  info: TableInfo | undefined;
  onChange: (change: Partial<SearchDraft>) => void;
}
