import type { Plugin } from 'vite';

/** Where the validation library's schemas say how they read as JSON schemas, which only servers ask. */
const SCHEMAS = /node_modules\/zod\/v4\/classic\/schemas\.js$/;
const WAYS = [
  /processors\.\w+Processor\(inst, ctx, json, params\)/g,
  /createStandardJSONSchemaMethod\(this, "\w+"\)/g,
  /createToJSONSchemaMethod\(this, \{\}\)\(params\)/g,
];

/** Leaves the way from a schema to a JSON schema out of the app: a fifth of the validation library. */
export function withoutJsonSchema(): Plugin {
  return {
    name: 'albedo-without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: SCHEMAS },
      handler(code) {
        for (const way of WAYS)
          if (code.search(way) < 0) this.error(`The validation library no longer has ${way.source}.`);
        return { code: WAYS.reduce((text, way) => text.replace(way, 'undefined'), code), map: null };
      },
    },
  };
}
