import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What one feature stores about players, for the export of an account. Deleting needs no part: every table cascades. */
export interface AccountSection {
  /** Its key in the exported document. */
  readonly name: string;
  /**
   * All that is stored about the player, as JSON can say it, read in the transaction that fixes the moment of the
   * export. A list that grows with the player's use comes in pages, as an `AsyncIterable` of arrays, so that it is never in
   * memory as a whole. Its pages are read after that transaction: the list must end where the moment was.
   */
  contentFor(playerId: string, transaction: EntityManager): Promise<unknown>;
}

/**
 * The parts of the export that auth does not know, since it stands below the features. A feature that stores something
 * about a player has a provider that adds itself here when it is made.
 */
@Injectable()
export class AccountSections {
  private readonly sections: AccountSection[] = [];

  add(section: AccountSection): void {
    this.sections.push(section);
  }

  /** In the order of their names: the order in which modules are made is nobody's promise. */
  all(): readonly AccountSection[] {
    return this.sections.toSorted((one, other) => one.name.localeCompare(other.name));
  }
}

/** Rows in one page, about a hundred kilobytes of an export. */
const PAGE = 200;

/**
 * A long list in pages, in the order in which `find` gives it.
 * @param find at most `take` rows after the first `skip` ones, of which `last` is the last
 */
export async function* inPages<Row extends object>(
  find: (page: { take: number; skip: number; last: Row | undefined }) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  for (let skip = 0; ; skip += PAGE) {
    const page = await find({ take: PAGE, skip, last });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = page.at(-1);
  }
}
