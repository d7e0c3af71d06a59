import { CONFIG_LISTS } from '@albedo/contract/device-config/scenarios.schema';
import { expectType } from '@albedo/contract/devices/meta.schema';
import type { TFunction } from 'i18next';
import type { Suggest } from '../../ui/code-editor/code-editor.tsx';
import { LISTS } from './config-text.ts';
import { ASKED } from './entry-values.ts';

/** Keys of a configuration besides its lists. */
const GLOBAL = ['mqtt', 'outbox', 'photos', 'machine', 'debug', 'remote'] as const;

/** What can stand at a place of a configuration: the lists, the keys of an entry, and the types of a value. */
export const suggestConfig =
  (t: TFunction): Suggest =>
  (text, at) => {
    const lineStart = text.lastIndexOf('\n', at - 1) + 1;
    const before = text.slice(lineStart, at);
    const value = /^[\s-]*expect:\s*(\w*)$/.exec(before);
    if (value)
      return {
        from: at - (value[1] ?? '').length,
        options: ['csv', ...expectType.options].map((label) => ({ label })),
      };
    const key = /^([\s-]*)(\w*)$/.exec(before);
    if (!key) return null;
    const from = at - (key[2] ?? '').length;
    if (key[1] === '') {
      return {
        from,
        options: [
          ...LISTS.map((label) => ({
            label,
            insert: `${label}:\n  - `,
            info: t(`deviceConfig.kinds.${label}`),
          })),
          ...GLOBAL.map((label) => ({
            label,
            insert: `${label}: `,
            info: t(`deviceConfig.globals.${label}`),
          })),
        ],
      };
    }
    const around = text
      .slice(0, lineStart)
      .match(/^\w+(?=:)/gm)
      ?.at(-1);
    const list = LISTS.find((one) => one === around);
    if (!list) return null;
    // `units` belongs into `meta`, as a form writes it.
    const known = Object.keys(CONFIG_LISTS[list].shape).filter((one) => one !== 'meta');
    const helped = new Set<string>(ASKED[list]);
    return {
      from,
      options: known.map((label) => ({
        label,
        insert: `${label}: `,
        ...(helped.has(label) ? { info: t(`deviceConfig.help.${label}`) } : {}),
      })),
    };
  };
