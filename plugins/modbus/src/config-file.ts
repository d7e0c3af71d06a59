import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { readConfigLines } from '@albedo/plugin-kit/fields/config-lines';
import { type Item, parseItem, registersOf } from './item.ts';
import { parseCommand, type ReadCommand } from './mbpoll-command.ts';

export interface ConfigFile {
  commands: ReadCommand[];
  items: Item[];
}

/**
 * Reads a configuration: `_cmd` lines that say what to fetch, and one line for each variable.
 *
 * Throws one `InputError` that names every fault with its line: what cannot be read, two commands that give the same
 * register, items whose registers no command gives, and two items of one name.
 */
export function parseConfigFile(text: string, file: string): ConfigFile {
  const commands: (ReadCommand & { line: number })[] = [];
  const items: Item[] = [];
  const faults: string[] = [];
  const fault = (line: number, message: string) => faults.push(`${file}, line ${line}: ${message}`);
  for (const { cells, line } of readConfigLines(text, file)) {
    try {
      if (cells[0] === '_cmd') commands.push({ ...parseCommand(cells.slice(1).join(',')), line });
      else items.push(parseItem(cells, line));
    } catch (error) {
      fault(line, messageOf(error));
    }
  }
  checkCommands(commands, fault);
  checkItems(items, commands, fault);
  if (faults.length === 0 && items.length === 0) faults.push(`${file}: no variable is listed`);
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return { commands, items };
}

type Fault = (line: number, message: string) => void;

function checkCommands(commands: (ReadCommand & { line: number })[], fault: Fault): void {
  for (const [index, command] of commands.entries()) {
    for (const other of commands.slice(0, index)) {
      const from = Math.max(command.firstNumber, other.firstNumber);
      const to = Math.min(command.firstNumber + command.count, other.firstNumber + other.count) - 1;
      if (from <= to) {
        const which = from === to ? `register ${from}` : `registers ${from}-${to}`;
        fault(command.line, `${which} also come from line ${other.line}; set them apart with --translate`);
      }
    }
  }
}

function checkItems(items: Item[], commands: ReadCommand[], fault: Fault): void {
  const names = new Map<string, number>();
  for (const item of items) {
    const missing = registersOf(item).filter(
      (number) => !commands.some((one) => number >= one.firstNumber && number < one.firstNumber + one.count),
    );
    if (missing.length > 0)
      fault(item.line, `${item.column.name}: no command gives register ${missing.join(', ')}`);
    if (item.isIgnored) continue;
    const name = [item.table, item.source, item.column.name].join('\n');
    const earlier = names.get(name);
    if (earlier !== undefined) fault(item.line, `${item.column.name} is already listed in line ${earlier}`);
    else names.set(name, item.line);
  }
}
