import type { Locator, Page, Request } from 'playwright-core';
import { type Square } from '../../game/board.js';
import { BOT_MOVE_DELAY, type Difficulty } from '../../game/bot.js';
import { type Result } from '../../game/rules.js';
import { squaresFor } from '../builders/finished-game.js';
import { eventually, isOperation, type OpenOptions, type Site } from './page.js';
import { type Ticket } from './play.js';
import type { Server } from './server.js';

export const SQUARE_NAMES = [
  'Top left',
  'Top centre',
  'Top right',
  'Middle left',
  'Centre',
  'Middle right',
  'Bottom left',
  'Bottom centre',
  'Bottom right',
] as const;

export const RESULT_MESSAGES: Record<Result, string> = {
  win: '🎊 YOU WIN! +1 Point',
  lose: '😢 BOT WINS! -1 Point',
  draw: "🤝 IT'S A DRAW!",
};

const BOTS_TURN = "Bot's turn (O)...";

const DIFFICULTY_NAMES: Record<Difficulty, string> = { easy: 'Easy', medium: 'Medium', hard: 'Hard' };

/** How the clock of a page runs. */
export interface PageClock {
  /** Where it begins, if not at the real time. */
  readonly time?: number;
  /** Leaves the page its own clock, so that the bot takes its real half second. */
  readonly real?: boolean;
}

/** One request for a ticket, and the ticket once it has arrived. */
interface Asked {
  readonly difficulty: Difficulty;
  failed?: boolean;
  ticket?: Ticket;
}

/**
 * A player at the board, who sees the tickets that the server gives and so knows what the bot will do. The page fetches
 * tickets ahead: a game that takes one makes the page request the next, so the ticket of the game on the board is the
 * last but one that was requested.
 */
export class Table {
  private asked: Asked[] = [];
  private readonly requests = new WeakMap<Request, Asked>();
  private readonly used = new Set<Ticket>();
  private difficulty: Difficulty = 'medium';

  private constructor(
    readonly page: Page,
    private readonly server: Server,
    private readonly clock: PageClock,
  ) {}

  /** To be called before the page loads the game. */
  static async at(page: Page, server: Server, clock: PageClock = {}): Promise<Table> {
    const table = new Table(page, server, clock);
    if (!clock.real) await page.clock.install({ time: clock.time });
    page.on('request', (request) => void table.ask(request));
    page.on('requestfailed', (request) => Object.assign(table.ask(request) ?? {}, { failed: true }));
    await page.route('**/graphql', async (route) => {
      const ours = table.ask(route.request());
      if (!ours) return route.fallback();
      // The page gets its answer from here, so a ticket is known before the page has it. A page can close meanwhile.
      try {
        const response = await route.fetch();
        ours.ticket = ((await response.json()) as { data?: { startGame?: Ticket } }).data?.startGame;
        await route.fulfill({ response });
      } catch {
        ours.failed = true;
      }
    });
    // A page that reloads has new tickets.
    page.on('domcontentloaded', () => Object.assign(table, { asked: [] }));
    return table;
  }

  /** Several events report the same request. */
  private ask(request: Request): Asked | undefined {
    if (!isOperation('StartGame')(request)) return undefined;
    const known = this.requests.get(request);
    if (known) return known;
    const { variables } = request.postDataJSON() as { variables: { difficulty: Difficulty } };
    const asked: Asked = { difficulty: variables.difficulty };
    this.requests.set(request, asked);
    // Another try takes the place of one that failed.
    this.asked = [...this.asked.filter((one) => !one.failed || one.difficulty !== asked.difficulty), asked];
    return asked;
  }

  square(square: number) {
    return this.page.getByRole('gridcell', { name: new RegExp(`^${SQUARE_NAMES[square]},`) });
  }

  /** Clicks whether the square allows it or not. */
  async click(square: number): Promise<void> {
    // A dialog that closes would take the click.
    await this.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await this.square(square).click({ force: true });
  }

  marks(): Promise<string> {
    return marksOn(this.page.getByRole('grid', { name: 'Board' }));
  }

  /** The line above the board: whose turn it is, or how the game ended. */
  status(text: string) {
    const whole = new RegExp(`^${escaped(text)}$`);
    return this.page.getByRole('region', { name: 'Tic-Tac-Toe' }).getByRole('paragraph').filter({ hasText: whole });
  }

  /** The line below the board: what the player should know about saving. */
  notice(text: string) {
    return this.page.getByRole('region', { name: 'Tic-Tac-Toe' }).getByRole('status').getByText(text);
  }

  async myTurn(): Promise<void> {
    await this.endBotPause();
    await this.status('Your turn (X)').waitFor();
  }

  /** Ends the bot's pause on the clocks of page and server, when there is one and the page's clock is not real. */
  private async endBotPause(): Promise<void> {
    if (this.clock.real || !(await this.status(BOTS_TURN).isVisible())) return;
    await this.server.moveClock(BOT_MOVE_DELAY);
    await this.page.clock.runFor(BOT_MOVE_DELAY);
  }

