/**
 * Loaded before a program, so that its clock is wrong by what the file FAULT_CLOCK says, ms; the clock jumps when the file
 * changes. What measures time without a clock on the wall stays right, as on a real machine.
 */
import { readFileSync } from 'node:fs';

const file = process.env.FAULT_CLOCK;
const RealDate = Date;
let offset = 0;

function look() {
  try {
    offset = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offset = 0;
  }
}

if (file) {
  look();
  setInterval(look, 200).unref();
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now() + offset);
      else super(...args);
    }

    static now() {
      return RealDate.now() + offset;
    }
  };
}
