import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccessAction } from '../access/resources.ts';
import { RESOURCE_ACTIONS } from '../access/resources.ts';
import type { RuleEffect } from './access-control.schema.ts';
import { newAccessRule, principalType, UNNAMED_PRINCIPALS } from './access-control.schema.ts';
import { evaluate, type Principal, type Resource, type RuleFacts } from './evaluate.ts';

const ids = fc.constantFrom('a', 'b');
const effects = fc.constantFrom<RuleEffect>('Allow', 'Deny');
const resources = fc.record({
  type: fc.constant('DeviceCommand' as const),
  id: fc.constantFrom('r1', 'r2', 'all'),
});
const actions = fc.constantFrom<AccessAction>(...RESOURCE_ACTIONS.DeviceCommand);
const rules: fc.Arbitrary<RuleFacts> = fc
  .record({
    resourceType: fc.constantFrom('DeviceCommand' as const, 'Dashboard' as const),
    resourceId: fc.constantFrom('r1', 'r2', 'all'),
    actions: fc.subarray<AccessAction>([...RESOURCE_ACTIONS.DeviceCommand], { minLength: 1 }),
    principalType: fc.constantFrom(...principalType.options),
    principalId: ids,
    effect: effects,
  })
  .map((rule) => (UNNAMED_PRINCIPALS.includes(rule.principalType) ? { ...rule, principalId: '-' } : rule));
const principals: fc.Arbitrary<Principal> = fc
  .record({
    kind: fc.constantFrom('user' as const, 'token' as const),
    id: ids,
    devGroup: fc.option(ids),
    roles: fc.subarray(['a', 'b']),
  })
  .map((one) => (one.kind === 'token' ? { ...one, roles: [] } : one));

const zoe: Principal = { kind: 'user', id: 'zoe', devGroup: null, roles: ['guests'] };
const all: Resource = { type: 'DeviceCommand', id: 'all' };
const restart: Resource = { type: 'DeviceCommand', id: 'restart' };
const rule = (facts: Partial<RuleFacts>): RuleFacts => ({
  resourceType: 'DeviceCommand',
  resourceId: 'all',
  actions: ['run'],
  principalType: 'Workgroup_Users',
  principalId: '-',
  effect: 'Allow',
  ...facts,
});
const may = (of: RuleFacts[], who = zoe, what = restart) => evaluate(of, who, what, 'run').isAllowed;

describe('the rules', () => {
  test('allow nothing where none matches', () => {
    expect(may([])).toBe(false);
    expect(may([rule({ actions: ['read'] })])).toBe(false);
    expect(may([rule({ resourceType: 'Dashboard', actions: ['view'] })])).toBe(false);
  });

  test('deny guests one command of those that everybody may run', () => {
    const guests = { principalType: 'Role', principalId: 'guests' } as const;
    const both = [rule({}), rule({ ...guests, resourceId: 'restart', effect: 'Deny' })];
    expect(may(both)).toBe(false);
    expect(may(both, zoe, { ...restart, id: 'another' })).toBe(true);
    expect(may(both, { ...zoe, roles: [] })).toBe(true);
  });

  test('weigh the principal before the resource', () => {
    const own = rule({ principalType: 'User', principalId: 'zoe' });
    expect(may([own, rule({ resourceId: 'restart', effect: 'Deny' })])).toBe(true);
  });

  test('tell users and tokens, groups and no group apart', () => {
    const token: Principal = { kind: 'token', id: 't', devGroup: null, roles: [] };
    expect(may([rule({})], token)).toBe(false);
    expect(may([rule({ principalType: 'Device_Group_API_Token_Workgroup_Users' })], token)).toBe(true);
    expect(may([rule({})], { ...zoe, devGroup: 'g' })).toBe(false);
    expect(may([rule({ principalType: 'Device_Group_Users' })], { ...zoe, devGroup: 'g' })).toBe(true);
    expect(may([rule({ principalType: 'Device_Group', principalId: 'g' })], { ...zoe, devGroup: 'g' })).toBe(
      true,
    );
    expect(may([rule({ principalType: 'User', principalId: 't' })], token)).toBe(false);
  });

  test('about one resource say nothing about all', () => {
    expect(may([rule({ resourceId: 'restart' })], zoe, all)).toBe(false);
  });

  test('that no screen can make allow nothing', () => {
    expect(may([rule({ resourceType: 'Dashboard' })])).toBe(false);
    expect(may([rule({ principalId: 'zoe' })])).toBe(false);
    const token: Principal = { kind: 'token', id: 't', devGroup: null, roles: ['guests'] };
    expect(may([rule({ principalType: 'Role', principalId: 'guests' })], token)).toBe(false);
  });
});

/** Everybody there is, each with the principals that a rule can name them by, the least specific first. */
const everybody: [string, Principal, [RuleFacts['principalType'], string][]][] = [
  [
    'a user of a group',
    { kind: 'user', id: 'a', devGroup: 'g', roles: ['r'] },
    [
      ['Device_Group_Users', '-'],
      ['Device_Group', 'g'],
      ['Role', 'r'],
      ['User', 'a'],
    ],
  ],
  [
    'a user of no group',
    { kind: 'user', id: 'a', devGroup: null, roles: ['r'] },
    [
      ['Workgroup_Users', '-'],
      ['Role', 'r'],
      ['User', 'a'],
    ],
  ],
  [
    'a token of a group',
    { kind: 'token', id: 'a', devGroup: 'g', roles: [] },
    [
      ['Device_Group_API_Token_Users', '-'],
      ['Device_Group_API_Token', 'g'],
      ['API_Token', 'a'],
    ],
  ],
  [
    'a token of no group',
    { kind: 'token', id: 'a', devGroup: null, roles: [] },
    [
      ['Device_Group_API_Token_Workgroup_Users', '-'],
      ['API_Token', 'a'],
    ],
  ],
];

