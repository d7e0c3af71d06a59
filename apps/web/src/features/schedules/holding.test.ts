// @vitest-environment jsdom
import { t } from 'i18next';
import { expect, test } from 'vitest';
import '../../app/test-screen.tsx';
import { holdingOf, waitsFor } from './holding.ts';
import { followText, holdingText } from './holding-text.ts';
import {
  buildDeviceSchedule,
  buildInverter,
  buildSetpoint,
  entry,
  HOUR,
  SCHEDULE_ID,
} from './test-control.ts';

const NOW = Date.UTC(2026, 11, 1, 12);
const says = (setpoint: Parameters<typeof buildSetpoint>[0], more = {}) => {
  const schedules = [buildDeviceSchedule({ state: 'applied', ...more })];
  return holdingText(t, holdingOf(buildSetpoint(setpoint), schedules, NOW), 'Europe/Rome', NOW);
};
const current = { currentDeviceSchedule: SCHEDULE_ID };

test.each([
  ['Not limited', {}, {}],
  [
    'Limited to 60 % until 15:00',
    current,
    { entries: [entry(NOW - HOUR, '60%'), entry(NOW + 2 * HOUR, '')] },
  ],
  [
    'Limited to 60 % until Dec 2 13:00',
    current,
    { entries: [entry(NOW - HOUR, '60%')], until: new Date(NOW + 24 * HOUR).toISOString() },
  ],
  ['Limited to 60 % until it is released', current, { entries: [entry(NOW - HOUR, '60%')] }],
  ['Stopped until 14:00', current, { entries: [entry(NOW - HOUR, '0%'), entry(NOW + HOUR, '50%')] }],
  ['100 % until 14:00', current, { entries: [entry(NOW - HOUR, '100%'), entry(NOW + HOUR, '')] }],
  ['No setpoint until 14:00, then 60 %', current, { entries: [entry(NOW + HOUR, '60%')] }],
  ['Fixed at 70 % in the configuration of the plugin', { type: 'fixed', value: '70%' } as const, {}],
  // What was sent goes on while its schedule is a draft again, and that no longer says until when.
  [
    '60 % is active; its schedule has been changed since',
    { ...current, value: '60%' },
    { state: 'draft', entries: [entry(NOW - HOUR, '20%')] },
  ],
])('it says: %s', (sentence, setpoint, schedule) => {
  expect(says(setpoint, schedule)).toBe(sentence);
});

test('an inverter that nobody can test yet is not said to follow, nor not to', () => {
  const followOf = (...results: ('followed' | 'notFollowed' | 'notTestable')[]) => {
    const inverters = results.map((result, index) => buildInverter(index, result));
    const schedules = [
      buildDeviceSchedule({ state: 'applied', inverters, entries: [entry(NOW - HOUR, '60%')] }),
    ];
    return followText(t, holdingOf(buildSetpoint(current), schedules, NOW));
  };
  expect(followOf('notTestable', 'notTestable')).toBe('2 inverters, not testable yet');
  expect(followOf('followed', 'notFollowed')).toBe('1 of 2 inverters follow');
  expect(followOf('followed', 'notFollowed', 'notTestable')).toBe(
    '1 of 3 inverters follow, 1 not testable yet',
  );
});

test('nobody approves what they wrote, changed or asked for, nor what is too late', () => {
  const waiting = buildDeviceSchedule({
    ...{ state: 'pending', step: 'approval', author: 'a@x', editors: ['a@x', 'b@x'], askedBy: 'c@x' },
    approvableUntil: NOW + HOUR,
  });
  const who = (one: typeof waiting) => ['a@x', 'b@x', 'c@x', 'd@x'].filter((by) => waitsFor(one, by, NOW));
  expect(who(waiting)).toEqual(['d@x']);
  expect(who({ ...waiting, approvableUntil: NOW - 1 })).toEqual([]);
  expect(who({ ...waiting, step: 'sending' })).toEqual([]);
});
