/**
 * Reads an OpenAPI document from stdin and makes the types of a client of it, as users of the API would. Fails when the
 * generator refuses the document, or when TypeScript refuses what it made; prints how many paths the client has.
 */
import { json } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const document = (await json(process.stdin)) as { openapi: string; paths: object };
const types = astToString(await openapiTS(document as never, { silent: true }));
const NAME = 'client.ts';
/** All that the types need of a library; the whole of one would take seconds to read. */
const LIBRARY = 'type Record<K extends keyof any, T> = { [P in K]: T };';
const source = ts.createSourceFile(NAME, `${types}\n${LIBRARY}`, ts.ScriptTarget.ES2022, true);
const host: ts.CompilerHost = {
  ...ts.createCompilerHost({}),
  getSourceFile: (name) => (name === NAME ? source : undefined),
  writeFile: () => {},
};
const program = ts.createProgram([NAME], { noLib: true, noEmit: true, strict: true, types: [] }, host);
const faults = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
for (const { messageText } of faults) console.error(ts.flattenDiagnosticMessageText(messageText, '\n'));
if (faults.length > 0) process.exit(1);
console.log(Object.keys(document.paths).filter((path) => types.includes(JSON.stringify(path))).length);
