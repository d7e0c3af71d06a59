import type { AddonId } from '@albedo/contract/access/addons';
import type { BoardItem } from '@albedo/contract/boards/board-items';
import type { SettingsOf, WidgetKind } from '@albedo/contract/boards/widgets/widgets';
import type { TablerIcon } from '@tabler/icons-react';
import type { ComponentType } from 'react';

export interface WidgetProps<S> {
  item: BoardItem;
  settings: S;
  title: string;
  /** Room for the content, px; what surrounds it in its card is not part of it. */
  width: number;
  height: number;
}

/** A field of the form of a widget, by the name of the setting. `when` hides it as long as it is false. */
export type FormField<S> = {
  name: keyof S & string;
  /** Key of what it is called, where its name means something else in other widgets. */
  label?: string;
  when?: (settings: S) => boolean;
  /** Offered only to workgroups that have it. */
  addon?: AddonId;
} & (
  | { kind: 'stream' }
  | { kind: 'streams'; most: number }
  | { kind: 'columns'; most: number }
  | { kind: 'marks'; most: number }
  | { kind: 'diagram' }
  | {
      kind:
        | 'number'
        | 'text'
        | 'lines'
        | 'flag'
        | 'range'
        | 'link'
        | 'thresholds'
        | 'picture'
        | 'search'
        | 'commands'
        | 'camera'
        | 'label'
        | 'kpi';
    }
  | { kind: 'choice'; options: readonly string[] }
);

/** Something that stands on a board. Its folder has this, its view, and what only it needs. */
export interface Widget<K extends WidgetKind = WidgetKind> {
  kind: K;
  Icon: TablerIcon;
  /** Where the list of widgets shows it. */
  group: 'figures' | 'time' | 'entities' | 'energy' | 'content';
  /** Offered only to workgroups that have it. */
  addon?: AddonId;
  /** Columns and rows of a new one. */
  size: { w: number; h: number };
  /** Draws its own title, as charts do. */
  hasOwnHead?: boolean;
  /** What it shows can be kept as a picture, and as a table where it says what that is (`useWidgetData`). */
  canSave?: boolean;
  /** Without a card around it. */
  isBare?: boolean;
  View: ComponentType<WidgetProps<SettingsOf<K>>>;
  form: readonly FormField<SettingsOf<K>>[];
  /** Settings of a new one. */
  initial: Record<string, unknown>;
}

/** Keeps the type of the settings. */
export const widget = <K extends WidgetKind>(of: Widget<K>): Widget => of as unknown as Widget;
