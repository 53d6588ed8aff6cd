import { expect, test } from '@jest/globals';
import { type Group, Turns } from './turns.js';

/** Users of so many places, each with the keys of its groups. Groups have room for everybody unless `places` says less. */
function aQueue(all: number, places: Record<string, number> = {}) {
  const turns = new Turns(all);
  const begun: string[] = [];
  const leaves = new Map<string, () => void>();
  const groups = (keys: string): Group[] => keys.split('/').map((key) => ({ key, places: places[key] ?? Infinity }));
  return {
    begun,
    enter: (name: string, keys: string) => {
      turns.enter(groups(keys), (leave) => {
        begun.push(name);
        leaves.set(name, leave);
      });
    },
    leave: (name: string) => leaves.get(name)!(),
    waiting: (key: string) => turns.waiting({ key, places: 1 }),
    /** Lets everybody leave in the order in which they began. */
    drain: () => {
      for (const name of begun) leaves.get(name)!();
    },
  };
}

test('groups take turns, however many users one of them has', () => {
  const { enter, begun, drain } = aQueue(1);
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name, 'a');
  for (const name of ['b1', 'b2']) enter(name, 'b');
  drain();
  expect(begun.slice(0, 2)).toEqual(['a1', 'b1']);
  expect(begun.slice(2, 4).toSorted()).toEqual(['a2', 'b2']);
  expect(begun.slice(4)).toEqual(['a3', 'a4']);
});

test('a user of an idle group waits for one user of each other group at most', () => {
  const { enter, begun, leave, drain } = aQueue(1);
  for (const group of ['a', 'b', 'c']) for (const user of [1, 2, 3]) enter(`${group}${user}`, group);
  for (let at = 0; at < 3; at++) leave(begun.at(-1)!);
  expect(
    begun
      .map(([group]) => group)
      .slice(0, 3)
      .toSorted(),
  ).toEqual(['a', 'b', 'c']);
  enter('new', 'd');
  drain();
  expect(begun.slice(4, 7)).toContain('new');
  expect(begun).toHaveLength(10);
});

test('a group that comes again and again does not keep the others waiting', () => {
  const { enter, begun, leave } = aQueue(1);
  enter('first', 'x');
  for (const name of ['a1', 'a2', 'a3']) enter(name, 'a');
  enter('b0', 'b');
  leave('first');
  for (let round = 1; begun.length < 8; round++) {
    const last = begun.at(-1)!;
    if (last.startsWith('b')) enter(`b${round}`, 'b');
    leave(last);
  }
  expect(begun.filter((name) => name.startsWith('a'))).toHaveLength(3);
});

test('new groups do not keep one that waits from its turn', () => {
  const { enter, begun, leave } = aQueue(1);
  enter('first', 'first');
  enter('waits', 'waits');
  for (let at = 0; at < 5; at++) {
    enter(`new ${at}`, `new ${at}`);
    leave(begun.at(-1)!);
  }
  expect(begun.slice(0, 2)).toEqual(['first', 'waits']);
});

test('the parts of a group take turns within the turn of the group', () => {
  const { enter, begun, drain } = aQueue(1);
  enter('first', 'x');
  for (const name of ['a1', 'a2']) enter(name, 'wide/a');
  for (const name of ['b1', 'b2']) enter(name, 'wide/b');
  for (const name of ['c1', 'c2']) enter(name, 'c');
  drain();
  const ofWide = begun.filter((name) => /^[ab]/.test(name)).map(([part]) => part);
  expect(ofWide.slice(0, 2).toSorted()).toEqual(['a', 'b']);
  expect(begun.slice(1, 5).filter((name) => name.startsWith('c'))).toHaveLength(2);
});

test('a group takes no more places than it has, and gives way to others', () => {
  const { enter, begun, leave, waiting } = aQueue(3, { a: 2 });
  for (const name of ['a1', 'a2', 'a3']) enter(name, 'a');
  enter('b1', 'b');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  expect([waiting('a'), waiting('b'), waiting('unknown')]).toEqual([1, 0, 0]);
  leave('b1');
  expect(begun).toHaveLength(3);
  leave('a1');
  expect(begun.at(-1)).toBe('a3');
});

test('a full part does not hide the other parts of its group', () => {
  const { enter, begun, leave } = aQueue(2, { a: 1 });
  enter('a1', 'wide/a');
  enter('x1', 'x');
  enter('a2', 'wide/a');
  enter('b1', 'wide/b');
  leave('x1');
  expect(begun).toEqual(['a1', 'x1', 'b1']);
});

test('a user who leaves twice frees one place', () => {
  const { enter, begun, leave } = aQueue(1);
  for (const name of ['a1', 'a2', 'a3']) enter(name, 'a');
  leave('a1');
  leave('a1');
  expect(begun).toEqual(['a1', 'a2']);
});

test('forgets groups that are idle', () => {
  const turns = new Turns(1);
  const { all } = turns as unknown as { all: { parts: Map<string, unknown> } };
  for (let at = 0; at < 1_000; at++) turns.enter([{ key: String(at), places: 1 }], (leave) => leave());
  expect(all.parts.size).toBeLessThan(3);
});
