import { z } from 'zod';

type Def = Record<string, unknown> & { type: string };
type Shape = Record<string, z.core.$ZodType>;

const made = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * The schema with every object in it, however deep, refusing what it does not declare: a key with a typo would otherwise be
 * left out, and what it was to narrow would be asked for whole. Loose objects and records stay open.
 */
export function strictly<T extends z.core.$ZodType>(schema: T): T {
  const known = made.get(schema);
  if (known) return known as T;
  const { def } = schema._zod as unknown as { def: Def };
  const next = strictDef(def);
  const strict = next === def ? schema : z.core.clone(schema, next as never, { parent: true });
  made.set(schema, strict);
  return strict as T;
}

function strictDef(def: Def): Def {
  switch (def.type) {
    case 'object':
      return {
        ...def,
        shape: strictShape(def.shape as Shape),
        ...(def.catchall ? {} : { catchall: z.never() }),
      };
    case 'array':
      return { ...def, element: strictly(def.element as z.core.$ZodType) };
    case 'record':
    case 'map':
      return { ...def, valueType: strictly(def.valueType as z.core.$ZodType) };
    case 'tuple':
      return { ...def, items: (def.items as z.core.$ZodType[]).map((one) => strictly(one)) };
    case 'union':
      return { ...def, options: (def.options as z.core.$ZodType[]).map((one) => strictly(one)) };
    case 'pipe':
      return {
        ...def,
        in: strictly(def.in as z.core.$ZodType),
        out: strictly(def.out as z.core.$ZodType),
      };
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return { ...def, innerType: strictly(def.innerType as z.core.$ZodType) };
    case 'lazy': {
      const { getter } = def as unknown as { getter: () => z.core.$ZodType };
      return { ...def, getter: () => strictly(getter()) };
    }
    default:
      return def;
  }
}

/** Parts are looked at when they are needed: an object may have itself among them. */
function strictShape(shape: Shape): Shape {
  const strict: Shape = {};
  for (const name of Object.keys(shape))
    Object.defineProperty(strict, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        const part = strictly(shape[name] as z.core.$ZodType);
        Object.defineProperty(strict, name, { enumerable: true, value: part });
        return part;
      },
    });
  return strict;
}
