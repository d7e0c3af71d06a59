import { expect, test } from 'vitest';
import { parseConfigFile } from './config-file.ts';
import { parseItem } from './item.ts';
import { itemValue, type Registers } from './item-value.ts';
import { parseCommand } from './mbpoll-command.ts';

const read = (text: string) => parseConfigFile(text, 'meter.csv');

test('commands in the syntax of mbpoll count from 1, or from 0 with -0', () => {
  expect(parseCommand('mbpoll -m {TCP_RTU} -p {PORT} -a 3 -t 3 -r 100 -c 20 -1 {ENDPOINT}')).toEqual({
    kind: 'input',
    unit: 3,
    address: 99,
    count: 20,
    firstNumber: 100,
    isLowWordFirst: false,
  });
  expect(parseCommand('mbpoll -0 -r 0 -c 4 {ENDPOINT} --translate 5000')).toMatchObject({
    kind: 'holding',
    unit: null,
    address: 0,
    firstNumber: 5000,
  });
  expect(parseCommand('mbpoll -t 4:float -r 7 -c 3 h')).toMatchObject({ count: 6, isLowWordFirst: true });
  expect(parseCommand('mbpoll -t 4:int -B -r 7 h')).toMatchObject({ count: 2, isLowWordFirst: false });
});

test.each([
  ['poll -r 1', 'begins with "mbpoll"'],
  ['mbpoll -r 0 h', '-r 0 needs -0'],
  ['mbpoll -t 9 h', '-t 9: the type is'],
  ['mbpoll -r 65000 -c 1000 h', 'leaves the address space'],
  ['mbpoll -Z h', 'no option "-Z"'],
  ['mbpoll -r 1 h 42', '"42": commands only read'],
  ['mbpoll -r 1,5 h', '-r 1,5: one whole number'],
])('the command %j is refused: %s', (text, message) => {
  expect(() => parseCommand(text)).toThrow(message);
});

test('a file gives its commands and items; comments and blank lines are nothing', () => {
  const { commands, items } = read(`# an energy meter
_cmd, mbpoll -m {TCP_RTU} -t 4 -r 1 -c 10 {ENDPOINT}

meter, main, AC Power, 1, 2, dec, W, 0.1, RO
meter, main, Mode, 3, 1, udec, ., , RO, 0:Off;1:On
meter, main, Setpoint, 4, 1, integer, %, 1+10, RW
`);
  expect(commands).toHaveLength(1);
  expect(items.map(({ column }) => column)).toEqual([
    { name: 'AC Power', type: 'decimal', units: 'W' },
    { name: 'Mode', type: 'keyword' },
    { name: 'Setpoint', type: 'integer', units: '%' },
  ]);
});

