/** Loaded before a program: kills it before its rename number `KILLED_AT_RENAME`, as a cut of power would. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { rename } = fs.promises;
let left = Number(process.env.KILLED_AT_RENAME);
fs.promises.rename = (from, to) => {
  if (--left === 0) process.kill(process.pid, 'SIGKILL');
  return rename(from, to);
};
syncBuiltinESMExports();
