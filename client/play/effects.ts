/** What only makes a move or a result seen, heard and felt: a chunk of its own, which the first mark loads. */
import type { Result } from '../../game/rules.js';
import './effects.css';

/** What the player can see, hear or feel: a mark of either side, a result, or the bonus of the third win in a row. */
export type FeedbackEvent = 'mark' | 'answer' | Result | 'bonus';

/** Milliseconds of vibration and pause in turn. */
const PATTERNS: Readonly<Record<FeedbackEvent, readonly number[]>> = {
  mark: [10],
  answer: [],
  win: [30, 60, 50],
  bonus: [30, 50, 30, 50, 120],
  lose: [90],
  draw: [30, 90, 30],
};

export function vibrate(event: FeedbackEvent): void {
  navigator.vibrate?.([...PATTERNS[event]]);
}

/** The speed is relative to the side of the board, for each second. */
const SIZES = {
  win: { parts: 16, speed: 0.7, seconds: 0.8 },
  bonus: { parts: 64, speed: 1.5, seconds: 1.5 },
};

/** The winning line is drawn meanwhile, and the parts leave it where the stroke arrives. */
const STROKE_MS = { delay: 320, duration: 260 };
const GRAVITY = 1.5;
/** The share of its speed that a part keeps after a second. */
const DRAG = 0.12;
const FRAMES = 12;
const SHAPES = ['dot', 'ring', 'bar'];

/** Lets coloured parts fly from the winning line on the card: many for the bonus, a few for a win. */
export function burst(card: HTMLElement, of: 'win' | 'bonus'): void {
  // After the frame that shows the move.
  setTimeout(() => fly(card, SIZES[of]), STROKE_MS.delay);
}

function fly(card: HTMLElement, { parts, speed, seconds }: (typeof SIZES)['win']): void {
  const centres = [...card.querySelectorAll('[data-won="true"]')].map((square) => {
    const { left, top, width, height } = square.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, side: width * 3 };
  });
  const [from, to] = [centres[0], centres.at(-1)];
  // A new game can have begun.
  if (!from || !to) return;

  const sky = document.createElement('div');
  sky.className = 'burst';
  sky.ariaHidden = 'true';
  document.body.append(sky);
  const along = Math.atan2(to.y - from.y, to.x - from.x);
  for (let at = 0; at < parts; at++) {
    const place = (at + Math.random()) / parts;
    const part = document.createElement('i');
    part.dataset.shape = SHAPES[at % SHAPES.length];
    part.style.left = `${from.x + (to.x - from.x) * place}px`;
    part.style.top = `${from.y + (to.y - from.y) * place}px`;
    sky.append(part);
    // Away from the line, to both sides.
    const direction = along + (Math.random() < 0.5 ? 1 : -1) * (Math.PI / 2) + (Math.random() - 0.5) * 1.6;
    const duration = seconds * (0.6 + 0.4 * Math.random());
    part.animate(path(direction, from.side * speed * (0.3 + 0.7 * Math.random()), from.side, duration), {
      duration: duration * 1000,
      delay: place * STROKE_MS.duration,
      fill: 'both',
    });
  }
  setTimeout(() => sky.remove(), STROKE_MS.duration + seconds * 1000);
}

/** The keyframes of a part that is thrown, slows down in the air and falls. */
function path(direction: number, speed: number, side: number, seconds: number): Keyframe[] {
  const turn = (Math.random() - 0.5) * 900;
  return Array.from({ length: FRAMES + 1 }, (_, frame) => {
    const share = frame / FRAMES;
    const time = share * seconds;
    const way = (speed * (DRAG ** time - 1)) / Math.log(DRAG);
    const x = Math.cos(direction) * way;
    const y = Math.sin(direction) * way + (GRAVITY * side * time ** 2) / 2;
    return {
      transform: `translate(${x}px, ${y}px) rotate(${turn * share}deg) scale(${1 - share / 2})`,
      opacity: frame === 0 ? 0 : Math.min(1, 2.5 * (1 - share)),
    };
  });
}

const VOLUME = 0.16;
const ATTACK_SECONDS = 0.006;
const SILENCE = 0.0001;

/**
 * @param at seconds after the event
 * @param length seconds until the note is inaudible
 * @param volume relative to the other notes
 */
const note = (hertz: number, at: number, length: number, volume = 1) => ({ hertz, at, length, volume });
type Note = ReturnType<typeof note>;
const [C4, E4, G4, A4, C5, E5, G5, C6, E6, G6] = [261.6, 329.6, 392, 440, 523.3, 659.3, 784, 1046.5, 1318.5, 1568];

const NOTES: Readonly<Record<FeedbackEvent, readonly Note[]>> = {
  mark: [note(C5, 0, 0.12, 0.7)],
  answer: [note(A4, 0, 0.12, 0.5)],
  win: [note(C5, 0, 0.3), note(E5, 0.09, 0.3), note(G5, 0.18, 0.5)],
  bonus: [
    note(C5, 0, 0.3),
    note(E5, 0.08, 0.3),
    note(G5, 0.16, 0.3),
    note(C6, 0.24, 0.4),
    note(E6, 0.36, 0.5, 0.8),
    note(G6, 0.44, 0.9, 0.6),
  ],
  lose: [note(E4, 0, 0.35, 0.8), note(C4, 0.16, 0.6, 0.8)],
  draw: [note(G4, 0, 0.25, 0.7), note(G4, 0.18, 0.4, 0.7)],
};

let context: AudioContext | undefined;

export function playSound(event: FeedbackEvent): void {
  // Before a gesture, browsers refuse to play and log a warning.
  if (!navigator.userActivation.hasBeenActive) return;
  // iOS does not always resume what a call has interrupted.
  if (context?.state === 'interrupted') context = void context.close();
  context ??= new AudioContext();
  // A browser suspends the sound of a page in the background.
  void context.resume();
  for (const one of NOTES[event]) play(context, one);
}

function play(context: AudioContext, { hertz, at, length, volume }: Note): void {
  const start = context.currentTime + at;
  const tone = new OscillatorNode(context, { type: 'triangle', frequency: hertz });
  const loudness = new GainNode(context, { gain: 0 });
  loudness.gain.setValueAtTime(0, start);
  loudness.gain.linearRampToValueAtTime(volume * VOLUME, start + ATTACK_SECONDS);
  loudness.gain.exponentialRampToValueAtTime(SILENCE, start + length);
  tone.connect(loudness).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}
