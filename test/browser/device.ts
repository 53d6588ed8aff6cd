import type { Locator, Page } from 'playwright-core';
import { BOT_MOVE_DELAY } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { challengeSquares } from '../support/challenge.js';
import { marksOn, SQUARE_NAMES } from '../support/table.js';

export async function lettersIn(tiles: Locator): Promise<string> {
  await tiles.getByRole('listitem').first().waitFor();
  return (await tiles.getByRole('listitem').allInnerTexts()).map((text) => text[0]).join('');
}

/** One device of the player, with the challenge in its dialog. */
export class Device {
  readonly dialog: Locator;
  /** Beside the board. */
  readonly panel: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole('dialog', { name: "Today's challenge" });
    this.panel = page.getByRole('region', { name: "Today's challenge" });
  }

  async open(): Promise<void> {
    await this.panel.getByRole('button').click();
    await this.dialog.waitFor();
  }

  button(name: string | RegExp): Locator {
    return this.dialog.getByRole('button', { name });
  }

  async mark(square: number): Promise<void> {
    await this.dialog.getByRole('gridcell', { name: new RegExp(`^${SQUARE_NAMES[square]},`) }).click();
  }

  async myTurn(): Promise<void> {
    await this.page.clock.runFor(BOT_MOVE_DELAY);
    await this.dialog.getByText('Your turn (X)').first().waitFor();
  }

  marks(): Promise<string> {
    return marksOn(this.dialog.getByRole('grid', { name: 'Board' }));
  }

  /** Plays these squares, and waits for the end of the game. */
  async playOut(squares: readonly number[]): Promise<void> {
    for (const square of squares) {
      await this.myTurn();
      await this.mark(square);
    }
    await this.page.clock.runFor(BOT_MOVE_DELAY);
    await this.dialog.getByRole('button', { name: /^(Next|See)/ }).waitFor();
  }

  /** What the tiles beside the board show. */
  tiles(): Promise<string> {
    return lettersIn(this.panel.getByRole('list', { name: 'Your games' }));
  }

  async playGame(number: number, result: Result, day: string): Promise<void> {
    await this.playOut(challengeSquares(day, number, result));
  }
}
