import './burst.css';

interface Size {
  readonly parts: number;
  /** Relative to the side of the board, for each second. */
  readonly speed: number;
  readonly seconds: number;
}

const SIZES: Readonly<Record<'win' | 'bonus', Size>> = {
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

function fly(card: HTMLElement, { parts, speed, seconds }: Size): void {
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
