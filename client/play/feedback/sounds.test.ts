import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';

let played: { hertz: number; start: number }[];
let contexts: number;
const resume = jest.fn(async () => undefined);

beforeEach(() => {
  jest.resetModules();
  [played, contexts] = [[], 0];
  const connect = (next: unknown) => next;
  const gain = {
    setValueAtTime: () => gain,
    linearRampToValueAtTime: () => gain,
    exponentialRampToValueAtTime: () => gain,
  };
  Object.assign(globalThis, {
    AudioContext: class {
      readonly currentTime = 10;
      readonly destination = { connect };
      readonly resume = resume;
      constructor() {
        contexts++;
      }
    },
    GainNode: class {
      readonly gain = gain;
      readonly connect = connect;
    },
    OscillatorNode: class {
      readonly connect = connect;
      readonly stop = () => undefined;
      constructor(
        _context: unknown,
        private readonly options: { frequency: number },
      ) {}
      start(at: number) {
        played.push({ hertz: this.options.frequency, start: at });
      }
    },
  });
  Object.assign(navigator, { userActivation: { hasBeenActive: true } });
});

afterEach(() => {
  for (const name of ['AudioContext', 'GainNode', 'OscillatorNode']) Reflect.deleteProperty(globalThis, name);
  Reflect.deleteProperty(navigator, 'userActivation');
});

it('plays each event with its own notes, in one context', async () => {
  const { playSound } = await import('./sounds.js');
  const melodies = (['mark', 'answer', 'win', 'bonus', 'lose', 'draw'] as const).map((event) => {
    played = [];
    playSound(event);
    expect(played[0]?.start).toBe(10);
    return played.map(({ hertz }) => hertz).join(' ');
  });
  expect(new Set(melodies).size).toBe(6);
  expect(contexts).toBe(1);
  expect(resume).toHaveBeenCalledTimes(6);
});

it('is silent before a gesture, which browsers ask for', async () => {
  Object.assign(navigator, { userActivation: { hasBeenActive: false } });
  const { playSound } = await import('./sounds.js');
  playSound('win');
  expect([contexts, played]).toEqual([0, []]);
});