  radio(difficulty: Difficulty) {
    return this.page.getByRole('radio', { name: DIFFICULTY_NAMES[difficulty] });
  }

  async choose(difficulty: Difficulty): Promise<void> {
    await this.radio(difficulty).click();
    await this.becomes(difficulty);
  }

  /** Waits until the board has a newly chosen difficulty and its ticket. */
  async becomes(difficulty: Difficulty): Promise<void> {
    await eventually(() => this.radio(difficulty).isChecked(), true);
    this.difficulty = difficulty;
    await this.ticket();
  }

  async newGame(): Promise<void> {
    // A game has used its ticket as soon as the bot has moved.
    const ticket = this.lastTaken();
    if (ticket && (await this.marks()).includes('O')) this.used.add(ticket);
    await this.page.getByRole('button', { name: 'New Game' }).click();
  }

  /** The ticket of the game on the board, which has no moves yet. */
  async ticket(): Promise<Ticket> {
    const isThere = () => {
      const ticket = this.lastTaken();
      return Promise.resolve(ticket !== undefined && !this.used.has(ticket));
    };
    await eventually(isThere, true);
    return this.lastTaken()!;
  }

  /** The ticket of the next game, once the page has fetched it ahead. */
  async fetchedAhead(): Promise<Ticket> {
    await this.ticket();
    const next = () => this.asked.findLast(({ difficulty }) => difficulty === this.difficulty)?.ticket;
    await eventually(() => Promise.resolve(next() !== undefined), true);
    return next()!;
  }

  private lastTaken(): Ticket | undefined {
    return this.asked.filter(({ difficulty }) => difficulty === this.difficulty).at(-2)?.ticket;
  }

  /** The player's squares of a game on this board that ends so. Counts the game as played. */
  async plan(result: Result): Promise<Square[]> {
    const ticket = await this.ticket();
    this.used.add(ticket);
    return squaresFor({ ...ticket, result });
  }

  async playSquares(squares: readonly Square[]): Promise<void> {
    for (const square of squares) {
      await this.myTurn();
      await this.click(square);
    }
    await this.endBotPause();
  }

  /** Plays the game on the board to this end, and waits for the result. */
  async play(result: Result): Promise<void> {
    await this.playSquares(await this.plan(result));
    await this.status(RESULT_MESSAGES[result]).waitFor();
  }

  /** Plays the first free square until the game ends. */
  async playOn(): Promise<void> {
    const status = this.page.getByRole('region', { name: 'Tic-Tac-Toe' }).getByRole('paragraph');
    const turn = this.status('Your turn (X)');
    for (;;) {
      await this.endBotPause();
      await turn.or(status.filter({ hasText: /YOU WIN!|BOT WINS!|DRAW!/ })).waitFor();
      if ((await turn.count()) === 0) return;
      await this.click((await this.marks()).indexOf('.'));
    }
  }

  /** The values in the panel beside the board. */
  async stats(): Promise<Record<string, string>> {
    const said = await this.page.getByRole('region', { name: 'Your Stats' }).ariaSnapshot();
    const values = [...said.matchAll(/term: (.+)\n\s*- definition: "?([^"\n]+)"?/g)];
    return Object.fromEntries(values.map(([, name, value]) => [name!, value!]));
  }

  async statsBecome(score: string, streak: string, wins: string, losses: string, draws: string): Promise<void> {
    const expected = { 'Total Score': score, 'Win Streak': streak, Wins: wins, Losses: losses, Draws: draws };
    await eventually(() => this.stats(), expected);
  }
}

/** The squares of a game that ends so, by the ticket that the page has stored with the board. */
export async function storedPlan(page: Page, result: Result): Promise<Square[]> {
  let ticket: Ticket | null | undefined;
  const read = async () => {
    const round = await page.evaluate(() => {
      const key = Object.keys(sessionStorage).find((name) => name.startsWith('tic-tac-toe.round.'));
      return key && sessionStorage.getItem(key);
    });
    ticket = round ? (JSON.parse(round) as { ticket: Ticket | null }).ticket : null;
    return ticket !== null;
  };
  await eventually(read, true);
  return squaresFor({ ...ticket!, result });
}

/** The nine squares of a board in order: X, O or a dot. */
export async function marksOn(board: Locator): Promise<string> {
  const said = await board.ariaSnapshot();
  const marks = new Map([...said.matchAll(/gridcell "([^"]+), (X|O|empty)"/g)].map(([, name, mark]) => [name, mark]));
  return SQUARE_NAMES.map((name) => marks.get(name)?.replace('empty', '.') ?? '?').join('');
}

const escaped = (text: string) => text.replace(/[()+.]/g, '\\$&');

/** Opens a new player's game, with the tickets in view. The bot's pauses take no time, unless the clock is real. */
export async function sitDown(
  site: Site,
  { clock, prepare, ...options }: OpenOptions & { readonly name?: string; readonly clock?: PageClock } = {},
) {
  let table!: Table;
  const { page, visitor } = await site.openGame({
    ...options,
    prepare: async (page) => {
      table = await Table.at(page, site.server, clock);
      await prepare?.(page);
    },
  });
  return { page, table, visitor };
}
