import { expect, test } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { as, installFailure, lacksTool } from './plugins.failures.ts';

const refusal = (why: string, step?: string) => new AppError('device.unable', step ? { why, step } : { why });
const said = (error: unknown) => (error as Error).message;

test('a step of an installation has its sentence, and what is not the device is what it was', () => {
  expect(said(installFailure('stopping', refusal('a', 'stop'), true))).toBe(
    'Error while trying to stop the plugin: a',
  );
  expect(said(installFailure('starting', refusal('a', 'start'), true))).toBe(
    'Error while trying to start the plugin: a',
  );
  expect(said(installFailure('installing', refusal('a', 'ardpkg'), true))).toBe('Plugin upgrade failed: a');
  expect(said(installFailure('installing', refusal('a', 'ardpkg'), false))).toBe('Ardpkg error: a');
  expect(said(installFailure('installing', refusal('Unknown error', 'ardpkg'), true))).toBe(
    'Ardpkg error: Unknown error',
  );
  expect(said(installFailure('receiving', refusal('a', 'temporary'), false))).toBe(
    'Failed to create temporary directory: a',
  );
  const lost = new AppError('device.lost');
  expect(installFailure('installing', lost, true)).toBe(lost);
});

test('what a device was at goes before what it was asked, and an unknown step is none', () => {
  const rethrown = (error: unknown) => {
    try {
      return as('plugin.task_failed')(error);
    } catch (thrown) {
      return (thrown as AppError).error;
    }
  };
  expect(rethrown(refusal('a', 'find'))).toBe('plugin.activity_not_found');
  expect(rethrown(refusal('a', 'constructor'))).toBe('plugin.task_failed');
  expect(rethrown(refusal('a'))).toBe('plugin.task_failed');
  expect(rethrown(new AppError('device.offline'))).toBe('device.offline');
  expect(lacksTool(refusal('a', 'tool'))).toBe(true);
  expect(lacksTool(refusal('a'))).toBe(false);
});
