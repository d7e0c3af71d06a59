import { expect, test } from 'vitest';
import { prepareStatement } from './statement.ts';

const params = (values: Record<string, string>) => new Map(Object.entries(values));

test('a semicolon at the end is dropped, one inside a literal or a comment is kept', () => {
  expect(prepareStatement('SELECT 1 ; \n').sql.trim()).toBe('SELECT 1');
  const sql = `SELECT ';', "a;b", \`c;d\`, 'it''s;', '\\';' /* ; */ -- ; \n FROM t`;
  expect(prepareStatement(sql).sql).toBe(sql);
});

test.each([
  'SELECT 1; DROP TABLE t',
  "SELECT 1; 'x'",
  'SELECT 1;;SELECT 2',
  "SELECT '\\''; DROP TABLE t; --'",
  'SELECT 1 -- \n; DROP TABLE t',
])('several statements are refused: %s', (sql) => {
  expect(() => prepareStatement(sql)).toThrow('Multi-statements');
});

test('a query names no files', () => {
  expect(() => prepareStatement("SELECT 1 INTO OUTFILE '/tmp/x'")).toThrow('Files');
  expect(() => prepareStatement("INSERT INTO t FROM INFILE '/etc/passwd' FORMAT CSV")).toThrow('Files');
  expect(prepareStatement("SELECT 'into outfile'").verb).toBe('SELECT');
});

test('placeholders become literals, and only outside of literals', () => {
  const { sql } = prepareStatement(
    "SELECT {a:String}, '{a:String}', {n:Nullable(Float64)}",
    params({ a: "x\\'y\\n", n: '\\N' }),
  );
  expect(sql).toBe("SELECT _CAST('x\\'y\n', 'String'), '{a:String}', _CAST(NULL, 'Nullable(Float64)')");
});

test('the data of an INSERT is left as it is', () => {
  const sql = 'INSERT INTO t FORMAT JSONEachRow {"a":"; {x:String} \' outfile"}';
  expect(prepareStatement(sql)).toMatchObject({ sql, kind: 'insert', format: 'JSONEachRow' });
});

test.each([
  ['SELECT 1 FORMAT CSV', 'read', 'CSV'],
  [' -- hello\n /* x */ WITH 1 AS a SELECT a', 'read', null],
  ['(SELECT 1)', 'read', null],
  ['KILL QUERY WHERE 1', 'kill', null],
  ['CREATE TABLE t (format String) ENGINE = Memory', 'write', 'String'],
] as const)('%s', (sql, kind, format) => {
  expect(prepareStatement(sql)).toMatchObject({ kind, format });
});
