import type { FeedbackEvent } from './feedback.js';

interface Note {
  readonly hertz: number;
  /** Seconds after the event. */
  readonly at: number;
  /** Seconds until the note is inaudible. */
  readonly length: number;
  /** Relative to the other notes. */
  readonly volume: number;
}

const VOLUME = 0.16;
const ATTACK_SECONDS = 0.006;
const SILENCE = 0.0001;

const note = (hertz: number, at: number, length: number, volume = 1): Note => ({ hertz, at, length, volume });
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

/** Plays the sound of an event with the browser's synthesiser. */
export function playSound(event: FeedbackEvent): void {
  // Before a gesture, browsers refuse to play and log a warning.
  if (!navigator.userActivation.hasBeenActive) return;
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
