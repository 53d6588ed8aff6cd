import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** What one feature stores about players, for the export of an account. Deleting needs no part: every table cascades. */
export interface AccountSection {
  /** Its key in the exported document. */
  readonly name: string;
  /** All that is stored about the player, as JSON can say it, read in the transaction of the whole export. */
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