test('every fault of a file is reported with its line', () => {
  const faults = () =>
    read(`_cmd, mbpoll -r 1 -c 10 h
_cmd, mbpoll -t 3 -r 8 -c 4 h
meter, main, A, 10, 4, dec, W, , RO
meter, main, A, 1, 1, dec, W, , RO
meter, main, B, 1, 3, dec, W, , RO
meter, main, C, 1, 1, integer, W, 0.1, RO
meter, main, D, 1, 1, word, W, , RO
meter, main, E, 1, 1, dec, W, , WO
meter, main, F, 1, 1, dec, W, , RO, on
me.ter, main, G, 1, 1, dec
`);
  const message = (() => {
    try {
      faults();
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(message.split('\n').sort()).toEqual([
    'meter.csv, line 10: table: "me.ter" must be a name without a full stop',
    'meter.csv, line 2: registers 8-10 also come from line 1; set them apart with --translate',
    'meter.csv, line 3: A: no command gives register 12, 13',
    'meter.csv, line 4: A is already listed in line 3',
    'meter.csv, line 5: dec does not take 3 registers',
    'meter.csv, line 6: scale: an integer can only be multiplied by whole numbers, not 0.1',
    'meter.csv, line 7: type: "word" is none of dec, udec, integer, freal, bit, string, nor one of SunSpec such as uint16, int32, acc32',
    'meter.csv, line 8: "WO" is none of RO, RW, INV',
    'meter.csv, line 9: lookup table: "on" is not of the form 1:Running',
  ]);
});

test('commands that --translate sets apart do not overlap', () => {
  const text = (more: string) => `_cmd, mbpoll -t 4 -r 1 -c 10 h
_cmd, mbpoll -t 3 -r 1 -c 10 h ${more}
meter, main, A, 1, 1, dec
`;
  expect(() => read(text(''))).toThrow('registers 1-10');
  expect(read(text('--translate 1000')).commands[1]?.firstNumber).toBe(1001);
});

/** Value of an item line over registers that begin at number 1. */
function readValue(line: string, words: number[], isLowWordFirst = false) {
  const item = parseItem(
    line.split(',').map((cell) => cell.trim()),
    1,
  );
  const registers: Registers = new Map(words.map((value, index) => [index + 1, { value, isLowWordFirst }]));
  return itemValue(item, registers);
}

test.each([
  ['t,s,v,1,1,dec', [0xfffe], -2],
  ['t,s,v,1,1,udec', [0xfffe], 65_534],
  ['t,s,v,1,2,dec', [0xffff, 0xfffe], -2],
  ['t,s,v,1,2,udec', [1, 2], 65_538],
  ['t,s,v,1,4,udec', [0, 1, 0, 0], 4_294_967_296],
  ['t,s,v,1,4,udec', [0x20, 0, 0, 1], '9007199254740993'],
  ['t,s,v,1,4,dec', [0x8000, 0, 0, 1], '-9223372036854775807'],
  ['t,s,v,1,4,dec', [0xffff, 0xffff, 0xffff, 0xffff], -1],
  ['t,s,v,1,1,dec,V,0.1', [2313], 231.3],
  ['t,s,v,1,1,dec,°C,0.1-40', [615], 21.5],
  ['t,s,v,1,1,integer,%,1+10', [5], 15],
  ['t,s,v,1,2,freal,V', [0x4367, 0x4ccd], 231.3],
  ['t,s,v,1,4,freal,V', [0x4009, 0x21fb, 0x5444, 0x2d18], Math.PI],
  ['t,s,v,1,2,freal,V', [0x7fc0, 0], null],
  ['t,s,v,1,1,udec,.,,RO,0:Off;1:On', [1], 'On'],
  ['t,s,v,1,1,udec,.,,RO,0:Off;1:On', [7], '7'],
  ['t,s,v,1,1,bit,.,,RO,,,12', [1 << 12], true],
  ['t,s,v,1,1,bit,.,,RO,,,11', [1 << 12], false],
  ['t,s,v,1,2,string', [0x4162, 0x6300], 'Abc'],
  ['t,s,v,1,1,dec,W,10,RO,,2+3', [1, 2, 3], 60],
  ['t,s,v,1,1,dec,W,,RO,,2,3', [9, 8], 9],
  ['t,s,v,1,1,dec,W,,RO,,2,3', [9, 7], null],
  ['t,s,v,1,2,dec', [1], null],
  // What SunSpec has for "not measured" counts where there are units, and never where there is a name for it.
  ['t,s,v,1,1,udec,V,0.1', [0xffff], null],
  ['t,s,v,1,2,udec,kWh,0.1', [0xffff, 0xffff], null],
  ['t,s,v,1,4,udec,Wh', [0xffff, 0xffff, 0xffff, 0xffff], null],
  ['t,s,v,1,1,dec,°C,0.1', [0x8000], null],
  ['t,s,v,1,2,dec,W', [0x8000, 0], null],
  ['t,s,v,1,1,dec,W', [0xffff], -1],
  ['t,s,v,1,1,udec', [0xffff], 65_535],
  ['t,s,v,1,1,udec,.,,RO,65535:Off', [0xffff], 'Off'],
  ['t,s,v,1,1,uint16,%,,RO,65535:No limit', [0xffff], 'No limit'],
  ['t,s,v,1,1,udec,V,0.1,RO,,,,none', [0xffff], 6553.5],
  ['t,s,v,1,1,udec,W,10,RO,,2+3', [1, 0xffff, 3], null],
  // Types that name it, with and without units.
  ['t,s,v,1,,uint16', [0xffff], null],
  ['t,s,v,1,2,int32', [0x8000, 0], null],
  ['t,s,v,1,2,acc32,Wh', [0, 0], null],
  ['t,s,v,1,2,acc32,Wh', [0xffff, 0xffff], null],
  ['t,s,v,1,2,float32,V', [0x7fc0, 0], null],
  ['t,s,v,1,,enum16,,,RO,4:MPPT', [0xffff], null],
  ['t,s,v,1,,enum16,,,RO,4:MPPT', [4], 'MPPT'],
  // What the file says, as registers or as a number, before the scale.
  ['t,s,v,1,1,udec,V,0.1,RO,,,,0xFFFE;32768', [0xfffe], null],
  ['t,s,v,1,1,udec,V,0.1,RO,,,,0xFFFE;32768', [0x8000], null],
  ['t,s,v,1,1,dec,V,0.1,RO,,,,0xFFFE;32768', [0xfffe], null],
  ['t,s,v,1,1,dec,V,0.1,RO,,,,-9999', [0xd8f1], null],
  ['t,s,v,1,1,udec,V,0.1,RO,,,,0', [0], null],
  ['t,s,v,1,2,freal,V,,RO,,,,-999.9', [0xc479, 0xf99a], null],
  ['t,s,v,1,2,string,,,RO,,,,n/a', [0x4e2f, 0x4100], null],
  ['t,s,v,1,1,bit,.,,RO,,,3,0xFFFF', [0xffff], null],
])('%s over %j gives %j', (line, words, value) => {
  expect(readValue(line, words)).toBe(value);
});

test('a command that reads longs as mbpoll does has the lower half first', () => {
  expect(readValue('t,s,v,1,2,udec', [2, 1], true)).toBe(65_538);
  expect(readValue('t,s,v,1,2,int32', [0, 0x8000], true)).toBeNull();
});