describe.each(everybody)('for %s', (_who, principal, chain) => {
  const matching = chain.map(([type]) => type);

  test.each(principalType.options)('a rule about %s counts or does not', (type) => {
    const ids = UNNAMED_PRINCIPALS.includes(type) ? ['-'] : ['a', 'g', 'r', 'another'];
    const may = (principalId: string) =>
      evaluate([rule({ principalType: type, principalId })], principal, restart, 'run').isAllowed;
    const mine = chain.find(([one]) => one === type)?.[1];
    expect(ids.filter(may)).toEqual(mine === undefined ? [] : [mine]);
  });

  test('the more specific principal decides, whatever the resource and the effect', () => {
    expect(matching.length).toBeGreaterThan(1);
    for (const [at, [principalType, principalId]] of chain.entries())
      for (const [lessType, lessId] of chain.slice(0, at))
        for (const effect of ['Allow', 'Deny'] as const) {
          const more = rule({ principalType, principalId, effect });
          const less = rule({
            principalType: lessType,
            principalId: lessId,
            resourceId: 'restart',
            effect: effect === 'Allow' ? 'Deny' : 'Allow',
          });
          const verdict = evaluate([less, more], principal, restart, 'run');
          expect(verdict).toEqual({ isAllowed: effect === 'Allow', rules: [more, less] });
        }
  });
});

test('every type of principal is one of somebody', () => {
  const named = everybody.flatMap(([, , chain]) => chain.map(([type]) => type));
  expect(new Set(named)).toEqual(new Set(principalType.options));
});

describe('whatever the rules are', () => {
  const cases = [fc.array(rules, { maxLength: 12 }), principals, resources, actions] as const;

  test('their order does not matter', () => {
    fc.assert(
      fc.property(...cases, fc.infiniteStream(fc.nat()), (of, who, what, action, dice) => {
        const shuffled = of
          .map((one) => [dice.next().value as number, one] as const)
          .sort(([a], [b]) => a - b)
          .map(([, one]) => one);
        expect(evaluate(shuffled, who, what, action).isAllowed).toBe(
          evaluate(of, who, what, action).isAllowed,
        );
      }),
    );
  });

  test('one that names the user and the resource to deny has the last word', () => {
    fc.assert(
      fc.property(...cases, (of, who, what, action) => {
        const deny: RuleFacts = {
          resourceType: what.type,
          resourceId: what.id,
          actions: [action],
          principalType: who.kind === 'user' ? 'User' : 'API_Token',
          principalId: who.id,
          effect: 'Deny',
        };
        // Nothing is more specific than a rule about this one and everything, where everything is asked for.
        expect(evaluate([...of, deny], who, what, action).isAllowed).toBe(false);
      }),
    );
  });

  test('an allowance is never lost by another allowance, nor won by a denial', () => {
    fc.assert(
      fc.property(...cases, rules, (of, who, what, action, more) => {
        const before = evaluate(of, who, what, action).isAllowed;
        const after = evaluate([...of, more], who, what, action).isAllowed;
        if (before && more.effect === 'Allow') expect(after).toBe(true);
        if (!before && more.effect === 'Deny') expect(after).toBe(false);
      }),
    );
  });

  test('of two that differ by their effect alone the denial decides', () => {
    fc.assert(
      fc.property(rules, principals, resources, actions, effects, (one, who, what, action, first) => {
        const pair: RuleFacts[] = [
          { ...one, effect: first },
          { ...one, effect: first === 'Allow' ? 'Deny' : 'Allow' },
        ];
        expect(evaluate(pair, who, what, action).isAllowed).toBe(false);
      }),
    );
    const [allow, deny] = [rule({}), rule({ effect: 'Deny' })];
    expect([may([allow, deny]), may([deny, allow])]).toEqual([false, false]);
  });

  test('the first rule named decides, and no rule named is about something else', () => {
    fc.assert(
      fc.property(...cases, (of, who, what, action) => {
        const { isAllowed, rules: told } = evaluate(of, who, what, action);
        expect(isAllowed).toBe(told[0]?.effect === 'Allow');
        for (const one of told) expect(evaluate([one], who, what, action).rules).toEqual([one]);
        expect(told.length).toBe(
          of.filter((one) => evaluate([one], who, what, action).rules.length > 0).length,
        );
      }),
    );
  });
});

test.each([
  [{ actions: ['view'] }, 'has no action view'],
  [{ principalType: 'User' }, 'needs the ID of one'],
  [{ principalId: 'somebody' }, 'a single dash'],
  [{ resourceType: 'Dashboard', resourceId: 'x', actions: ['create'] }, 'for every resource'],
  [{ actions: [] }, 'at least one action'],
  [{ resourceId: 'Restart PLC' }, 'no spaces'],
  [{ resourceId: '../all' }, 'An ID has only letters'],
  [{ resourceType: 'Device' }, 'resourceType'],
])('a rule that makes no sense is refused: %o', (wrong, reason) => {
  expect(newAccessRule.safeParse({ ...rule({}), ...wrong }).error?.message).toContain(reason);
});

test('every resource is meant however it is written', () => {
  expect(newAccessRule.parse({ ...rule({}), resourceId: ' ALL ' }).resourceId).toBe('all');
});
