import { expect, test } from 'vitest';
import { redo, startOf, stepOf, undo } from './history.ts';

test('every step can be undone and done again, and a new one forgets those that were undone', () => {
  let history = startOf({ names: ['a'] });
  history = stepOf(history, (draft) => void draft.names.push('b'));
  history = stepOf(history, (draft) => void draft.names.push('c'));
  history = undo(history);
  expect(history.present.names).toEqual(['a', 'b']);
  expect(redo(history).present.names).toEqual(['a', 'b', 'c']);
  history = undo(undo(history));
  expect(history.present.names).toEqual(['a']);
  history = stepOf(history, (draft) => void draft.names.push('d'));
  expect(redo(history).present.names).toEqual(['a', 'd']);
});

test('typing is one step, until somebody pauses', () => {
  let history = startOf({ title: '' });
  const type = (title: string, now: number) => {
    history = stepOf(
      history,
      (draft) => {
        draft.title = title;
      },
      { kind: 'title', now },
    );
  };
  type('S', 0);
  type('Si', 300);
  type('Sit', 5000);
  expect(undo(history).present.title).toBe('Si');
  expect(undo(undo(history)).present.title).toBe('');
});

test('what changes nothing is no step', () => {
  const history = startOf({ title: 'a' });
  expect(
    stepOf(history, (draft) => {
      draft.title = 'a';
    }).done,
  ).toEqual([]);
});
