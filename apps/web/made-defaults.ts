import { WIDGET_DEFAULTS } from '@albedo/contract/boards/widgets/widget-defaults';
import type { Plugin } from 'vite';

const DEFAULTS = /packages\/contract\/src\/boards\/widgets\/widget-defaults\.ts$/;

/** Puts the defaults of widgets into the build as they are, without the schemas that say them. */
export function madeDefaults(): Plugin {
  return {
    name: 'albedo-made-defaults',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: DEFAULTS },
      handler: () => ({
        code: `export const WIDGET_DEFAULTS = ${JSON.stringify(WIDGET_DEFAULTS)};`,
        moduleSideEffects: false,
      }),
    },
  };
}
