import { useEffect, useRef, type RefObject } from 'react';
import { feedbackFor, giveFeedback } from './feedback.js';
import type { Round } from '../round.js';

/** Gives feedback on each step of the round. Returns the ref for the card with the board. */
export function useFeedback(round: Round): RefObject<HTMLElement | null> {
  const card = useRef<HTMLElement>(null);
  const last = useRef(round);

  useEffect(() => {
    const event = feedbackFor(last.current, round);
    last.current = round;
    if (event) giveFeedback(event, card.current);
  }, [round]);

  return card;
}
