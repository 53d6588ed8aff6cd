/**
 * A Vite plugin that draws the image of a shared link: a board in the colours of the icon, as `share.png`. It needs no
 * browser and no font, so it runs in every build.
 */
import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 1200;
const HEIGHT = 630;

/** @typedef {[red: number, green: number, blue: number]} Colour */
/**
 * @typedef {object} Shape
 * @property {Colour} colour
 * @property {[left: number, top: number, right: number, bottom: number]} box
 * @property {(x: number, y: number) => number} distance from the edge in pixels, below 0 inside
 */

/** @type {Record<'paper' | 'square' | 'x' | 'o' | 'line', Colour>} */
const COLOURS = {
  paper: [17, 20, 28],
  square: [37, 43, 60],
  x: [131, 177, 255],
  o: [255, 154, 107],
  line: [244, 206, 114],
};

/** The marks of a won game, row by row, and the ends of its line. */
const MARKS = ['X', 'O', '', 'O', 'X', '', '', '', 'X'];
const LINE = /** @type {const} */ ([0, 8]);

const SIZE = 166;
const STEP = SIZE + 16;
const LEFT = (WIDTH - 2 * STEP - SIZE) / 2;
const TOP = (HEIGHT - 2 * STEP - SIZE) / 2;

/** @returns {import('vite').Plugin} */
export function shareImage() {
  return {
    name: 'share-image',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'share.png', source: draw() });
    },
  };
}

function draw() {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let at = 0; at < pixels.length; at += 3) pixels.set(COLOURS.paper, at);
  for (const shape of shapes()) paint(pixels, shape);
  return png(pixels);
}

/** From the bottom to the top. @returns {Shape[]} */
function shapes() {
  const squares = MARKS.map((_mark, at) => roundedSquare(centre(at), SIZE / 2, 30, COLOURS.square));
  const marks = MARKS.flatMap((mark, at) => {
    const [x, y] = centre(at);
    if (mark === 'O') return [ring([x, y], 42, 11, COLOURS.o)];
    if (mark !== 'X') return [];
    return [
      stroke([x - 38, y - 38], [x + 38, y + 38], 11, COLOURS.x),
      stroke([x - 38, y + 38], [x + 38, y - 38], 11, COLOURS.x),
    ];
  });
  const [from, to] = [centre(LINE[0]), centre(LINE[1])];
  const beyond = 62;
  const line = stroke([from[0] - beyond, from[1] - beyond], [to[0] + beyond, to[1] + beyond], 6, COLOURS.line);
  return [...squares, ...marks, line];
}

/** @returns {[number, number]} */
function centre(/** @type {number} */ square) {
  return [LEFT + SIZE / 2 + STEP * (square % 3), TOP + SIZE / 2 + STEP * Math.floor(square / 3)];
}

/** @returns {Shape} */
function roundedSquare(
  /** @type {[number, number]} */ [cx, cy],
  /** @type {number} */ half,
  /** @type {number} */ radius,
  /** @type {Colour} */ colour,
) {
  return {
    colour,
    box: [cx - half, cy - half, cx + half, cy + half],
    distance: (x, y) => {
      const [dx, dy] = [Math.abs(x - cx) - half + radius, Math.abs(y - cy) - half + radius];
      return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
    },
  };
}

/** @returns {Shape} */
function ring(
  /** @type {[number, number]} */ [cx, cy],
  /** @type {number} */ radius,
  /** @type {number} */ half,
  /** @type {Colour} */ colour,
) {
  const outer = radius + half;
  return {
    colour,
    box: [cx - outer, cy - outer, cx + outer, cy + outer],
    distance: (x, y) => Math.abs(Math.hypot(x - cx, y - cy) - radius) - half,
  };
}

/** A line with round ends. @returns {Shape} */
function stroke(
  /** @type {[number, number]} */ [ax, ay],
  /** @type {[number, number]} */ [bx, by],
  /** @type {number} */ half,
  /** @type {Colour} */ colour,
) {
  const [dx, dy] = [bx - ax, by - ay];
  return {
    colour,
    box: [Math.min(ax, bx) - half, Math.min(ay, by) - half, Math.max(ax, bx) + half, Math.max(ay, by) + half],
    distance: (x, y) => {
      const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
      return Math.hypot(x - ax - along * dx, y - ay - along * dy) - half;
    },
  };
}

/** Mixes the colour of a shape into the pixels, in part along its edge. */
function paint(/** @type {Buffer} */ pixels, /** @type {Shape} */ { colour, box, distance }) {
  const [left, top, right, bottom] = box;
  for (let y = Math.floor(top) - 1; y <= bottom + 1; y++) {
    for (let x = Math.floor(left) - 1; x <= right + 1; x++) {
      const cover = Math.min(1, Math.max(0, 0.5 - distance(x + 0.5, y + 0.5)));
      if (cover === 0) continue;
      const at = (y * WIDTH + x) * 3;
      for (const [part, value] of colour.entries()) {
        const below = pixels[at + part] ?? 0;
        pixels[at + part] = Math.round(below + (value - below) * cover);
      }
    }
  }
}

/** https://www.w3.org/TR/png-3: eight bits for each colour, no filter. */
function png(/** @type {Buffer} */ pixels) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2], 8);
  const rows = Array.from({ length: HEIGHT }, (_none, y) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(y * WIDTH * 3, (y + 1) * WIDTH * 3)]),
  );
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(/** @type {string} */ type, /** @type {Buffer} */ data) {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}
