import { z } from 'zod';
import { issuesOf } from '../../http/issues.ts';
import { isPicture } from '../addresses.ts';
import { boardsIssues } from '../boards.errors.ts';
import { boardStream } from '../streams.schema.ts';
import { decimals, label, link, rowsOf, streams, thresholds, unit } from './parts.ts';
import { widgetSchema } from './widget-schema.ts';

const ownIssue = issuesOf(boardsIssues);

/** What a picture inside a board may take, characters of its address. */
const PICTURE = 400_000;

/** Words, as Markdown. */
export const textWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({ text: z.string().max(20_000).default('') }),
});

const picture = z
  .string()
  .max(PICTURE)
  .superRefine((given, context) => {
    if (!isPicture(given)) context.addIssue(ownIssue([], 'issue.picture', { max: String(PICTURE / 1000) }));
  })
  .default('');

/** Newest values where they belong on a picture; places in per cent of its width and height. */
export const imageWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    picture,
    alt: label.default(''),
    marks: z
      .array(
        z.strictObject({
          stream: boardStream,
          x: z.number().min(0).max(100).default(50),
          y: z.number().min(0).max(100).default(50),
          unit,
          decimals,
          thresholds,
        }),
      )
      .max(60)
      .default([]),
    link,
  }),
});
/** The newest ten values of a few streams, as they came. */
export const lastWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({ streams: streams(6), count: z.number().int().min(1).max(50).default(10), link }),
});
/** What a camera saw: last, over the range of the board, or around an event. */
export const photoWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    /** Device and source with a full stop between them. */
    camera: z.string().max(500).optional(),
    show: z.enum(['newest', 'ofRange', 'aroundEvent']).default('newest'),
    /** Time of the event; a variable may stand here. Empty: the one that the address names. */
    event: z.string().max(80).default(''),
    /** Before and after the event; from the specification 2, section 13. */
    minutes: z.number().min(1).max(1440).default(15),
    link,
  }),
});
/** A camera that can be moved: what it saw last, and what it can be told. */
export const cameraWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    /** Device and source with a full stop between them. */
    camera: z.string().max(500).optional(),
    link,
  }),
});
/** What a kept search finds. */
export const searchWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({ search: z.uuid().optional(), link }),
});
/** Saved commands of devices as buttons, or as one that runs them one after the other. */
export const commandsWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    commands: z.array(z.uuid()).max(20).default([]),
    order: z.enum(['single', 'stack']).default('single'),
    /** Whose devices commands of every device run on. */
    rows: rowsOf.default('self'),
    label: label.optional(),
    link,
  }),
});
/** Widgets that belong together: under one title, in tabs, or once for each child. */
export const groupWidget = widgetSchema({
  version: 1,
  settings: z.strictObject({
    look: z.enum(['plain', 'frame', 'tabs']).default('plain'),
    repeat: z.enum(['none', 'children', 'descendants', 'label']).default('none'),
    label: label.optional(),
    /** Columns in which the copies stand. */
    across: z.number().int().min(1).max(6).default(3),
  }),
  isGroup: true,
});
